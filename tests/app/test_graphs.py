"""The graphs that `langgraph.json` names can be loaded, run, and are all there are."""

import json
from importlib import import_module
from pathlib import Path

from studium.app.graphs import graphs_to_draw
from studium.cards.models import NoteContext
from studium.cards.notes import read_note
from studium.core.documents.registry import read_document

ROOT = Path(__file__).parents[2]


def served(name: str):
    path, _, factory = json.loads((ROOT / "langgraph.json").read_text())["graphs"][name].partition(":")
    module = path.removeprefix("./src/").removesuffix(".py").replace("/", ".")
    return getattr(import_module(module), factory)()


def test_every_graph_is_served_under_its_name():
    assert set(json.loads((ROOT / "langgraph.json").read_text())["graphs"]) == set(graphs_to_draw())


async def test_the_served_card_graph_decides_on_a_note(tmp_path):
    path = tmp_path / "note.md"
    path.write_text("Q: What does OSPF flood?\nA: Link-state advertisements.\n")
    parsed = read_note(read_document(path).document, name="note.md")
    note = NoteContext.from_parsed_note(parsed.frontmatter, parsed.cards, slug="note.md", note_path=str(path))
    async with served("cards") as graph:
        state = await graph.ainvoke({"note": note})
    assert [card.decision.action for card in state["cards"]] == ["create"]


async def test_the_served_question_graph_asks_about_a_document(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("OSPF is a link-state routing protocol.\n")
    async with served("questions") as graph:
        state = await graph.ainvoke({"document_path": str(path), "target_count": 1})
    assert [pair.question for pair in state["accepted_questions"]] == ["What is OSPF?"]
