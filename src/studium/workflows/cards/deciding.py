"""What should happen to a card, from all that was found out about it."""

from collections.abc import Iterator
from dataclasses import dataclass

from studium.core.domain.decision import Action
from studium.core.domain.finding import Severity
from studium.domain.anki import RenderedCard
from studium.domain.card import CardDecision, FieldChange
from studium.domain.clozes import deletions
from studium.workflows.cards.comparing import wanted_key
from studium.workflows.cards.state import CardPolicy, Comparison, DecidedCard, Draft


@dataclass(frozen=True)
class Verdict:
    """An action and its reasons."""

    action: Action
    reasons: tuple[str, ...] = ()


def decide_card(draft: Draft, policy: CardPolicy) -> DecidedCard:
    """Put together what should happen, and why."""
    verdict = _verdict(draft, policy)
    report, comparison, shown = draft.report, draft.comparison, _shown(draft)
    return DecidedCard(
        card_id=draft.wanted.card_id,
        line=draft.wanted.line,
        decision=CardDecision(
            action=verdict.action,
            proposed_card=draft.card,
            qa_report=report,
            schema_validation=draft.schema,
            diff=comparison.diff if comparison else None,
            messages=verdict.reasons,
        ),
        rendered=shown,
        comparison=comparison,
        evidence=draft.evidence,
        findings=(*draft.findings, *(shown.findings if shown else ())),
        score=report.qa_score if report else None,
        content_key=wanted_key(draft.wanted),
        siblings=draft.wanted.siblings,
    )


def joined_away(draft: Draft, card_id: str) -> DecidedCard:
    """The decision on a card whose language now stands on another card: a person's history is not ours to drop."""
    reason = f"Its question now stands on the card {draft.wanted.card_id}, in both languages; suspend or keep this one."
    decision = CardDecision(action=Action.MANUAL_REVIEW, proposed_card=draft.card, messages=(reason,))
    return DecidedCard(card_id, draft.wanted.line, decision, evidence=draft.evidence)


def _shown(draft: Draft) -> RenderedCard | None:
    return draft.comparison.rendered if draft.comparison else draft.rendered


def _verdict(draft: Draft, policy: CardPolicy) -> Verdict:
    comparison = draft.comparison
    if draft.stale:
        return Verdict(Action.MANUAL_REVIEW, (draft.stale,))
    if comparison and comparison.changes_nothing:
        kept = f"Kept your edit in Anki: {', '.join(comparison.kept)}." if comparison.kept else "Unchanged."
        return Verdict(Action.SKIP, (kept,))
    doubts = tuple(dict.fromkeys(_doubts(draft, policy)))
    if doubts:
        return Verdict(Action.MANUAL_REVIEW, doubts)
    if comparison is None:
        return Verdict(Action.CREATE)
    risks = tuple(_risks(comparison, policy))
    return Verdict(Action.MANUAL_REVIEW, risks) if risks else Verdict(Action.UPDATE, (_said(comparison),))


def _doubts(draft: Draft, policy: CardPolicy) -> Iterator[str]:
    """Why the card is not good enough to be written."""
    shown = _shown(draft)
    found = (*draft.findings, *(shown.findings if shown else ()))
    yield from (finding.message for finding in found if finding.severity is Severity.ERROR)
    if draft.schema:
        yield from draft.schema.errors
    if draft.is_sound and not draft.passes(policy):
        yield from (issue.message for issue in (draft.report.issues if draft.report else ()))
        yield f"Its score is {draft.report.qa_score}." if draft.report else "The card could not be judged."


def _risks(comparison: Comparison, policy: CardPolicy) -> Iterator[str]:
    """Why a person should look at an update first."""
    if comparison.other_type:
        yield f"In Anki the card has another note type than `{comparison.rendered.note_type}`; change it there."
    for name, sides in comparison.conflicts.items():
        who = (
            "was changed in Anki and in the note"
            if sides.base is not None
            else "differs, and who changed it is not known"
        )
        yield f"`{name}` {who}."
    changes = comparison.diff.changes
    if not policy.allow_content_updates and any(change.severity != "cosmetic" for change in changes):
        yield "The content changed, and `allow_content_updates` is off."
    first = next(iter(comparison.rendered.fields), "")
    for change in changes:
        if change.severity == "structural" and change.field == first and not _only_adds(change):
            yield f"`{change.field}` is nearly all new, or its clozes are: is it still the same card?"


def _only_adds(change: FieldChange) -> bool:
    """Whether all clozes stay and others join them, which leaves every card its history."""
    before, after = ({(each.number, each.hidden) for each in deletions(text)} for text in (change.old, change.new))
    return bool(before) and before < after


def _said(comparison: Comparison) -> str:
    fields = ", ".join(comparison.writes)
    moved = "tags or deck" if comparison.moves else ""
    return f"Changed in the note: {', '.join(part for part in (fields, moved) if part)}."
