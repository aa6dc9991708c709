"""The supervisor of the card pipeline: map, validate, judge, decide.

map_to_anki_fields → validate_anki_schema → qa_check_card → decide
↑______________ with feedback ____________|
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from studium.domain.card import CardDecision, SchemaValidationResult
from studium.domain.decision import Action
from studium.domain.document import Document
from studium.domain.ports import Mind
from studium.workflows.cards.checks import prove, validate_anki_schema
from studium.workflows.cards.skills import MAP, QA, MapGiven, QAGiven
from studium.workflows.cards.state import CardPolicy, CardState

Step = dict[str, Any]


@dataclass(frozen=True)
class CardSteps:
    """The nodes; each takes from the state, asks, and returns the change."""

    mind: Mind
    document: Callable[[str], Document]
    policy: CardPolicy

    async def map_to_anki_fields(self, state: CardState) -> Step:
        """Make a card of the note, and prove that the note says what it rests on."""
        given = MapGiven(
            note=state["note"],
            max_front_chars=self.policy.max_front_chars,
            max_back_chars=self.policy.max_back_chars,
            feedback=tuple(state.get("feedback", ())),
        )
        answer = await self.mind.answer(MAP, given)
        mapped = answer.output
        evidence, unproved = prove(self.document(state["note"].note_path), mapped.quotes) if mapped else ([], [])
        return {
            "attempts": state.get("attempts", 0) + 1,
            "proposed_card": mapped.card if mapped else None,
            "evidence": evidence,
            "findings": [*answer.findings, *unproved],
            "qa_report": None,
        }

    async def validate_anki_schema(self, state: CardState) -> Step:
        """Check the card against its Anki model."""
        card = state["proposed_card"]
        if card is None:
            return {"schema_validation": SchemaValidationResult(valid=False, errors=("No card was made.",))}
        result = validate_anki_schema(card, self.policy)
        faults = [*result.errors, *(finding.message for finding in state["findings"])]
        return {"schema_validation": result, "feedback": faults}

    async def qa_check_card(self, state: CardState) -> Step:
        """Judge the card against the note."""
        card = state["proposed_card"]
        if card is None:
            return {}
        answer = await self.mind.answer(QA, QAGiven(note=state["note"], card=card))
        issues = answer.output.issues if answer.output else ()
        return {
            "qa_report": answer.output,
            "findings": [*state["findings"], *answer.findings],
            "feedback": [issue.message for issue in issues],
        }

    async def decide(self, state: CardState) -> Step:
        """Put together what should happen, and why."""
        good = self._sound(state) and self._passes(state)
        report = state.get("qa_report")
        messages = (
            []
            if good
            else [*state["schema_validation"].errors, *(i.message for i in (report.issues if report else ()))]
        )
        if not good and not messages and not state["findings"]:
            messages = ["The card could not be judged."]
        return {
            "decision": CardDecision(
                action=Action.CREATE if good else Action.MANUAL_REVIEW,
                proposed_card=state["proposed_card"],
                qa_report=report,
                schema_validation=state["schema_validation"],
                messages=tuple(messages),
            )
        }

    def after_validation(self, state: CardState) -> Literal["map_to_anki_fields", "qa_check_card", "decide"]:
        """Judge a sound card; try a faulty one again while tries are left."""
        if self._sound(state):
            return "qa_check_card"
        return "map_to_anki_fields" if state["proposed_card"] and self._may_retry(state) else "decide"

    def after_qa(self, state: CardState) -> Literal["map_to_anki_fields", "decide"]:
        """Decide on a good card; try a poor one again where that is allowed."""
        report = state.get("qa_report")
        if report is None or self._passes(state) or not self.policy.allow_auto_fix:
            return "decide"
        return "map_to_anki_fields" if self._may_retry(state) else "decide"

    def _sound(self, state: CardState) -> bool:
        return state["schema_validation"].valid and not state["findings"]

    def _passes(self, state: CardState) -> bool:
        report = state.get("qa_report")
        severe = report is None or any(issue.severity == "high" for issue in report.issues)
        return not severe and report is not None and report.qa_score >= self.policy.min_qa_score

    def _may_retry(self, state: CardState) -> bool:
        return state["attempts"] <= self.policy.max_mapping_retries


def create_card_graph(
    mind: Mind, document: Callable[[str], Document], policy: CardPolicy
) -> CompiledStateGraph[CardState, None, CardState, CardState]:
    """The compiled card pipeline for one note."""
    steps = CardSteps(mind, document, policy)
    graph = StateGraph(CardState)
    graph.add_node("map_to_anki_fields", steps.map_to_anki_fields)
    graph.add_node("validate_anki_schema", steps.validate_anki_schema)
    graph.add_node("qa_check_card", steps.qa_check_card)
    graph.add_node("decide", steps.decide)
    graph.add_edge(START, "map_to_anki_fields")
    graph.add_edge("map_to_anki_fields", "validate_anki_schema")
    graph.add_conditional_edges("validate_anki_schema", steps.after_validation)
    graph.add_conditional_edges("qa_check_card", steps.after_qa)
    graph.add_edge("decide", END)
    return graph.compile(name="cards")
