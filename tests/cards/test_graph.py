"""Notes through the card graph: the note stands in the test, the decision beside it."""

from pathlib import Path
from textwrap import dedent

import pytest

from studium.domain.card import NoteContext, ProposedCard, QAIssue, QAReport
from studium.domain.decision import Action
from studium.domain.document import Document
from studium.domain.finding import Finding
from studium.minds.rules import RulesMind
from studium.minds.scripted import ScriptedMind
from studium.readers.registry import read_document
from studium.workflows.cards.graph import create_card_graph
from studium.workflows.cards.notes import note_context
from studium.workflows.cards.rules import RULES
from studium.workflows.cards.skills import MappedCard
from studium.workflows.cards.state import CardPolicy

OSPF = """\
    ---
    topic: Networking
    tags: [ospf, two words]
    ---
    # Question (EN)
    > What does an OSPF router flood?

    ## Answer (EN)
    Link-state advertisements, which describe its links and their costs.
    """


def write(folder: Path, text: str) -> tuple[NoteContext | Finding, Document]:
    path = folder / "note.md"
    path.write_text(dedent(text), encoding="utf-8")
    document = read_document(path).document
    assert document is not None
    return note_context(document, name="note.md"), document


async def decide(folder: Path, text: str, mind=None, policy: CardPolicy | None = None) -> dict:
    note, document = write(folder, text)
    assert isinstance(note, NoteContext)
    graph = create_card_graph(mind or RulesMind(RULES), lambda _path: document, policy or CardPolicy())
    return await graph.ainvoke({"note": note})


async def test_a_question_and_its_answer_become_a_card(tmp_path):
    state = await decide(tmp_path, OSPF)
    decision = state["decision"]
    assert decision.action is Action.CREATE
    assert decision.proposed_card.fields == {
        "Front": "What does an OSPF router flood?",
        "Back": "Link-state advertisements, which describe its links and their costs.",
    }
    assert decision.proposed_card.deck_name == "Networking"
    assert decision.proposed_card.tags == ("ospf", "two_words")
    assert decision.proposed_card.language == "en"


async def test_every_card_points_at_the_lines_it_was_made_from(tmp_path):
    evidence = (await decide(tmp_path, OSPF))["evidence"]
    assert [(e.quote, e.where.line) for e in evidence] == [
        ("What does an OSPF router flood?", 6),
        ("Link-state advertisements, which describe its links and their costs.", 9),
    ]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("# Question\nWhat is OSPF?\n", "answer"),
        ("# Answer\nA routing protocol.\n", "question"),
        ("# Question\nWhat is OSPF?\n\n# Answer\n\n", "answer"),
        ("```\nQ: not a question\nA: but code\n```\n", "question"),
        ("Just a diary.\n", "question"),
    ],
)
def test_a_note_without_question_or_answer_says_which_and_where(tmp_path, text, missing):
    finding, _ = write(tmp_path, text)
    assert isinstance(finding, Finding)
    assert f"no {missing}" in finding.message
    assert str(finding).startswith(str(tmp_path / "note.md"))


async def test_an_answer_too_long_for_the_back_is_cut_between_blocks_and_kept_whole_in_extra(tmp_path):
    answer = "The lead says it all.\n\n```python\nfirst = 1\n\nsecond = 2\n```\n\n" + "More. " * 40
    state = await decide(tmp_path, f"Q: What does the lead say?\nA: {answer}", policy=CardPolicy(max_back_chars=90))
    fields = state["decision"].proposed_card.fields
    assert fields["Back"] == "The lead says it all.\n\n```python\nfirst = 1\n\nsecond = 2\n```"
    assert fields["Extra"] == answer.strip()


async def test_a_front_that_gives_the_answer_away_waits_for_a_person(tmp_path):
    state = await decide(tmp_path, "Q: Is a tuple immutable and ordered?\nA: Immutable, ordered.\n")
    assert state["decision"].action is Action.MANUAL_REVIEW
    assert state["decision"].qa_report.issues[0].type == "front_leaks_answer"
    assert state["attempts"] == 3, "tried again as often as allowed, then asked"


def mapped(back: str, quote: str) -> MappedCard:
    card = ProposedCard(deck_name="Networking", fields={"Front": "What does OSPF flood?", "Back": back})
    return MappedCard(card=card, quotes=(quote,))


GOOD = mapped("Link-state advertisements", "Link-state advertisements")
FINE = QAReport(qa_score=0.95)


async def test_a_card_whose_quote_the_note_does_not_hold_is_made_again_with_the_reason(tmp_path):
    mind = ScriptedMind({"cards.map": [mapped("Hellos", "It floods hello packets."), GOOD], "cards.qa": [FINE]})
    state = await decide(tmp_path, OSPF, mind)
    assert state["decision"].action is Action.CREATE
    retried = [asked.given for asked in mind.asked if asked.skill == "cards.map"][1]
    assert "It floods hello packets." in retried.feedback[0]


async def test_an_invented_quote_never_reaches_a_sink(tmp_path):
    invented = mapped("Hellos", "It floods hello packets.")
    state = await decide(tmp_path, OSPF, ScriptedMind({"cards.map": [invented] * 3, "cards.qa": []}))
    assert state["decision"].action is Action.MANUAL_REVIEW
    assert [finding.code for finding in state["findings"]] == ["evidence.missing"]


async def test_a_poor_score_is_mended_once_feedback_is_given(tmp_path):
    poor = QAReport(qa_score=0.4, issues=(QAIssue(type="style_issue", severity="medium", message="Too vague."),))
    mind = ScriptedMind({"cards.map": [GOOD, GOOD], "cards.qa": [poor, FINE]})
    state = await decide(tmp_path, OSPF, mind)
    assert state["decision"].action is Action.CREATE
    assert mind.asked[2].given.feedback == ("Too vague.",)


async def test_without_auto_fix_a_poor_score_goes_straight_to_a_person(tmp_path):
    poor = QAReport(qa_score=0.4)
    mind = ScriptedMind({"cards.map": [GOOD], "cards.qa": [poor]})
    state = await decide(tmp_path, OSPF, mind, CardPolicy(allow_auto_fix=False))
    assert state["decision"].action is Action.MANUAL_REVIEW


async def test_a_card_of_an_unknown_note_type_is_refused_with_the_known_ones(tmp_path):
    card = GOOD.card.model_copy(update={"model_name": "Fancy", "fields": {"Front": "x?", "Back": "y"}})
    bad = GOOD.model_copy(update={"card": card})
    mind = ScriptedMind({"cards.map": [bad] * 3, "cards.qa": []})
    state = await decide(tmp_path, OSPF, mind)
    assert state["decision"].messages == ("There is no note type `Fancy`; use `Studium Basic`.",)
