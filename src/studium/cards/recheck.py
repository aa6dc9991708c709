"""Rechecks the cards in Anki: which are outdated, broken, duplicated, often forgotten, or of low quality.

Nothing is changed in Anki, except cards that a person edited in the inbox.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypedDict, cast

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from studium.anki.note_types import NOTE_TYPES
from studium.anki.store import OUR_NOTES, AnkiStore
from studium.cards import card_faults
from studium.cards.card_faults import NEEDS_REVIEW, LinkCheck, content_fields, low_quality, read_back_card
from studium.cards.card_specs import CardSpec, list_card_specs
from studium.cards.models import SchemaValidationResult
from studium.cards.skills import QA, QAInput
from studium.cards.state import CardDraft, CardPolicy, CardState, ExistingCard
from studium.cards.steps import failures_in, judge_draft, made_card
from studium.cards.sync.apply import ApplyResult, ChangeApplier
from studium.cards.sync.changes import AnkiChange, load_published
from studium.cards.sync.engine import changes_in_plan
from studium.cards.sync.match import front_key
from studium.cards.sync.plan import SyncPlanner
from studium.cards.sync.scan import SyncContext, VaultScan
from studium.core.documents.vault import Vault
from studium.core.domain.decision import Action, Decision, Plan
from studium.core.domain.errors import BadInput
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.domain.ports import Model
from studium.core.domain.run import RunItem, RunSpec, reject_item


@dataclass(frozen=True)
class CardInAnki:
    """A card in Anki, the card that the note defines, and the findings about it."""

    spec: CardSpec
    existing: ExistingCard
    where: Locator
    findings: tuple[Finding, ...] = ()
    score: float | None = None

    @property
    def item(self) -> str:
        """Its name in decisions."""
        return f"{self.where.path}#{self.spec.card_id}"

    @property
    def needs_a_person(self) -> bool:
        """Whether something is wrong that a sync cannot fix."""
        return any(finding.code in NEEDS_REVIEW for finding in self.findings)


class RecheckState(TypedDict):
    """The state of the recheck graph: the cards of one note."""

    cards: Sequence[CardInAnki]


@dataclass(frozen=True)
class RecheckSteps:
    """The single node of the recheck graph."""

    model: Model
    policy: CardPolicy

    async def qa_check_card(self, state: RecheckState) -> RecheckState:
        """Judge the cards with the checks and the model."""
        drafts = [_draft(card) for card in state["cards"]]
        answer = await self.model.answer(QA, QAInput(cards=tuple(made_card(draft) for draft in drafts)))
        reports = {each.card_id: each.report for each in answer.output.cards} if answer.output else {}
        failures = failures_in(answer.findings, "The card could not be judged.")
        judged = [judge_draft(draft, reports.get(draft.card_id), failures) for draft in drafts]
        return {"cards": [self._found(*pair) for pair in zip(state["cards"], judged, strict=True)]}

    def _found(self, card: CardInAnki, draft: CardDraft) -> CardInAnki:
        found = [*card.findings, *draft.findings]
        if draft.report and not draft.passes(self.policy):
            found.append(low_quality(draft.report, card.where))
        return replace(card, findings=tuple(found), score=draft.report.qa_score if draft.report else None)


def create_recheck_graph(
    model: Model, policy: CardPolicy
) -> CompiledStateGraph[RecheckState, None, RecheckState, RecheckState]:
    """The compiled recheck graph for the cards of one note."""
    graph = StateGraph(RecheckState)
    graph.add_node("qa_check_card", RecheckSteps(model, policy).qa_check_card)
    graph.add_edge(START, "qa_check_card")
    graph.add_edge("qa_check_card", END)
    return graph.compile(name="recheck")


def _draft(card: CardInAnki) -> CardDraft:
    found = read_back_card(card.existing.anki, card.spec)
    return CardDraft(card.spec, card=found, schema=SchemaValidationResult(valid=True), to_make=False)


LEECH_QUERY = f"{OUR_NOTES} (tag:leech OR prop:lapses>={card_faults.LEECH_LAPSES})"


class CollectionState:
    """The cards a vault defines beside those a collection has; `scan` covers the whole vault, changed or not."""

    def __init__(self, sync: SyncContext, store: AnkiStore, scan: VaultScan) -> None:
        self._published = load_published(sync.database, sync.destination)
        planner = SyncPlanner(sync, scan, self._published)
        self._sync = sync
        states = [cast("CardState", item.start()) for item in planner.run_spec().items]
        self._specs = {spec.card_id: (state, spec) for state in states for spec in self._specs_of(state)}
        self._notes = {note.file.name: note for note in planner.notes}
        self._leeches = set(store.find(LEECH_QUERY))
        self._names = scan.names
        self._links = LinkCheck(Vault.of(scan.root, sync.vault_name), self._headings)

    def notes(self) -> dict[str, list[CardInAnki]]:
        """The cards in Anki, by the note that defines them."""
        found: dict[str, list[CardInAnki]] = {}
        firsts: dict[str, CardInAnki] = {}
        for state, spec in self._specs.values():
            if existing := state["existing"].get(spec.card_id):
                card = CardInAnki(spec, existing, _location(state, spec))
                first = firsts.setdefault(_question_key(card), card)
                of_note = found.setdefault(card.where.path, [])
                of_note.append(replace(card, findings=tuple(self._faults(card, first))))
        return found

    def missing(self) -> Iterator[tuple[str, Finding]]:
        """The cards that only the vault or only Anki has, each with a finding."""
        for card_id, card in self._published.items():
            if not card.about.retired and (finding := self._missing(card_id, card.about.path)):
                yield f"{card.about.path}#{card_id}", finding

    def _specs_of(self, state: CardState) -> list[CardSpec]:
        policy = self._sync.policy
        return list_card_specs(state["note"], state["existing"], policy.bilingual, per_section=policy.card_per_section)

    def _missing(self, card_id: str, path: str) -> Finding | None:
        if card_id not in self._specs:
            return self._without_source(path)
        state, spec = self._specs[card_id]
        return None if card_id in state["existing"] else card_faults.gone_from_anki(_location(state, spec))

    def _without_source(self, path: str) -> Finding | None:
        """The finding about a card that no note defines; None if its note is ignored, since then it is not known."""
        note = self._notes.get(path)
        if note and note.parsed is None and note.findings:
            return note.findings[0]
        return None if note is None and path in self._names else card_faults.source_gone(Locator(path=path))

    def _headings(self, name: str) -> list[str] | None:
        note = self._notes.get(name)
        return [section.heading for section in note.parsed.sections] if note and note.parsed else None

    def _faults(self, card: CardInAnki, first: CardInAnki) -> Iterator[Finding]:
        note, where = card.existing.anki, card.where
        yield from card_faults.source_changed(card.existing, card.spec, where)
        yield from card_faults.edited_in_anki(card.existing, where)
        yield from (card_faults.dead_link(message, where) for message in self._links.dead(note.fields))
        yield from card_faults.missing_media(note.fields, where)
        if note.id in self._leeches:
            yield card_faults.leech(where)
        if first is not card:
            yield card_faults.duplicate(first.spec.card_id, first.where, where)


def _location(state: CardState, spec: CardSpec) -> Locator:
    return Locator(path=state["note"].note_path, line=spec.line)


def _question_key(card: CardInAnki) -> str:
    """The key of a card's question; a card without a question has a key of its own."""
    fields = list(content_fields(card.existing.anki).values())
    return front_key(fields[0]) if fields and fields[0] else card.spec.card_id


