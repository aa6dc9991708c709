"""Tools: the features, for assistants that speak the Model Context Protocol, over HTTP."""

import asyncio
from typing import Any

import pytest
from tests.mcp.conftest import HOSTILE, MANY, answer, connect, doubt, raises_mcp_error, underway, until_over

from studium.core.features import all_job_types
from studium.mcp.tool import MAX_CHARS


async def cancelled(client: Any) -> str:
    """A job whose call was cancelled while it was under way."""
    async with underway(client, "cards_plan", {"vault": "large"}) as calling:
        job = (await answer(client, "list_jobs", limit=1))["jobs"][0]["id"]
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
    return str(job)


async def test_every_kind_of_job_that_writes_nothing_and_ends_is_a_tool(address):
    async with connect(address) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    kinds = {kind.name.replace(".", "_") for kind in all_job_types().values() if not kind.writes}
    assert kinds <= tools.keys()
    assert {"list_reviews", "show_review", "list_runs", "show_run", "list_jobs", "show_job"} <= tools.keys()
    assert tools["cards_plan"].input_schema["required"] == ["vault"]
    assert tools["cards_plan"].input_schema["properties"]["vault"]["description"] == "The folder of the vault."
    assert all(not tool.annotations.destructive_hint for tool in tools.values())
    assert tools["list_runs"].annotations.read_only_hint
    assert not tools["questions_generate"].annotations.read_only_hint


async def test_what_writes_is_offered_only_where_the_person_allows_it(trusting, address):
    writing = {kind.name.replace(".", "_") for kind in all_job_types().values() if kind.writes} | {"answer_review"}
    async with connect(address) as client, connect(trusting[0]) as trusted:
        mine = {tool.name for tool in (await client.list_tools()).tools}
        theirs = {tool.name: tool for tool in (await trusted.list_tools()).tools}
        with raises_mcp_error(match=r"assistants may not do that here.*assistants_may_write"):
            await client.call_tool("cards_sync", {"vault": "vault"})
    assert not writing & mine
    assert writing - {"cards_watch"} <= theirs.keys()
    assert "cards_watch" not in theirs, "it would never answer"
    assert theirs["cards_sync"].annotations.destructive_hint
    assert "ask" in theirs["answer_review"].description


async def test_a_job_runs_with_progress_and_its_result_comes_back(address, place):
    told: list[tuple[float, float | None]] = []

    async def hear(done: float, total: float | None, _item: str | None) -> None:
        told.append((done, total))

    async with connect(address) as client:
        result = await client.call_tool("cards_plan", {"vault": "vault"}, progress_callback=hear)
    job = result.structured_content
    assert job["status"] == "done"
    assert job["result"]["counts"]["create"] == 2
    assert job["files"] == list(map(str, (place / "home" / "jobs" / job["id"]).iterdir()))
    assert told[-1] == (2, 2)
    assert [done for done, _ in told] == sorted({done for done, _ in told}), "it only grows"
    assert result.content[0].text.startswith(f"Job {job['id']} (cards.plan) is done.\n<source_material ")


async def test_arguments_that_cannot_be_used_are_reported_by_name(address):
    async with connect(address) as client:
        result = await client.call_tool("questions_generate", {"count": "many", "colour": "red"})
    assert result.is_error
    said = result.content[0].text
    assert "document: Field required" in said
    assert "count: " in said
    assert "colour: Extra inputs are not permitted" in said


async def test_a_missing_tool_is_an_error_of_the_protocol(address):
    async with connect(address) as client:
        with raises_mcp_error(match="There is no tool 'make_tea'"):
            await client.call_tool("make_tea", {})


@pytest.mark.parametrize(
    "path", ["/etc", "../../../../../etc", "vault/../../../../etc", "~", "/proc/self/environ", "vault\x00"]
)
async def test_a_path_outside_the_folders_is_refused_and_nothing_is_started(address, path):
    async with connect(address) as client:
        before = (await answer(client, "list_jobs"))["total"]
        result = await client.call_tool("cards_plan", {"vault": path})
        assert result.is_error
        assert "problem" in result.structured_content
        assert (await answer(client, "list_jobs"))["total"] == before


