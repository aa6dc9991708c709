"""The card graph: one run for each note, with all its cards.

map_to_anki_fields → validate_anki_schema → polish_card_style → qa_check_card → compare_cards → decide
↑___ with feedback, only what failed ___|_______________________________|
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from studium.anki.store import RenderedCard
from studium.cards.assemble import OUR_NOTE_TYPES, CardAssembler, validate_anki_schema
from studium.cards.card_specs import list_card_specs
from studium.cards.models import ProposedCard, SchemaValidationResult
from studium.cards.rules.skill_rules import apply_polish
from studium.cards.skills import MAP, POLISH, QA, MapInput, PolishInput, QAInput
from studium.cards.state import CardDraft, CardPolicy, CardState, DecidedCard, RenderCard
from studium.cards.steps import (
    CardMaker,
    compare_cards,
    decide_card,
    failures_in,
    find_stale_translations,
    judge_draft,
    made_card,
    needs_judging,
    request_fix,
    review_joined_card,
    unknown_card_finding,
    update_drafts,
    validate_draft,
)
from studium.core.domain.document import Document
from studium.core.domain.ports import Model, Similarity

AfterValidation = Literal["map_to_anki_fields", "polish_card_style", "qa_check_card", "compare_cards", "decide"]
AfterJudging = Literal["map_to_anki_fields", "compare_cards", "decide"]


@dataclass(frozen=True)
class CardSteps:
    """The nodes of the graph; each returns the update of the state, and some the next node."""

    model: Model
    document: Callable[[str], Document]
    policy: CardPolicy
    render: RenderCard
    note_types: Mapping[str, Sequence[str]]
    similarity: Similarity | None = None

    async def map_to_anki_fields(self, state: CardState) -> CardState:
        """Make the cards, or remake those that failed, and find their quotes in the note."""
        note = state["note"]
        drafts = state.get("drafts") or self._new_drafts(state)
        given = self._map_input(state, [draft for draft in drafts if draft.to_make])
        answer = await self.model.answer(MAP, given)
        mapped = {each.card_id: each for each in answer.output.cards} if answer.output else {}
        assembler, document = CardAssembler(note, self.policy, self.note_types), self.document(note.note_path)
        maker = CardMaker(mapped, failures_in(answer.findings, "No card was made."), assembler, document)
        unknown = mapped.keys() - {each.card_id for each in given.specs}
        return {
            "attempts": state.get("attempts", 0) + 1,
            "drafts": update_drafts(drafts, maker.make, where=lambda draft: draft.to_make),
            "findings": [
                *state.get("findings", ()),
                *(unknown_card_finding(each, note.note_path) for each in sorted(unknown)),
            ],
        }

    async def validate_anki_schema(self, state: CardState) -> Command[AfterValidation]:
        """Check each new card against its note type."""
        may_retry = self._may_retry(state)
        drafts = update_drafts(
            state["drafts"],
            lambda draft: validate_draft(draft, self._fits, may_retry=may_retry),
            where=lambda draft: draft.schema is None,
        )
        goto: AfterValidation = _after_judging(state)
        if any(draft.to_make for draft in drafts):
            goto = "map_to_anki_fields"
        elif any(needs_judging(draft) for draft in drafts):
            goto = "polish_card_style" if self.policy.polish else "qa_check_card"
        return Command(update={"drafts": drafts}, goto=goto)

    async def polish_card_style(self, state: CardState) -> CardState:
        """Polish the cards; a change that would break a rule is dropped."""
        given = PolishInput(
            cards=tuple(made_card(draft) for draft in state["drafts"] if needs_judging(draft)),
            max_front_chars=self.policy.max_front_chars,
            max_back_chars=self.policy.max_back_chars,
        )
        answer = await self.model.answer(POLISH, given)
        polished = {each.card_id: each.fields for each in answer.output.cards} if answer.output else {}
        drafts = update_drafts(
            state["drafts"],
            lambda draft: apply_polish(draft, polished[draft.card_id], self._fits),
            where=lambda draft: needs_judging(draft) and draft.card_id in polished,
        )
        return {"drafts": drafts, "findings": [*state.get("findings", ()), *answer.findings]}

    async def qa_check_card(self, state: CardState) -> Command[AfterJudging]:
        """Judge the cards against the note, with the checks and the model."""
        given = QAInput(cards=tuple(made_card(draft) for draft in state["drafts"] if needs_judging(draft)))
        answer = await self.model.answer(QA, given)
        reports = {each.card_id: each.report for each in answer.output.cards} if answer.output else {}
        failures = failures_in(answer.findings, "The card could not be judged.")
        may_fix = self.policy.allow_auto_fix and self._may_retry(state)

        def judged(draft: CardDraft) -> CardDraft:
            draft = judge_draft(draft, reports.get(draft.card_id), failures)
            return request_fix(draft, self.policy) if may_fix else draft

        drafts = update_drafts(state["drafts"], judged, where=needs_judging)
        again = any(draft.to_make for draft in drafts)
        return Command(update={"drafts": drafts}, goto="map_to_anki_fields" if again else _after_judging(state))

    async def compare_cards(self, state: CardState) -> CardState:
        """Compare each card that Anki has with what the note says now."""
        existing = state["existing"]
        stale = find_stale_translations([draft.spec for draft in state["drafts"]], existing)
        document = self.document(state["note"].note_path)

        def compared(draft: CardDraft) -> CardDraft:
            source, card = draft.spec.sources[0], made_card(draft).card
            written = "\n".join(line.text for line in document.lines(source.line, source.end_line))
            rendered = self._rendered(draft, state)
            comparison = compare_cards(existing[draft.card_id], card, rendered, written, self.similarity)
            return replace(draft, comparison=comparison, stale=stale.get(draft.card_id, ""))

        drafts = update_drafts(
            state["drafts"], compared, where=lambda draft: bool(draft.card) and draft.card_id in existing
        )
        return {"drafts": drafts}

    async def decide(self, state: CardState) -> CardState:
        """Render the new cards, and decide what happens to each card, and why."""
        existing = state.get("existing") or {}
        drafts = update_drafts(
            state["drafts"], lambda draft: replace(draft, rendered=self._rendered(draft, state)), where=self._is_new
        )
        cards: list[DecidedCard] = []
        for draft in drafts:
            cards.append(decide_card(draft, self.policy))
            others = (source.card_id for source in draft.spec.sources if source.card_id != draft.card_id)
            cards += [review_joined_card(draft, other) for other in others if other in existing]
        return {"cards": cards}

    def _new_drafts(self, state: CardState) -> list[CardDraft]:
        known = state.get("existing") or {}
        policy = self.policy
        specs = list_card_specs(state["note"], known, policy.bilingual, per_section=policy.card_per_section)
        return [CardDraft(each, feedback=tuple(state.get("feedback") or ())) for each in specs]

    def _map_input(self, state: CardState, drafts: Sequence[CardDraft]) -> MapInput:
        return MapInput(
            note_path=state["note"].note_path,
            frontmatter=state["note"].frontmatter,
            specs=tuple(draft.spec for draft in drafts),
            enforce_short_front=self.policy.enforce_short_front,
            max_front_chars=self.policy.max_front_chars,
            max_back_chars=self.policy.max_back_chars,
            feedback={draft.card_id: draft.feedback for draft in drafts if draft.feedback},
        )

    def _fits(self, card: ProposedCard) -> SchemaValidationResult:
        return validate_anki_schema(card, self.policy, self.note_types)

    def _rendered(self, draft: CardDraft, state: CardState) -> RenderedCard:
        heading = draft.spec.section or draft.spec.sources[0].heading
        return self.render(made_card(draft).card, state["note"].note_path, heading, draft.card_id)

    def _is_new(self, draft: CardDraft) -> bool:
        return draft.comparison is None and draft.is_sound and draft.passes(self.policy)

    def _may_retry(self, state: CardState) -> bool:
        return state["attempts"] <= self.policy.max_mapping_retries


def create_card_graph(
    model: Model,
    document: Callable[[str], Document],
    policy: CardPolicy,
    *,
    render: RenderCard,
    note_types: Mapping[str, Sequence[str]] = OUR_NOTE_TYPES,
    similarity: Similarity | None = None,
) -> CompiledStateGraph[CardState, None, CardState, CardState]:
    """Compile the card graph for one note."""
    steps = CardSteps(model, document, policy, render, note_types, similarity)
    graph = StateGraph(CardState)
    graph.add_node("map_to_anki_fields", steps.map_to_anki_fields)
    graph.add_node("validate_anki_schema", steps.validate_anki_schema)
    graph.add_node("polish_card_style", steps.polish_card_style)
    graph.add_node("qa_check_card", steps.qa_check_card)
    graph.add_node("compare_cards", steps.compare_cards)
    graph.add_node("decide", steps.decide)
    graph.add_edge(START, "map_to_anki_fields")
    graph.add_edge("map_to_anki_fields", "validate_anki_schema")
    graph.add_edge("polish_card_style", "qa_check_card")
    graph.add_edge("compare_cards", "decide")
    graph.add_edge("decide", END)
    return graph.compile(name="cards")


def _after_judging(state: CardState) -> Literal["compare_cards", "decide"]:
    """The node after judging: compare if Anki has cards of this note, else decide."""
    return "compare_cards" if state.get("existing") else "decide"
