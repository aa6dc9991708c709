"""Documents through the question loop."""

from pathlib import Path

import pytest

from studium.core.documents.registry import read_document
from studium.core.domain.document import Document
from studium.core.llm.models import RulesModel, ScriptedModel
from studium.questions.domain import GenerationPolicy, RejectionReason
from studium.questions.graph import create_question_graph
from studium.questions.setup import rules
from studium.questions.skills import Candidate, DedupeResult, Exhausted, ValidationResult

ROUTING = """\
# Routing

A router is a device that forwards packets between networks. It keeps its routes in a table.

OSPF is a link-state routing protocol that computes shortest paths. RIP is a distance-vector protocol that counts hops,
up to 15 of them.
"""
ROUTER = Candidate(
    question="What forwards packets between networks?",
    answer="a router",
    quotes=("A router is a device that forwards packets between networks.",),
)
CONFIRMED = ValidationResult(answerable=True, answer="A router", quotes=ROUTER.quotes)
DONE = Exhausted(reason="No more.")


def read(folder: Path, text: str) -> Document:
    path = folder / "document.md"
    path.write_text(text, encoding="utf-8")
    document = read_document(path).document
    assert document is not None
    return document


async def loop(folder: Path, text: str, model=None, count: int = 10, policy: GenerationPolicy | None = None) -> dict:
    document = read(folder, text)
    graph = create_question_graph(model or RulesModel(rules()), lambda _: document, policy or GenerationPolicy())
    return await graph.ainvoke({"document_path": document.path, "target_count": count}, {"recursion_limit": 500})


async def test_definitions_become_questions_with_their_evidence(tmp_path):
    state = await loop(tmp_path, ROUTING)
    accepted = {pair.question: pair for pair in state["accepted_questions"]}
    assert {question: pair.answer for question, pair in accepted.items()} == {
        "What is a router?": "a device that forwards packets between networks",
        "What is OSPF?": "a link-state routing protocol that computes shortest paths",
        "What is RIP?": "a distance-vector protocol that counts hops, up to 15 of them",
        "Where does a router keep its routes?": "in a table",
    }
    rip = accepted["What is RIP?"].evidence[0]
    assert rip.quote == "RIP is a distance-vector protocol that counts hops,\nup to 15 of them."
    assert (rip.where.line, rip.where.end_line) == (5, 6)
    assert "without a model" in state["exhausted"]


async def test_the_loop_stops_at_the_target(tmp_path):
    state = await loop(tmp_path, ROUTING, count=2)
    assert len(state["accepted_questions"]) == 2
    assert "exhausted" not in state


async def test_a_term_that_is_defined_twice_differently_is_ambiguous(tmp_path):
    text = "A port is a number that names a service.\n\nA port is a socket that takes a plug.\n"
    asked = Candidate(
        question="What is a port?", answer="a number that names a service", quotes=(text.partition("\n")[0],)
    )
    model = RulesModel(rules() | {"questions.generate": lambda given, _tools: DONE if given.asked else asked})
    state = await loop(tmp_path, text, model)
    assert [pair.rejection_reason for pair in state["rejected_questions"]] == [RejectionReason.AMBIGUOUS]
    assert state.get("accepted_questions", []) == []


@pytest.mark.parametrize("text", ["", "No definitions here, only talk.\n", "It is a pity that this is a pronoun.\n"])
async def test_a_document_without_definitions_is_exhausted_at_once(tmp_path, text):
    state = await loop(tmp_path, text or " \n.\n")
    assert state.get("accepted_questions", []) == []
    assert state["exhausted"]


async def test_an_answer_that_the_validator_confirms_is_accepted(tmp_path):
    model = ScriptedModel({"questions.generate": [ROUTER, DONE], "questions.validate": [CONFIRMED]})
    state = await loop(tmp_path, ROUTING, model)
    pair = state["accepted_questions"][0]
    assert (pair.question, pair.answer) == (ROUTER.question, "a router")
    assert pair.evidence[0].where.line == 3


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (ValidationResult(answerable=False), RejectionReason.UNANSWERABLE),
        (ValidationResult(answerable=True, answer="A router", ambiguous=True), RejectionReason.AMBIGUOUS),
        (ValidationResult(answerable=True, answer="A router", trivial=True), RejectionReason.TRIVIAL),
        (ValidationResult(answerable=True, answer="A switch"), RejectionReason.WRONG_ANSWER),
        (ValidationResult(answerable=True, answer="not a router"), RejectionReason.WRONG_ANSWER),
    ],
)
async def test_what_the_validator_does_not_confirm_is_rejected_with_the_reason(tmp_path, verdict, reason):
    model = ScriptedModel({"questions.generate": [ROUTER, DONE], "questions.validate": [verdict]})
    state = await loop(tmp_path, ROUTING, model)
    assert [pair.rejection_reason for pair in state["rejected_questions"]] == [reason]


async def test_a_quote_that_is_not_in_the_document_is_rejected_without_a_validator_call(tmp_path):
    invented = ROUTER.model_copy(update={"quotes": ("A router is a small furry animal.",)})
    model = ScriptedModel({"questions.generate": [invented, DONE]})
    state = await loop(tmp_path, ROUTING, model)
    assert state["rejected_questions"][0].rejection_reason is RejectionReason.VALIDATION_FAILED
    assert [asked.skill for asked in model.asked] == ["questions.generate"] * 2


async def test_a_duplicate_is_filtered_before_it_is_validated(tmp_path):
    again = ROUTER.model_copy(update={"question": "Which device forwards packets between networks?"})
    model = ScriptedModel(
        {
            "questions.generate": [ROUTER, again, DONE],
            "questions.dedupe": [DedupeResult(duplicate_of=ROUTER.question)],
            "questions.validate": [CONFIRMED],
        }
    )
    state = await loop(tmp_path, ROUTING, model)
    rejected = state["rejected_questions"][0]
    assert (rejected.rejection_reason, rejected.duplicate_of) == (RejectionReason.DUPLICATE, ROUTER.question)


async def test_too_many_rejections_in_a_row_end_the_loop(tmp_path):
    wrong = ValidationResult(answerable=True, answer="A switch")
    model = ScriptedModel({"questions.generate": lambda *_: ROUTER, "questions.validate": lambda *_: wrong})
    state = await loop(tmp_path, ROUTING, model, policy=GenerationPolicy(max_consecutive_failures=3))
    assert state["exhausted"] == "3 questions in a row were rejected."


async def test_the_generator_gets_earlier_questions_including_rejected_ones(tmp_path):
    model = ScriptedModel(
        {"questions.generate": [ROUTER, DONE], "questions.validate": [ValidationResult(answerable=False)]}
    )
    await loop(tmp_path, ROUTING, model)
    assert model.asked[-1].given.asked == (ROUTER.question,)
    assert model.asked[-1].tools == ("read_lines", "search")
