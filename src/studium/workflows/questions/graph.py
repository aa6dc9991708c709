"""The question loop: generate, dedupe, validate, accept or reject, until enough or exhausted.

generate_node → dedupe_node → validate_node → accept_node ─┐
↑              └────────────┴───────→ reject_node ──→ check_exit_node → END
└────────────────────────────────────────────────────────┘
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from studium.domain.document import Document
from studium.domain.ports import Mind
from studium.domain.question import GenerationMetadata, QAPair, RejectedQA, RejectionReason
from studium.readers.language import detect_language
from studium.workflows.questions.answers import gives_itself_away
from studium.workflows.questions.skills import (
    DEDUPE,
    GENERATE,
    VALIDATE,
    Candidate,
    DedupeGiven,
    Exhausted,
    GenerateGiven,
    ValidateGiven,
)
from studium.workflows.questions.state import CurrentCandidate, QuestionPolicy, QuestionState, Rejection
from studium.workflows.questions.toolkit import document_tools
from studium.workflows.questions.verdict import verdict

Step = dict[str, Any]


@dataclass(frozen=True)
class QuestionSteps:
    """The nodes; each takes from the state, asks, and returns the change."""

    mind: Mind
    document: Callable[[str], Document]
    policy: QuestionPolicy

    async def generate_node(self, state: QuestionState) -> Step:
        """Ask for one new question, and prove that the document says what its answer rests on."""
        document = self.document(state["document_path"])
        given = GenerateGiven(
            document=document.id,
            title=document.path,
            line_count=document.line_count,
            language=detect_language(document.text[:2000]).code,
            asked=_asked(state),
        )
        answer = await self.mind.answer(GENERATE, given, tools=document_tools(document))
        match answer.output:
            case Candidate() as made:
                return {"rejection": None} | self._candidate(document, made)
            case Exhausted(reason=reason):
                return {"exhausted": reason}
            case None:
                return {"exhausted": "The generator gave no answer.", "findings": list(answer.findings)}

    async def dedupe_node(self, state: QuestionState) -> Step:
        """Compare the question with those accepted."""
        candidate, accepted = state.get("current_candidate"), state.get("accepted_questions", [])
        if not candidate or not accepted or state.get("rejection"):
            return {}
        questions = tuple(pair.question for pair in accepted)
        answer = await self.mind.answer(DEDUPE, DedupeGiven(question=candidate.question, accepted=questions))
        if answer.output is None:
            return _refuse(RejectionReason.VALIDATION_FAILED, "; ".join(map(str, answer.findings)))
        if answer.output.duplicate_of is None:
            return {}
        return _refuse(RejectionReason.DUPLICATE, "It asks what was asked before.", answer.output.duplicate_of)

    async def validate_node(self, state: QuestionState) -> Step:
        """Have the question answered from the document alone, and compare."""
        candidate = state["current_candidate"]
        if candidate is None:
            return {}
        document = self.document(state["document_path"])
        given = ValidateGiven(
            document=document.id, title=document.path, line_count=document.line_count, question=candidate.question
        )
        answer = await self.mind.answer(VALIDATE, given, tools=document_tools(document))
        if answer.output is None:
            return _refuse(RejectionReason.VALIDATION_FAILED, "; ".join(map(str, answer.findings)))
        return {"rejection": verdict(candidate, answer.output)}

    async def accept_node(self, state: QuestionState) -> Step:
        """Move the candidate to the accepted ones."""
        candidate = state["current_candidate"]
        accepted, rejected = state.get("accepted_questions", []), state.get("rejected_questions", [])
        if candidate is None:
            return {}
        pair = QAPair(
            question=candidate.question,
            answer=candidate.answer,
            source_document=state["document_path"],
            content_refs=candidate.evidence,
            generation_metadata=GenerationMetadata(
                generator_model=self.policy.generator_model,
                validator_model=self.policy.validator_model,
                attempt_number=len(accepted) + len(rejected) + 1,
            ),
        )
        return {"accepted_questions": [*accepted, pair], "current_candidate": None, "consecutive_failures": 0}

    async def reject_node(self, state: QuestionState) -> Step:
        """Move the candidate to the rejected ones, with the reason."""
        candidate, rejection = state["current_candidate"], state["rejection"]
        if candidate is None or rejection is None:
            return {}
        refused = RejectedQA(
            question=candidate.question,
            answer=candidate.answer,
            rejection_reason=rejection.reason,
            rejection_detail=rejection.detail,
            duplicate_of=rejection.duplicate_of,
        )
        return {
            "rejected_questions": [*state.get("rejected_questions", []), refused],
            "current_candidate": None,
            "consecutive_failures": state.get("consecutive_failures", 0) + 1,
        }

    async def check_exit_node(self, state: QuestionState) -> Step:
        """Say that the document is exhausted when too many candidates failed in a row."""
        failures = state.get("consecutive_failures", 0)
        if failures >= self.policy.max_consecutive_failures:
            return {"exhausted": f"{failures} questions in a row were refused."}
        return {}

    def _candidate(self, document: Document, made: Candidate) -> Step:
        evidence = [found for quote in made.quotes if (found := document.locate(quote))]
        candidate = CurrentCandidate(question=made.question, answer=made.answer, evidence=tuple(evidence))
        if len(evidence) < len(made.quotes):
            missing = _refuse(RejectionReason.VALIDATION_FAILED, "A quote of the answer is not in the document.")
            return {"current_candidate": candidate} | missing
        if gives_itself_away(made.question, made.answer):
            leak = _refuse(RejectionReason.TRIVIAL, "The question gives the answer away.")
            return {"current_candidate": candidate} | leak
        return {"current_candidate": candidate}


def after_generate(state: QuestionState) -> Literal["dedupe_node", "check_exit_node"]:
    """Go on with the candidate, if there is one."""
    return "dedupe_node" if state.get("current_candidate") else "check_exit_node"


def after_dedupe(state: QuestionState) -> Literal["validate_node", "reject_node"]:
    """Spend the expensive validation on new questions only."""
    return "reject_node" if state.get("rejection") else "validate_node"


def after_validate(state: QuestionState) -> Literal["accept_node", "reject_node"]:
    """Accept what the validator could confirm."""
    return "reject_node" if state.get("rejection") else "accept_node"


def after_check(state: QuestionState) -> Literal["generate_node", "__end__"]:
    """Stop when there are enough, or when nothing more is to be had."""
    enough = len(state.get("accepted_questions", [])) >= state["target_count"]
    return "__end__" if enough or state.get("exhausted") else "generate_node"


def create_question_graph(
    mind: Mind,
    document: Callable[[str], Document],
    policy: QuestionPolicy,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> CompiledStateGraph[QuestionState, None, QuestionState, QuestionState]:
    """The compiled question loop for one document."""
    steps = QuestionSteps(mind, document, policy)
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


def _asked(state: QuestionState) -> tuple[str, ...]:
    accepted, rejected = state.get("accepted_questions", []), state.get("rejected_questions", [])
    return (*(pair.question for pair in accepted), *(pair.question for pair in rejected))


def _refuse(reason: RejectionReason, detail: str, duplicate_of: str | None = None) -> Step:
    return {"rejection": Rejection(reason=reason, detail=detail, duplicate_of=duplicate_of)}
