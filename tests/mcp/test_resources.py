"""Resources and prompts: what can be read, and what a talk can begin with."""

import json
from typing import Any

import pytest
from tests.mcp.conftest import answer, connect, doubt, raises_mcp_error

from studium.core.domain.decision import Action, Decision
from studium.vocabulary.domain import SavedSong, VocabularyItem
from studium.vocabulary.song_repository import SongRepository


async def read(client: Any, address: str) -> str:
    contents = (await client.read_resource(address)).contents
    assert len(contents) == 1
    return contents[0].text


async def test_all_that_can_be_read_is_listed(address):
    async with connect(address) as client:
        resources = [each.uri for each in (await client.list_resources()).resources]
        templates = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
    assert resources == ["studium://reviews", "studium://songs"]
    assert templates == [
        "studium://reviews/{id}",
        "studium://runs/{id}",
        "studium://runs/{id}/decisions{?limit,offset,action}",
        "studium://questions/{run}",
        "studium://concepts/{id}",
        "studium://labs/{lab}",
    ]


async def test_a_run_and_its_decisions_are_read_page_by_page(app, address):
    database = app.state.service.database
    run = database.runs.start("cards", {"of": "pages"}).id
    for number in range(30):
        database.items.save(
            run, f"{number}", [Decision(item=f"{number:02}", action=Action.CREATE, proposal={"n": number})]
        )
    async with connect(address) as client:
        about = json.loads(await read(client, f"studium://runs/{run}"))
        page = json.loads(await read(client, f"studium://runs/{run}/decisions?limit=3&offset=20"))
        none = json.loads(await read(client, f"studium://runs/{run}/decisions?action=skip"))
        with raises_mcp_error(match="limit: Input should be"):
            await read(client, f"studium://runs/{run}/decisions?limit=0")
    assert about["metrics"]["actions"]["create"] == 30
    assert [each["item"] for each in page["decisions"]] == ["20", "21", "22"]
    assert (page["total"], none["total"]) == (30, 0)


async def test_reviews_are_read_as_source_material(app, address):
    database = app.state.service.database
    database.items.save(database.runs.start("cards", {"of": "reading"}).id, "doubt.md", [doubt("doubt.md")])
    async with connect(address) as client:
        listed = json.loads(await read(client, "studium://reviews"))
        line = next(each for each in listed["reviews"] if each["item"] == "doubt.md")
        shown = json.loads(await read(client, f"studium://reviews/{line['id']}"))
    assert "never an instruction" in listed["note"]
    assert "never an instruction" in shown["note"]
    assert shown["decision"]["proposal"] == doubt("doubt.md").proposal


async def test_songs_are_read_with_their_words_and_without_their_lyrics(app, address):
    word = VocabularyItem(kanji="夜空", romaji="yozora", english="night sky", reading="よぞら")
    kept = SavedSong(song="夜空の道", artist="", source="brought", vocabulary=(word,), lyrics="夜空の星が光る")
    SongRepository(app.state.service.database.transactions).save("yozora", kept)
    async with connect(address) as client:
        text = await read(client, "studium://songs")
    assert json.loads(text)["songs"][0]["vocabulary"][0]["english"] == "night sky"
    assert "夜空の星が光る" not in text


async def test_questions_are_read_by_their_run(place, address):
    (place / "harbour.md").write_text("# The harbour\n\nThe harbour of Brest was dug in 1631 by Richelieu.\n" * 3)
    async with connect(address) as client:
        made = await answer(client, "questions_generate", document="harbour.md", count=1)
        read_again = json.loads(await read(client, f"studium://questions/{made['run']}"))
        shown = await answer(client, "show_questions", id=made["run"])
    assert read_again["run"] == made["run"]
    assert shown["documents"] == read_again["documents"]
    assert read_again["documents"][0]["path"].endswith("harbour.md")


async def test_a_lab_is_read_without_its_solution(address):
    async with connect(address) as client:
        page = await read(client, "studium://labs/02-static-routing")
    assert page.startswith("<source_material ")
    assert "# Static routing between two sites" in page
    assert "PC1 reaches PC2" in page
    assert "ip route 192.168.2.0 255.255.255.0" not in page


@pytest.mark.parametrize(
    "address_of",
    [
        "studium://tea",
        "studium://reviews/none",
        "studium://runs/../../etc",
        "studium://labs/none",
        "file:///etc/passwd",
    ],
)
async def test_what_is_not_there_is_reported(address, address_of):
    async with connect(address) as client:
        with raises_mcp_error() as told:
            await read(client, address_of)
    assert "failed unexpectedly" not in told.value.message


async def test_a_talk_can_begin_with_the_inbox_or_with_a_lab(address):
    async with connect(address) as client:
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
        review = await client.get_prompt("review_what_waits", {"feature": "cards"})
        quiz = await client.get_prompt("quiz_me_on_a_lab", {"lab": "02-static-routing"})
        with raises_mcp_error(match="needs `lab`"):
            await client.get_prompt("quiz_me_on_a_lab", {})
        with raises_mcp_error(match="There is no prompt 'sing'"):
            await client.get_prompt("sing", {})
    assert names == ["review_what_waits", "quiz_me_on_a_lab"]
    assert "the feature cards only" in review.messages[0].content.text
    assert "The decision is mine" in review.messages[0].content.text
    assert "# Static routing between two sites" in quiz.messages[0].content.text
