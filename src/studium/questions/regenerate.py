"""Generate one more question about a document of a run, in place of one that a reviewer does not want."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studium.core.domain.errors import DocumentExhaustedError
from studium.core.domain.finding import Evidence
from studium.core.domain.run import current_context, use_context
from studium.core.domain.usage import Budget
from studium.questions.domain import CorpusConfig, QAPair
from studium.questions.edit_check import read_source
from studium.questions.graph import create_question_graph
from studium.questions.kinds import MAX_WEIGHT, QuestionOptions
from studium.questions.setup import question_policy
from studium.questions.state import QuestionState

if TYPE_CHECKING:
    from studium.core.app import App
    from studium.questions.question_set import Place, QuestionSet, ReviewedQuestion

_NEAR = 8
"""A question whose evidence is within this many lines is about the same place."""
_STEPS = 10_000


@dataclass(frozen=True)
class RegeneratedPair:
    """The new pair; `note` says if it is not about the place that was asked for."""

    pair: QAPair
    note: str = ""


async def generate_another(
    app: "App", questions: "QuestionSet", replaced: "ReviewedQuestion", place: "Place"
) -> RegeneratedPair:
    """A question that is not, and never was, in the set; about the same place if there is one."""
    run, path = questions.run, replaced.document
    document = await asyncio.to_thread(read_source, run, path)
    policy = question_policy(app.settings, run.arguments.get("max_failures"))
    graph = create_question_graph(app.model, lambda _: document, policy, similarity=app.similarity)
    start = _state(questions, replaced, place)
    known = len(start["accepted_questions"])
    context = current_context().for_item(run.id, f"{replaced.decision.item}:again", Budget(app.settings.budget))
    with use_context(context):
        state = await graph.ainvoke(start, {"recursion_limit": _STEPS})
    made = state.get("accepted_questions", [])[known:]
    if not made:
        reason = state.get("exhausted") or "No further question was found."
        raise DocumentExhaustedError(f"There is no other question: {reason}")
    is_elsewhere = place == "same" and not _is_near(made[0].evidence, replaced.pair.evidence)
    note = "No other question about the same place was found; this one is about another." if is_elsewhere else ""
    return RegeneratedPair(made[0], note)


def _state(questions: "QuestionSet", replaced: "ReviewedQuestion", place: "Place") -> QuestionState:
    """The loop, one question before its end: all that was ever asked counts as asked, so that none comes back."""
    of_document = [each for each in questions.questions if each.document == replaced.document]
    asked = {pair.question: pair for each in of_document for pair in (*each.former_pairs, each.pair)}
    rejected = next(each.rejected for each in questions.documents if each.path == replaced.document)
    arguments = questions.run.arguments
    corpus = arguments.get("corpus")
    state: QuestionState = {
        "document_path": replaced.document,
        "corpus_config": CorpusConfig.model_validate(corpus) if corpus else None,
        "scenario_name": arguments.get("scenario"),
        "mode": arguments.get("mode", "textual"),
        "target_count": len(asked) + 1,
        # Of the same kind; an open one if there is none left.
        "options": QuestionOptions.model_validate(arguments.get("options") or {}).model_copy(
            update={"mix": {replaced.pair.kind: MAX_WEIGHT} | ({"open": 1} if replaced.pair.kind != "open" else {})}
        ),
        "accepted_questions": list(asked.values()),
        "rejected_questions": list(rejected),
    }
    lines = _lines(replaced.pair.evidence)
    if place == "same" and lines:
        state["focus"] = lines
    return state


def _lines(evidence: tuple[Evidence, ...]) -> tuple[int, int] | None:
    places = [(each.where.line, each.where.end_line or each.where.line) for each in evidence if each.where.line]
    return (min(first for first, _ in places), max(last for _, last in places)) if places else None


def _is_near(made: tuple[Evidence, ...], wanted: tuple[Evidence, ...]) -> bool:
    new, old = _lines(made), _lines(wanted)
    return not new or not old or (new[0] <= old[1] + _NEAR and old[0] <= new[1] + _NEAR)
