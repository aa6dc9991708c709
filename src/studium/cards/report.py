"""Compares the runs of cards with their targets, counted from the database."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import ge, gt, le, lt
from typing import NamedTuple

from studium.cards.assemble import OUR_NOTE_TYPES, validate_anki_schema
from studium.cards.models import ProposedCard
from studium.cards.state import CardPolicy
from studium.cards.sync.changes import AnkiChange, NoteSnapshot, note_of
from studium.core.database import Database
from studium.core.domain.decision import Change, ChangeStatus, Decision, Review, ReviewStatus
from studium.core.domain.errors import BadInput, NotFound
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.domain.run import Run
from studium.core.domain.value import Value
from studium.core.text.html import same_html, token_keys, tokenize_html


def find_lost_edits(
    changes: Sequence[Change], decisions: Sequence[Decision], reviews: Callable[[], Sequence[Review]]
) -> list[Finding]:
    """The changes of a run that overwrote a person's edit, except those that a person approved in a review."""
    found = [finding for change in changes for finding in _overwrites(change)]
    approved = _approved_by_person(decisions, reviews()) if found else set()
    return [finding for card_id, finding in found if card_id not in approved]


def loses_edit(base: str, person: str, written: str) -> bool:
    """Whether a person's edit is lost: added text is missing, or everything that was removed is back.

    >>> loses_edit("<p>Floods LSAs</p>", "<p>Floods LSAs <b>reliably</b></p>", "<p>Floods link-state updates</p>")
    True
    """
    if same_html(base, person) or same_html(person, written):
        return False
    before, there, after = (Counter(token_keys(tokenize_html(html))) for html in (base, person, written))
    typed, cut = there - before, before - there
    if typed - after:
        return True
    return not typed and all(after[key] >= before[key] for key in cut)


def _overwrites(change: Change) -> Iterator[tuple[str, Finding]]:
    if change.before is None or change.status is not ChangeStatus.APPLIED:
        return
    made, before = AnkiChange.model_validate(change.after), NoteSnapshot.model_validate(change.before)
    base = before.base.fields if before.base else {}
    for name, written in made.fields.items():
        if loses_edit(base.get(name, ""), before.fields.get(name, ""), written):
            message = f"`{name}` of card {made.card_id} was edited in Anki, and the edit was overwritten."
            where = Locator(path=made.note, line=made.line)
            severity = Severity.ERROR
            yield made.card_id, Finding(code="card.overwritten", severity=severity, message=message, where=where)


def _approved_by_person(decisions: Sequence[Decision], reviews: Sequence[Review]) -> set[str]:
    """The cards whose decision a person approved or edited."""
    answered = {
        review.decision.item: review.answer or review.decision.proposal
        for review in reviews
        if review.status in (ReviewStatus.APPROVED, ReviewStatus.EDITED)
    }
    return {
        decision.change["card_id"]
        for decision in decisions
        if decision.change and decision.item in answered and answered[decision.item] == decision.proposal
    }


FAILURE_CODES = frozenset({"item.failed", "card.failed"})
_EVERY = 100_000


class _Target(NamedTuple):
    said: str
    reached: Callable[[float, float], bool]
    bound: float


_TARGETS = {
    "schema_valid": _Target("≥ 95 %", ge, 0.95),
    "qa_score": _Target("> 0.85", gt, 0.85),
    "unintended_overwrites": _Target("0", le, 0),
    "exceptions": _Target("< 1 %", lt, 0.01),
    "seconds_per_card": _Target("< 10 s", lt, 10),
}


class Criterion(Value):
    """One figure and its target; `value` is None if there was nothing to count."""

    name: str
    value: float | None
    target: str
    met: bool | None
    counted: str


class CardsReport(Value):
    """The figures of some runs, and the edits that they overwrote."""

    runs: tuple[str, ...]
    criteria: tuple[Criterion, ...]
    overwrites: tuple[Finding, ...] = ()


@dataclass
class _Tally:
    """The counts so far."""

    cards: int = 0
    valid: int = 0
    scores: list[float] = field(default_factory=list)
    changes: int = 0
    overwrites: list[Finding] = field(default_factory=list)
    items: int = 0
    failed: int = 0
    seconds: float = 0.0


def runs_to_report(database: Database, given: str | None, *, every: bool = False) -> list[Run]:
    """The given run, the last run that made cards, or every such run."""
    if given:
        run = database.runs.get(given)
        if not _makes_cards(run):
            raise BadInput(f"Run {run.id} made no cards.", remedy="See `studium runs list`.")
        return [run]
    made = [run for run in database.runs.newest(limit=_EVERY) if _makes_cards(run)]
    if not made:
        raise NotFound("No cards were made yet.", remedy="Make some: studium cards sync VAULT")
    return made if every else made[:1]


def build_report(database: Database, runs: Sequence[Run], policy: CardPolicy) -> CardsReport:
    """Count what these runs reached; whether a card fits its note type is judged by today's limits."""
    tally = _Tally()
    for run in runs:
        _count(tally, database, run, policy)
    return CardsReport(
        runs=tuple(run.id for run in runs), criteria=_criteria(tally), overwrites=tuple(tally.overwrites)
    )


def _makes_cards(run: Run) -> bool:
    return run.feature == "cards" and "recheck" not in run.arguments


def _count(tally: _Tally, database: Database, run: Run, policy: CardPolicy) -> None:
    decisions, metrics = database.items.decisions(run.id), database.metrics.measure(run.id)
    cards = [decision for decision in decisions if decision.proposal is not None]
    tally.cards += len(cards)
    tally.valid += sum(_fits(decision, policy) for decision in cards)
    tally.scores += [decision.score for decision in decisions if decision.score is not None]
    tally.items += metrics.items
    tally.failed += len(
        {note_of(each) for each in decisions if FAILURE_CODES & {found.code for found in each.findings}}
    )
    tally.seconds += sum((each.mean_seconds or 0) * (each.spent.calls - each.spent.cached) for each in metrics.skills)
    changes = [change for _, change in database.changes.of_run(run.id)]
    tally.changes += len(changes)
    tally.overwrites += find_lost_edits(
        changes, decisions, lambda: database.reviews.select(None, "cards", limit=_EVERY)
    )


def _criteria(tally: _Tally) -> tuple[Criterion, ...]:
    cards, scores = f"{tally.cards} cards", tally.scores
    return (
        _criterion("schema_valid", _share(tally.valid, tally.cards), cards),
        _criterion("qa_score", _share(sum(scores), len(scores)), f"{len(scores)} judged cards"),
        _criterion("unintended_overwrites", float(len(tally.overwrites)), f"{tally.changes} changes"),
        _criterion("exceptions", _share(tally.failed, tally.items), f"{tally.items} notes"),
        _criterion("seconds_per_card", _share(tally.seconds, tally.cards), cards),
    )


def _criterion(name: str, value: float | None, counted: str) -> Criterion:
    target = _TARGETS[name]
    met = None if value is None else target.reached(value, target.bound)
    return Criterion(name=name, value=value, target=target.said, met=met, counted=counted)


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None


def _fits(decision: Decision, policy: CardPolicy) -> bool:
    card = ProposedCard.model_validate(decision.proposal)
    # A foreign note type was checked against Anki when the card was made; its fields are those the card has.
    known = {card.model_name: tuple(card.fields), **OUR_NOTE_TYPES}
    return validate_anki_schema(card, policy, known).valid
