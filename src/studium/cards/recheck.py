"""Rechecks the cards that stand in Anki: which are stale, broken, doubled, forgotten again and again, or poor.

Nothing is changed in Anki, but for what a person wrote in the inbox in place of a card that was put there.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from studium.anki.note_types import NOTE_TYPES
from studium.anki.search import OUR_NOTES
from studium.anki.store import AnkiStore
from studium.cards import card_faults
from studium.cards.card_faults import NEEDS_REVIEW, LinkCheck, content_fields, low_quality, read_back_card
from studium.cards.card_specs import CardSpec, list_card_specs
from studium.cards.models import SchemaValidationResult
from studium.cards.skills import QA, QAInput
from studium.cards.state import CardDraft, CardPolicy, ExistingCard
from studium.cards.steps import failures_in, judge_draft, made_card
from studium.cards.sync.apply import ApplyResult, ChangeApplier
from studium.cards.sync.changes import AnkiChange
from studium.cards.sync.engine import changes_in_plan
from studium.cards.sync.match import front_key
from studium.cards.sync.plan import SyncPlanner
from studium.cards.sync.scan import SyncContext, VaultScan
from studium.core.documents.vault import Vault
from studium.core.domain.change import PublishedVersion
from studium.core.domain.decision import Action, Decision, Plan
from studium.core.domain.errors import BadInput
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.domain.ports import Model
from studium.core.runs.run_spec import RunItem, RunSpec, reject_item


@dataclass(frozen=True)
class CardInAnki:
    """A card as it stands in Anki, what the note asks for in its place, and what was found about it."""

    wanted: CardSpec
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
        return any(finding.code in NEEDS_REVIEW for finding in self.findings)


class RecheckState(TypedDict):
    """The cards of one note."""

    cards: Sequence[CardInAnki]


@dataclass(frozen=True)
class RecheckSteps:
    """The one node."""

    model: Model
    policy: CardPolicy

    async def qa_check_card(self, state: RecheckState) -> dict[str, Any]:
        """Judge the cards, by the checks and by the mind."""
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
    """The compiled check for the cards of one note."""
    graph = StateGraph(RecheckState)
    graph.add_node("qa_check_card", RecheckSteps(model, policy).qa_check_card)
    graph.add_edge(START, "qa_check_card")
    graph.add_edge("qa_check_card", END)
    return graph.compile(name="recheck")


def _draft(card: CardInAnki) -> CardDraft:
    stands = read_back_card(card.existing.anki, card.wanted)
    return CardDraft(card.wanted, card=stands, schema=SchemaValidationResult(valid=True), to_make=False)


LEECH_QUERY = f"{OUR_NOTES} (tag:leech OR prop:lapses>={card_faults.LEECH_LAPSES})"


class CollectionState:
    """What a vault asks for beside what a collection has; `scan` is of the whole vault, every note to be looked at."""

    def __init__(self, sync: SyncContext, store: AnkiStore, scan: VaultScan) -> None:
        planning = SyncPlanner(sync, scan, sync.database.published.versions(sync.sink))
        self._sync = sync
        states = [item.start() for item in planning.job().items]
        self._wanted = {wanted.card_id: (state, wanted) for state in states for wanted in self._asked_for(state)}
        self._notes = {note.file.name: note for note in planning.notes}
        self._leeches = set(store.find(LEECH_QUERY))
        self._names = scan.names
        self._links = LinkCheck(Vault.of(scan.root, sync.vault_name), self._headings)

    def notes(self) -> dict[str, list[CardInAnki]]:
        """The cards that stand in Anki, by the note that asks for them."""
        found: dict[str, list[CardInAnki]] = {}
        firsts: dict[str, CardInAnki] = {}
        for state, wanted in self._wanted.values():
            if existing := state["existing"].get(wanted.card_id):
                card = CardInAnki(wanted, existing, _place(state, wanted))
                first = firsts.setdefault(_question_key(card), card)
                of_note = found.setdefault(card.where.path, [])
                of_note.append(replace(card, findings=tuple(self._faults(card, first))))
        return found

    def missing(self) -> Iterator[tuple[str, Finding]]:
        """The cards that only one side knows, each with what to say of it."""
        for card_id, base in self._sync.database.published.versions(self._sync.sink).items():
            if not base.about.get("retired") and (finding := self._missing(card_id, base)):
                yield f"{base.about.get('path', '')}#{card_id}", finding

    def _asked_for(self, state: dict[str, Any]) -> list[CardSpec]:
        policy = self._sync.policy
        return list_card_specs(state["note"], state["existing"], policy.bilingual, per_section=policy.card_per_section)

    def _missing(self, card_id: str, base: PublishedVersion) -> Finding | None:
        if card_id not in self._wanted:
            return self._not_asked_for(base.about.get("path", ""))
        state, wanted = self._wanted[card_id]
        return None if card_id in state["existing"] else card_faults.gone_from_anki(_place(state, wanted))

    def _not_asked_for(self, path: str) -> Finding | None:
        """What to say of a card that no note asks for; of a note that is ignored nobody knows, so nothing."""
        note = self._notes.get(path)
        if note and note.parsed is None and note.findings:
            return note.findings[0]
        return None if note is None and path in self._names else card_faults.source_gone(Locator(path=path))

    def _headings(self, name: str) -> list[str] | None:
        note = self._notes.get(name)
        return [section.heading for section in note.parsed.sections] if note and note.parsed else None

    def _faults(self, card: CardInAnki, first: CardInAnki) -> Iterator[Finding]:
        note, where = card.existing.anki, card.where
        yield from card_faults.source_changed(card.existing, card.wanted, where)
        yield from card_faults.edited_in_anki(card.existing, where)
        yield from (card_faults.dead_link(message, where) for message in self._links.dead(note.fields))
        yield from card_faults.missing_media(note.fields, where)
        if note.id in self._leeches:
            yield card_faults.leech(where)
        if first is not card:
            yield card_faults.duplicate(first.wanted.card_id, first.where, where)


def _place(state: dict[str, Any], wanted: CardSpec) -> Locator:
    return Locator(path=state["note"].note_path, line=wanted.line)


def _question_key(card: CardInAnki) -> str:
    """What a card asks, as a key; one that asks nothing is like no other."""
    fields = list(content_fields(card.existing.anki).values())
    return front_key(fields[0]) if fields and fields[0] else card.wanted.card_id


@dataclass(frozen=True)
class Recheck:
    """One recheck of a vault's cards; with `to_review`, what needs a person is put into the inbox."""

    sync: SyncContext
    scan: VaultScan
    to_review: bool = False

    def job(self) -> RunSpec:
        """The job that judges every card that stands in Anki."""
        sync, standing = self.sync, CollectionState(self.sync, self._store, self.scan)
        return RunSpec(
            feature="cards",
            arguments={"vault": str(sync.root.resolve()), "to": sync.to, "sink": sync.sink, "recheck": True},
            note=f"Recheck: {sync.vault_name}",
            graph=create_recheck_graph(sync.model, sync.policy),
            items=[RunItem(note, partial(dict, cards=cards)) for note, cards in standing.notes().items()],
            decide=self._decide,
            item_limits=sync.limits,
            already_decided=[(item, [reject_item(item, finding)]) for item, finding in standing.missing()],
            accept=_accept,
        )

    def apply(self, plan: Plan) -> ApplyResult:
        """Write what a person wrote in the inbox; a card that changed since is left alone and said."""
        sync = self.sync
        return ChangeApplier(sync.database, self._store, plan.run, sync.sink, NOTE_TYPES).carry_out(
            changes_in_plan(plan.decisions)
        )

    @property
    def _store(self) -> AnkiStore:
        if self.sync.store is None:
            raise BadInput("A package cannot be rechecked.", remedy="Write --to anki or --to FILE.anki2.")
        return self.sync.store

    def _decide(self, _item: RunItem, state: dict[str, Any]) -> list[Decision]:
        return [
            _review_card(card) if self.to_review and card.needs_a_person else _report_card(card)
            for card in state["cards"]
        ]