@dataclass(frozen=True)
class Recheck:
    """One recheck of a vault's cards; with `to_review`, cards that need a person go to the inbox."""

    sync: SyncContext
    scan: VaultScan
    to_review: bool = False

    def run_spec(self) -> RunSpec:
        """The run that judges every card in Anki."""
        sync, collection = self.sync, CollectionState(self.sync, self._store, self.scan)
        return RunSpec(
            feature="cards",
            arguments={
                "vault": str(sync.root.resolve()),
                "to": sync.address,
                "sink": sync.destination,
                "recheck": True,
            },
            note=f"Recheck: {sync.vault_name}",
            graph=create_recheck_graph(sync.model, sync.policy),
            items=[RunItem(note, partial(dict, cards=cards)) for note, cards in collection.notes().items()],
            decide=self._decide,
            item_limits=sync.limits,
            already_decided=[(item, [reject_item(item, finding)]) for item, finding in collection.missing()],
            accept=_accept,
        )

    def apply(self, plan: Plan) -> ApplyResult:
        """Write the cards that a person edited in the inbox; a card that changed since is refused."""
        sync = self.sync
        applier = ChangeApplier(sync.database, self._store, plan.run, sync.destination, NOTE_TYPES)
        return applier.apply(changes_in_plan(plan.decisions))

    @property
    def _store(self) -> AnkiStore:
        if self.sync.store is None:
            raise BadInput("A package cannot be rechecked.", remedy="Use --to anki or --to FILE.anki2.")
        return self.sync.store

    def _decide(self, _item: RunItem, state: RecheckState) -> list[Decision]:
        return [
            _review_card(card) if self.to_review and card.needs_a_person else _report_card(card)
            for card in state["cards"]
        ]


