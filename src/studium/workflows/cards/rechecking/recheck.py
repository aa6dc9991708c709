"""The review agent: judges the cards of a note as they stand in Anki, against what the note says now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from studium.core.domain.finding import Finding, Locator
from studium.core.domain.ports import Model
from studium.domain.card import SchemaValidationResult
from studium.workflows.cards.drafting import failures_in, judge, made_card
from studium.workflows.cards.rechecking.faults import FOR_A_PERSON, low_quality
from studium.workflows.cards.rechecking.readback import standing_card
from studium.workflows.cards.skills import QA, QAGiven
from studium.workflows.cards.state import CardPolicy, Draft, ExistingCard
from studium.workflows.cards.wanted import WantedCard


@dataclass(frozen=True)
class StandingCard:
    """A card as it stands in Anki, what the note asks for in its place, and what was found about it."""

    wanted: WantedCard
    existing: ExistingCard
    where: Locator
    findings: tuple[Finding, ...] = ()
    score: float | None = None

    @property
    def item(self) -> str:
        """What it is called in decisions."""
        return f"{self.where.path}#{self.wanted.card_id}"

    @property
    def needs_a_person(self) -> bool:
        """Whether something is wrong that no sync can mend."""
        return any(finding.code in FOR_A_PERSON for finding in self.findings)


class RecheckState(TypedDict):
    """The cards of one note."""

    cards: Sequence[StandingCard]


@dataclass(frozen=True)
class RecheckSteps:
    """The one node."""

    mind: Model
    policy: CardPolicy

    async def qa_check_card(self, state: RecheckState) -> dict[str, Any]:
        """Judge the cards, by the checks and by the mind."""
        drafts = [_draft(card) for card in state["cards"]]
        answer = await self.mind.answer(QA, QAGiven(cards=tuple(made_card(draft) for draft in drafts)))
        reports = {each.card_id: each.report for each in answer.output.cards} if answer.output else {}
        failures = failures_in(answer.findings, "The card could not be judged.")
        judged = [judge(draft, reports.get(draft.card_id), failures) for draft in drafts]
        return {"cards": [self._found(*pair) for pair in zip(state["cards"], judged, strict=True)]}

    def _found(self, card: StandingCard, draft: Draft) -> StandingCard:
        found = [*card.findings, *draft.findings]
        if draft.report and not draft.passes(self.policy):
            found.append(low_quality(draft.report, card.where))
        return replace(card, findings=tuple(found), score=draft.report.qa_score if draft.report else None)


def create_recheck_graph(
    mind: Model, policy: CardPolicy
) -> CompiledStateGraph[RecheckState, None, RecheckState, RecheckState]:
    """The compiled check for the cards of one note."""
    graph = StateGraph(RecheckState)
    graph.add_node("qa_check_card", RecheckSteps(mind, policy).qa_check_card)
    graph.add_edge(START, "qa_check_card")
    graph.add_edge("qa_check_card", END)
    return graph.compile(name="recheck")


def _draft(card: StandingCard) -> Draft:
    stands = standing_card(card.existing.anki, card.wanted)
    return Draft(card.wanted, card=stands, schema=SchemaValidationResult(valid=True), to_make=False)
