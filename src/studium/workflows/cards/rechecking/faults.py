"""What can be wrong with a card that stands in Anki, each as a finding."""

from collections.abc import Iterator, Mapping

from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.text.html import same_html, visible_text
from studium.domain.anki import ID_FIELD
from studium.domain.card import QAReport
from studium.workflows.cards.comparing import wanted_key
from studium.workflows.cards.state import ExistingCard
from studium.workflows.cards.wanted import WantedCard

LEECH = 8
"""A card that was forgotten so often is a leech, as it is to Anki."""

FOR_A_PERSON = frozenset({"card.low_quality", "card.leech", "card.duplicate", "card.dead_link", "card.media_missing"})
"""What no sync can mend."""


def source_gone(where: Locator) -> Finding:
    """Of a card that nothing in the vault asks for any more."""
    return _fault("source_gone", "The note does not ask for this card any more; the next sync suspends it.", where)


def gone_from_anki(where: Locator) -> Finding:
    """Of a card that somebody deleted in Anki."""
    return _fault("gone_from_anki", "The card is not in Anki any more; the next sync makes it again.", where)


def source_changed(existing: ExistingCard, wanted: WantedCard, where: Locator) -> Iterator[Finding]:
    """Whether the note says something else than when the card was written."""
    if existing.content_key and existing.content_key != wanted_key(wanted):
        yield _fault(
            "source_changed", "The note changed since the card was written; the next sync compares them.", where
        )


def edited_in_anki(existing: ExistingCard, where: Locator) -> Iterator[Finding]:
    """Which fields a person edited in Anki."""
    fields, base = existing.anki.fields, existing.base or {}
    edited = [name for name, text in base.items() if name in fields and name != ID_FIELD]
    edited = [name for name in edited if not same_html(base[name], fields[name])]
    if edited:
        message = f"Edited in Anki: {', '.join(edited)}. The edit is kept."
        yield Finding(code="card.edited_in_anki", severity=Severity.INFO, message=message, where=where)


def leech(where: Locator) -> Finding:
    """Of a card that does not stick."""
    message = f"A leech: Anki tagged it so, or it was forgotten {LEECH} times or more. Split it, or ask more simply."
    return _fault("leech", message, where)


def duplicate(of: str, of_where: Locator, where: Locator) -> Finding:
    """Of a card that asks what another one asks."""
    return _fault("duplicate", f"It asks the same as card {of} ({of_where}). Keep one of them.", where)


def low_quality(report: QAReport, where: Locator) -> Finding:
    """Of a card that would not be written as it stands."""
    said = " ".join(issue.message for issue in report.issues)
    return _fault("low_quality", f"{said} Its score is {report.qa_score}.".strip(), where)


def missing_media(fields: Mapping[str, str], where: Locator) -> Iterator[Finding]:
    """Which pictures and sounds the card does without, because they were not in the vault."""
    for html in fields.values():
        for name in html.split('<span class="missing">')[1:]:
            shown = visible_text(name.partition("</span>")[0])
            yield _fault("media_missing", f"{shown} is missing. Put it into the vault, or correct the link.", where)


def dead_link(message: str, where: Locator) -> Finding:
    """Of a card with a link that leads nowhere."""
    return _fault("dead_link", message, where)


def _fault(code: str, message: str, where: Locator) -> Finding:
    return Finding(code=f"card.{code}", severity=Severity.WARNING, message=message, where=where)