def _report_card(card: CardInAnki) -> Decision:
    reasons = tuple(finding.message for finding in card.findings)
    return Decision(item=card.item, action=Action.SKIP, reasons=reasons, findings=card.findings, score=card.score)


def _review_card(card: CardInAnki) -> Decision:
    """The review of a card: a person leaves it as it is, or edits its HTML."""
    note = card.existing.anki
    fields = content_fields(note)
    change = AnkiChange(
        card_id=card.spec.card_id,
        kind="update",
        note=card.where.path,
        line=card.spec.line,
        note_type=note.note_type,
        anki_id=note.id,
        expected=fields,
    )
    known = {
        "action": Action.MANUAL_REVIEW,
        "proposal": {"fields": fields},
        "proposal_schema": _schema(list(fields)),
        "change": change.to_json(),
    }
    return _report_card(card).model_copy(update=known)


def _accept(decision: Decision, proposal: dict[str, Any] | None) -> Decision:
    """The decision after a review: an approved card is left, an edited one is written as a person's edit."""
    change = AnkiChange.model_validate(decision.change)
    written = (proposal or {}).get("fields", {})
    fields = {name: text for name, text in written.items() if text != change.expected[name]}
    if not fields:
        return decision.model_copy(update={"action": Action.SKIP, "change": None})
    expected = {name: change.expected[name] for name in fields}
    change = change.model_copy(update={"fields": fields, "expected": expected})
    known = {"action": Action.UPDATE, "proposal": proposal, "change": change.to_json()}
    return decision.model_copy(update=known)


def _schema(names: list[str]) -> dict[str, Any]:
    texts = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "additionalProperties": False,
    }
    return {"type": "object", "properties": {"fields": texts}, "required": ["fields"], "additionalProperties": False}


def worst_first(plan: Plan) -> list[Decision]:
    """The decisions with findings, the worst first."""
    faulty = [decision for decision in plan.decisions if decision.findings]
    return sorted(faulty, key=lambda each: (-_weight(each), each.score if each.score is not None else 1, each.item))


def _weight(decision: Decision) -> int:
    return sum(finding.severity is not Severity.INFO for finding in decision.findings)


def count_faults(plan: Plan) -> dict[str, int]:
    """How many cards have each fault."""
    return dict(Counter(finding.code for decision in plan.decisions for finding in decision.findings).most_common())