def _report_card(card: CardInAnki) -> Decision:
    reasons = tuple(finding.message for finding in card.findings)
    return Decision(item=card.item, action=Action.SKIP, reasons=reasons, findings=card.findings, score=card.score)


def _review_card(card: CardInAnki) -> Decision:
    """The card put before a person, to be left as it is or to be written anew in the HTML that Anki has."""
    note = card.existing.anki
    fields = content_fields(note)
    order = AnkiChange(
        card_id=card.wanted.card_id,
        kind="update",
        note=card.where.path,
        line=card.wanted.line,
        note_type=note.note_type,
        anki_id=note.id,
        expected=fields,
    )
    known = {
        "action": Action.MANUAL_REVIEW,
        "proposal": {"fields": fields},
        "proposal_schema": _schema(list(fields)),
        "order": order.stored(),
    }
    return _report_card(card).model_copy(update=known)


def _accept(decision: Decision, proposal: dict[str, Any] | None) -> Decision:
    """Leave a card that was approved; write what a person wrote. The base stays, so that this is the person's edit."""
    order = AnkiChange.model_validate(decision.order)
    written = (proposal or {}).get("fields", {})
    fields = {name: text for name, text in written.items() if text != order.expected[name]}
    if not fields:
        return decision.model_copy(update={"action": Action.SKIP, "order": None})
    expected = {name: order.expected[name] for name in fields}
    order = order.model_copy(update={"fields": fields, "expected": expected})
    known = {"action": Action.UPDATE, "proposal": proposal, "order": order.stored()}
    return decision.model_copy(update=known)


def _schema(names: list[str]) -> dict[str, Any]:
    texts = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "additionalProperties": False,
    }
    return {"type": "object", "properties": {"fields": texts}, "required": ["fields"], "additionalProperties": False}


def worst_first(plan: Plan) -> list[Decision]:
    """The cards of which something was found."""
    faulty = [decision for decision in plan.decisions if decision.findings]
    return sorted(faulty, key=lambda each: (-_weight(each), each.score if each.score is not None else 1, each.item))


def _weight(decision: Decision) -> int:
    return sum(finding.severity is not Severity.INFO for finding in decision.findings)


def count_faults(plan: Plan) -> dict[str, int]:
    """How often each fault was found."""
    return dict(Counter(finding.code for decision in plan.decisions for finding in decision.findings).most_common())
