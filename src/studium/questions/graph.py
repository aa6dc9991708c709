"""The question loop: generate, dedupe, validate, accept or reject, until there are enough or none are left.

generate_node → dedupe_node → validate_node → accept_node ─┐
↑              └────────────┴───────→ reject_node ──→ check_exit_node → END
└────────────────────────────────────────────────────────┘
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from studium.core.domain.document import Document
from studium.core.domain.errors import DocumentExhaustedError
from studium.core.domain.ports import Model, Similarity
from studium.core.domain.run import emit
from studium.core.text.language_detection import detect_language
from studium.questions.candidates import (
    NoProposalError,
    Proposed,
    judge_candidate,
    next_focus,
    propose_textual,
    propose_visual,
)
from studium.questions.corpus import question_context
from studium.questions.difficulty import difficulty_of, word_counts
from studium.questions.document_tools import document_tools
from studium.questions.domain import (
    GenerationMetadata,
    GenerationPolicy,
    QAPair,
    QuestionTotal,
    RejectedQA,
    RejectionReason,
)
from studium.questions.kinds import ANY, Difficulty, QuestionKind, QuestionOptions, next_kinds
from studium.questions.rules.duplicate_detection.same_question import nearest_questions
from studium.questions.skills import (
    DEDUPE,
    VALIDATE,
    VALIDATE_VISUAL,
    DedupeInput,
    GenerateInput,
    GenerateVisualInput,
    ValidateInput,
)
from studium.questions.state import CurrentCandidate, QuestionState, Rejection

_LANGUAGE_SAMPLE = 2000
ATTEMPTS_OF_A_KIND = 2
"""So many rejected questions in a row, and another kind has its turn."""


@dataclass(frozen=True)
class QuestionSteps:
    """The nodes of the graph; each reads the state and returns only the keys that change."""

    model: Model
    document: Callable[[str], Document]
    policy: GenerationPolicy
    similarity: Similarity | None = None
    total: QuestionTotal = field(default_factory=QuestionTotal)

    async def generate_node(self, state: QuestionState) -> QuestionState:
        """Ask for one new question, and check that its evidence is in the document."""
        if self.total.is_reached:
            return {"total_reached": True}
        # Reading a long document takes seconds: other documents continue during that time.
        document = await asyncio.to_thread(_read_whole, self.document, state["document_path"])
        viewed: list[int] = []
        try:
            candidate, rejection = await self._propose(state, document, viewed)
        except DocumentExhaustedError as exhausted:
            return self._without_kind(state, exhausted.what) | _with_viewed_pages(state, viewed)
        except NoProposalError as failed:
            return self._no_proposal(state, failed) | _with_viewed_pages(state, viewed)
        said = AIMessage(f"{candidate.question}\n{candidate.answer}")
        change: QuestionState = {"current_candidate": candidate, "rejection": rejection, "messages": [said]}
        return change | _with_viewed_pages(state, viewed)

    async def dedupe_node(self, state: QuestionState) -> QuestionState:
        """Compare the question with the most similar accepted ones."""
        candidate, accepted = state.get("current_candidate"), state.get("accepted_questions", [])
        if not candidate or not accepted or state.get("rejection"):
            return {}
        asked = {pair.open_question: pair.question for pair in accepted}
        question = candidate.open_question
        nearest = nearest_questions(question, list(asked), self.policy.compared, self.similarity)
        answer = await self.model.answer(DEDUPE, DedupeInput(question=question, accepted=nearest))
        if answer.output is None:
            return _reject(RejectionReason.VALIDATION_FAILED, "; ".join(map(str, answer.findings)))
        if answer.output.duplicate_of is None:
            return {}
        same = answer.output.duplicate_of
        return _reject(RejectionReason.DUPLICATE, "An accepted question asks the same.", asked.get(same, same))

    async def validate_node(self, state: QuestionState) -> QuestionState:
        """Have the question answered from the document alone, and compare the answers."""
        candidate = state["current_candidate"]
        if candidate is None:
            return {}
        mode = state.get("mode", "textual")
        document = self.document(state["document_path"])
        given = ValidateInput(
            document=document.id,
            title=document.path,
            line_count=document.line_count,
            question=candidate.open_question,
            **_context(state),
        )
        skill = VALIDATE_VISUAL if mode == "visual" else VALIDATE
        answer = await self.model.answer(skill, given, tools=document_tools(document, mode))
        if answer.output is None:
            return _reject(RejectionReason.VALIDATION_FAILED, "; ".join(map(str, answer.findings)))
        return {"rejection": judge_candidate(candidate, answer.output, self.similarity)}

    async def accept_node(self, state: QuestionState) -> QuestionState:
        """Move the candidate to the accepted questions."""
        candidate = state["current_candidate"]
        accepted, rejected = state.get("accepted_questions", []), state.get("rejected_questions", [])
        if candidate is None:
            return {}
        if not self.total.take():
            return {"current_candidate": None, "total_reached": True}
        pair = QAPair(
            question=candidate.question,
            answer=candidate.answer,
            source_document=state["document_path"],
            category=state.get("mode", "textual"),
            evidence=candidate.evidence,
            generation_metadata=GenerationMetadata(
                generator_model=self.policy.generator_model,
                validator_model=self.policy.validator_model,
                attempt_number=len(accepted) + len(rejected) + 1,
            ),
            kind=candidate.kind,
            choices=candidate.choices,
            difficulty=_difficulty(candidate, self.document(state["document_path"])),
            asks=candidate.asks,
            expected=candidate.expected,
        )
        emit_accepted(pair)
        return {
            "accepted_questions": [*accepted, pair],
            "current_candidate": None,
            "consecutive_failures": 0,
            "messages": [HumanMessage("Accepted.")],
        }

    async def reject_node(self, state: QuestionState) -> QuestionState:
        """Move the candidate to the rejected questions, with the reason."""
        candidate, rejection = state["current_candidate"], state["rejection"]
        if candidate is None or rejection is None:
            return {}
        rejected = RejectedQA(
            question=candidate.question,
            answer=candidate.answer,
            rejection_reason=rejection.reason,
            rejection_detail=rejection.detail,
            duplicate_of=rejection.duplicate_of,
            kind=candidate.kind,
            asks=candidate.asks,
        )
        emit_rejected(rejected, state["document_path"])
        return {
            "rejected_questions": [*state.get("rejected_questions", []), rejected],
            "current_candidate": None,
            "consecutive_failures": state.get("consecutive_failures", 0) + 1,
            "messages": [HumanMessage(f"Rejected ({rejection.reason.value}): {rejection.detail}")],
        }

    async def check_exit_node(self, state: QuestionState) -> QuestionState:
        """Stop when the run has enough questions, or too many candidates of the document failed in a row."""
        failures, limit = state.get("consecutive_failures", 0), self.policy.max_consecutive_failures
        if self.total.is_reached:
            return {"total_reached": True}
        if limit is not None and failures >= limit:
            return {"exhausted": f"{failures} questions in a row were rejected.", "limited": True}
        return {}

    def _no_proposal(self, state: QuestionState, failed: NoProposalError) -> QuestionState:
        """Count the failure; without a limit of failures, a generator that fails once would fail for ever."""
        change: QuestionState = {
            "consecutive_failures": state.get("consecutive_failures", 0) + 1,
            "findings": [*state.get("findings", []), *failed.findings],
        }
        if self.policy.max_consecutive_failures is None:
            change["exhausted"] = "The generator failed."
        return change

    async def _propose(self, state: QuestionState, document: Document, viewed: list[int]) -> Proposed:
        accepted = state.get("accepted_questions", [])
        evidence = [ref for pair in accepted for ref in pair.evidence]
        free = next_focus(document.line_count, evidence, state.get("consecutive_failures", 0))
        start, end = state.get("focus") or free
        given = GenerateInput(
            document=document.id,
            title=document.path,
            line_count=document.line_count,
            language=detect_language(document.text[:_LANGUAGE_SAMPLE]).code,
            asked=_asked_questions(state),
            focus_start=start,
            focus_end=end,
            **self._asked_for(state),
            **_context(state),
        )
        if state.get("mode") != "visual":
            return await propose_textual(self.model, document, given)
        if not document.visuals():
            raise DocumentExhaustedError("The document has no visual content.")
        before = tuple(state.get("previous_viewed_pages", ()))
        return await propose_visual(self.model, document, GenerateVisualInput(**dict(given), viewed=before), viewed)

    def _kinds(self, state: QuestionState) -> list[QuestionKind]:
        """The kinds that are left, the one to ask for next first."""
        if state.get("mode") == "visual":
            return ["open"]
        made = Counter(pair.kind for pair in state.get("accepted_questions", []))
        kinds = next_kinds(_options(state).mix or self.policy.mix, made, state.get("spent_kinds", ()))
        # A kind that fails again and again must not keep the others from their turn.
        turn = state.get("consecutive_failures", 0) // ATTEMPTS_OF_A_KIND % len(kinds) if kinds else 0
        return kinds[turn:] + kinds[:turn]

    def _without_kind(self, state: QuestionState, why: str) -> QuestionState:
        """Go on with the other kinds; the document is exhausted when none is left."""
        first, *others = self._kinds(state)
        if not others:
            return {"exhausted": why}
        return {"spent_kinds": [*state.get("spent_kinds", []), first]}

    def _asked_for(self, state: QuestionState) -> dict[str, Any]:
        """The kind of the next question, and what else was asked for."""
        kind = self._kinds(state)[0]
        made = sum(pair.kind == kind for pair in state.get("accepted_questions", []))
        wishes = _options(state).model_dump(exclude={"mix"})
        return {name: value for name, value in wishes.items() if value} | {
            "kind": kind,
            "truth": "false" if made % 2 else "true",
        }


def after_generate(state: QuestionState) -> Literal["dedupe_node", "check_exit_node"]:
    """Continue with the candidate, if there is one."""
    return "dedupe_node" if state.get("current_candidate") else "check_exit_node"


def after_dedupe(state: QuestionState) -> Literal["validate_node", "reject_node"]:
    """Spend the expensive validation on new questions only."""
    return "reject_node" if state.get("rejection") else "validate_node"


def after_validate(state: QuestionState) -> Literal["accept_node", "reject_node"]:
    """Accept what the validator could confirm."""
    return "reject_node" if state.get("rejection") else "accept_node"


def after_check(state: QuestionState) -> Literal["generate_node", "__end__"]:
    """Stop when there are enough questions, or the document is exhausted."""
    enough = len(state.get("accepted_questions", [])) >= state["target_count"] or state.get("total_reached")
    return "__end__" if enough or state.get("exhausted") else "generate_node"


def create_question_graph(
    model: Model,
    document: Callable[[str], Document],
    policy: GenerationPolicy,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    similarity: Similarity | None = None,
    total: QuestionTotal | None = None,
) -> CompiledStateGraph[QuestionState, None, QuestionState, QuestionState]:
    """The compiled question loop for one document."""
    steps = QuestionSteps(model, document, policy, similarity, total or QuestionTotal())
    graph = StateGraph(QuestionState)
    for node in ("generate", "dedupe", "validate", "accept", "reject", "check_exit"):
        graph.add_node(f"{node}_node", getattr(steps, f"{node}_node"))
    graph.add_edge(START, "generate_node")
    graph.add_conditional_edges("generate_node", after_generate)
    graph.add_conditional_edges("dedupe_node", after_dedupe)
    graph.add_conditional_edges("validate_node", after_validate)
    graph.add_edge("accept_node", "check_exit_node")
    graph.add_edge("reject_node", "check_exit_node")
    graph.add_conditional_edges("check_exit_node", after_check, ["generate_node", END])
    return graph.compile(checkpointer=checkpointer, name="questions")


def emit_accepted(pair: QAPair) -> None:
    """Emit an event for an accepted pair."""
    emit("accepted", pair=pair.model_dump(mode="json"))


def emit_rejected(rejected: RejectedQA, document: str) -> None:
    """Emit an event for a rejected candidate of a document."""
    emit("rejected", pair=rejected.model_dump(mode="json") | {"source_document": document})


def _asked_questions(state: QuestionState) -> tuple[str, ...]:
    accepted, rejected = state.get("accepted_questions", []), state.get("rejected_questions", [])
    return (*(pair.open_question for pair in accepted), *(pair.open_question for pair in rejected))


def _options(state: QuestionState) -> QuestionOptions:
    return state.get("options") or ANY


def _difficulty(candidate: CurrentCandidate, document: Document) -> Difficulty:
    quotes = [evidence.quote for evidence in candidate.evidence]
    counts = word_counts(document.text)
    return difficulty_of(candidate.kind, candidate.open_question, candidate.open_answer, quotes, counts)


def _reject(reason: RejectionReason, detail: str, duplicate_of: str | None = None) -> QuestionState:
    return {"rejection": Rejection(reason=reason, detail=detail, duplicate_of=duplicate_of)}


def _context(state: QuestionState) -> dict[str, str]:
    return dict(question_context(state.get("corpus_config"), state.get("scenario_name")))


def _read_whole(document: Callable[[str], Document], path: str) -> Document:
    """The document with all its pages read."""
    found = document(path)
    _ = found.line_count
    return found


def _with_viewed_pages(state: QuestionState, viewed: list[int]) -> QuestionState:
    """The viewed pages, with those of earlier attempts."""
    before = state.get("previous_viewed_pages", [])
    return {"previous_viewed_pages": list(dict.fromkeys([*before, *viewed]))} if viewed else {}