async def test_a_failed_job_says_why_and_what_to_do(address):
    async with connect(address) as client:
        result = await client.call_tool("concepts_extract", {"book": "A book that nobody brought"})
    assert result.is_error
    assert result.structured_content["status"] == "failed"
    assert result.structured_content["problem"]["remedy"] in result.content[0].text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_cancelled_call_cancels_the_job(address, mode):
    async with connect(address, mode=mode) as client:
        job = await cancelled(client)
        assert await until_over(client, job) == "cancelled"


async def test_a_cancelled_job_can_be_resumed(address):
    async with connect(address) as client:
        job = await cancelled(client)
        await until_over(client, job)
        resumed = await answer(client, "resume_job", id=job)
    assert resumed["status"] == "done"
    assert resumed["result"]["counts"]["create"] == MANY


async def test_two_assistants_at_once_each_get_their_own(address):
    async with connect(address) as one, connect(address) as other:
        first, second = await asyncio.gather(
            answer(one, "cards_plan", vault="vault"), answer(other, "cards_plan", vault="second")
        )
    assert first["request"]["vault"].endswith("/vault")
    assert second["request"]["vault"].endswith("/second")
    assert first["status"] == second["status"] == "done"


async def test_a_huge_result_is_cut_and_the_rest_can_be_asked_for(app, address):
    database = app.state.service.database
    job = database.jobs.create("questions.generate", {"document": "x"})
    documents = [{"path": f"{number}.md", "text": "long " * 40} for number in range(5000)]
    database.jobs.finish(job.id, "done", result={"documents": documents})
    async with connect(address) as client:
        result = await client.call_tool("show_job", {"id": job.id})
        rest = await answer(client, "show_job", id=job.id, part="/result/documents", offset=4998)
        wrong = await client.call_tool("show_job", {"id": job.id, "part": "/result/songs"})
    given = result.structured_content["result"]["documents"]
    assert result.structured_content["left_out"] == [f"/result/documents: the first {len(given)} of 5000 are included"]
    assert 0 < len(given) < 5000
    assert len(result.content[0].text) < MAX_CHARS + 2000
    assert rest["value"] == documents[4998:]
    assert "There is no part '/result/songs'" in wrong.content[0].text


async def test_what_comes_from_documents_is_fenced_as_data(app, address):
    database = app.state.service.database
    database.items.save(database.runs.start("cards", {"of": "fences"}).id, "hostile.md", [doubt("hostile.md")])
    async with connect(address) as client:
        listed = await client.call_tool("list_reviews", {"feature": "cards"})
        line = next(each for each in listed.structured_content["reviews"] if each["item"] == "hostile.md")
        shown = await client.call_tool("show_review", {"id": line["id"]})
    for result in (listed, shown):
        opening, closing = (result.content[0].text.splitlines()[at] for at in (1, -1))
        assert opening.startswith("<source_material ")
        assert closing == opening.replace("<", "</")
        assert HOSTILE in result.content[0].text
        assert HOSTILE not in result.content[0].text.splitlines()[0]


async def test_a_persons_answer_is_passed_on_and_a_second_one_is_refused(trusting):
    address, app = trusting
    database = app.state.service.database
    database.items.save(database.runs.start("cards", {}).id, "note.md", [doubt("note.md")])
    review = database.reviews.select("open", "cards")[0].id
    async with connect(address) as client:
        taken = await answer(client, "answer_review", id=review, status="rejected", comment="No.")
        again = await client.call_tool("answer_review", {"id": review, "status": "approved"})
    assert taken["status"] == "rejected"
    assert again.is_error
    assert again.structured_content["problem"]["status"] == 409
    assert database.reviews.get(review).comment == "No."


async def test_no_assistant_spends_more_than_the_settings_allow(trusting):
    async with connect(trusting[0]) as client:
        result = await client.call_tool("questions_generate", {"document": "vault", "max_cost": 5})
        jobs = await answer(client, "list_jobs", kind="questions")
    assert "The settings allow a run to cost 1, not 5." in result.content[0].text
    assert jobs["total"] == 0


async def test_a_command_is_diagnosed_and_labs_are_listed(address):
    said = {"command": "show ip rout", "output": "% Invalid input detected at '^' marker.", "prompt": "R1#"}
    async with connect(address) as client:
        found = await answer(client, "diagnose_command", **said)
        labs = await answer(client, "list_labs")
    assert found["error_type"]
    assert "02-static-routing" in [lab["id"] for lab in labs["labs"]]
