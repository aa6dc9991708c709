"""From quotes to concepts with models by role, over the wires of Gemini, OpenAI and Ollama."""

import pytest
from tests.concepts.models.conftest import QUOTES, ROLES
from tests.concepts.models.model import CONTENT, Asked, Model, objecting

from studium.testing import WireServer

PRO, FLASH = "google_genai:gemini-2.5-pro", "google_genai:gemini-2.5-flash"
GEMINI = dict.fromkeys(ROLES, FLASH) | {"extractor": PRO, "critic": PRO}
REMARK = "The title of c2 holds two ideas."


def critic(asked: Asked) -> dict:
    """Objects to one title until it is mended."""
    titles = {idea["key"]: idea["title"] for idea in asked.given("concepts")}
    return CONTENT if titles["c2"] == "Few affairs" else objecting(REMARK, "c2")


MENDING = {
    "critique": critic,
    "refine": {"changes": [{"action": "edit", "concept": "c2", "title": "Few affairs"}]},
    "feedback": {"changes": [{"action": "edit", "concept": "c1", "title": "Things cost life"}]},
}


def test_a_book_becomes_concepts_with_gemini_in_every_role(make_workspace, tmp_path):
    model = Model(MENDING)
    (tmp_path / "vault").mkdir()
    with WireServer(model) as server:
        workspace = make_workspace(server, GEMINI, concepts={"vault": str(tmp_path / "vault"), "language": "en"})
        parsed = workspace.parse()["books"][0]
        assert (parsed["quotes"], parsed["summary_short"]) == (6, "A man in the woods.")
        waiting = workspace.ask("extract", "Walden")["waiting"]
        assert [each["title"] for each in waiting["proposal"]["concepts"]] == [
            "The price of a thing is life",
            "Few affairs",
            "Wealth is what one can do without",
        ]
        assert waiting["proposal"]["unattributed"] == ["q1", "q6"]
        assert workspace.kept() == []
        again = workspace.review("--feedback", "Say at once that things cost life.")["waiting"]
        assert (again["round"], again["proposal"]["concepts"][0]["title"]) == (2, "Things cost life")
        kept = workspace.review("--approve")
    assert kept["waiting"] is None
    assert {each.request.protocol for each in model.asked} == {"gemini"}
    assert {each.skill: each.request.model for each in model.asked} == {
        "summarize": "gemini-2.5-flash",
        "extract": "gemini-2.5-pro",
        "duplicates": "gemini-2.5-flash",
        "queries": "gemini-2.5-flash",
        "relate": "gemini-2.5-flash",
        "critique": "gemini-2.5-pro",
        "refine": "gemini-2.5-pro",
        "feedback": "gemini-2.5-flash",
    }
    assert model.of("feedback")[0].fenced("feedback") == "Say at once that things cost life."
    with workspace.graph() as graph:
        titles = {each.uuid: each.title for each in graph.concepts()}
        assert set(titles.values()) == {"Things cost life", "Few affairs", "Wealth is what one can do without"}
        assert {(titles[each.source], each.type.value, titles[each.target]) for each in graph.relations()} == {
            ("Few affairs", "SUPPORTS", "Wealth is what one can do without"),
            ("Wealth is what one can do without", "SUPPORTED_BY", "Few affairs"),
        }
        book = graph.books()[0]
        texts = {quote.uuid: quote.text for quote in graph.quotes_of(book.uuid)}
        assert {(texts[each.quote], titles[each.concept], each.reasoning) for each in graph.supports()} == {
            (QUOTES[1], "Things cost life", "It names the price."),
            (QUOTES[2], "Few affairs", ""),
            (QUOTES[3], "Few affairs", ""),
            (QUOTES[4], "Wealth is what one can do without", ""),
        }
        assert book.processed_date
    assert {note.name for note in (tmp_path / "vault").rglob("*.md")} == {f"{title}.md" for title in titles.values()}


@pytest.mark.parametrize(("name", "protocol"), [("ollama:mistral", "ollama"), ("openai:gpt-4o", "openai")])
def test_a_book_becomes_concepts_with_one_model_in_every_role(make_workspace, model, name, protocol):
    with WireServer(model) as server:
        workspace = make_workspace(server, dict.fromkeys(ROLES, name))
        workspace.proposed()
        kept = workspace.review("--approve")
    assert [each["action"] for each in kept["decisions"]] == ["create", "create", "create"]
    assert {each.request.protocol for each in model.asked} == {protocol}
    assert len(workspace.kept()) == 3


def test_a_role_that_is_not_named_is_answered_by_the_rules(make_workspace, model):
    with WireServer(model) as server:
        workspace = make_workspace(server, {"critic": "openai:gpt-4o"})
        waiting = workspace.proposed()
    assert [each.skill for each in model.asked][:1] == ["critique"]
    assert {each.request.model for each in model.asked} == {"gpt-4o"}
    assert waiting["proposal"]["concepts"]


def test_what_was_asked_once_is_not_paid_for_again(make_workspace, model):
    with WireServer(model) as server:
        workspace = make_workspace(server)
        waiting = workspace.proposed()
        asked = len(model.asked)
        assert workspace.parse()["books"][0]["added"] == 0
        assert workspace.ask("extract", "Walden")["waiting"]["fingerprint"] == waiting["fingerprint"]
        assert len(model.asked) == asked, "what waits is shown, not made again"
        run = workspace.review("--approve")["run"]
        assert workspace.run("undo", run).code == 0
        again = workspace.ask("extract", "Walden", "--again")["waiting"]
    assert again["fingerprint"] == waiting["fingerprint"]
    assert len(model.asked) == asked, "every turn was remembered"
