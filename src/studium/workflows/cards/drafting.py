"""The steps of one card: made, validated, polished, judged. A card's own failure stays its own."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from studium.core.domain.document import Document
from studium.core.domain.errors import StudiumError
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.telemetry.redaction import redact
from studium.domain.card import ProposedCard, QAReport, SchemaValidationResult
from studium.workflows.cards.judging.answering import score
from studium.workflows.cards.judging.checks import check_card
from studium.workflows.cards.judging.proving import prove
from studium.workflows.cards.making.framing import Framing
from studium.workflows.cards.skills import MadeCard, MappedCard
from studium.workflows.cards.state import CardPolicy, Draft

log = logging.getLogger(__name__)


def for_each(
    drafts: Iterable[Draft], step: Callable[[Draft], Draft], where: Callable[[Draft], bool] = lambda _: True
) -> list[Draft]:
    """Take every card that qualifies a step further; one that fails on the way says so and keeps no other back."""
    return [_guarded(step, draft) if where(draft) else draft for draft in drafts]


@dataclass(frozen=True)
class Maker:
    """Makes the cards of one attempt from what was mapped; `failures` say why a card is missing."""

    mapped: Mapping[str, MappedCard]
    failures: Sequence[Finding]
    framing: Framing
    document: Document

    def make(self, draft: Draft) -> Draft:
        """The card that was mapped, with its proof; or why there is none."""
        blank = replace(draft, to_make=False, schema=None, report=None)
        mapped = self.mapped.get(draft.card_id)
        if mapped is None:
            return replace(blank, card=None, quotes=(), evidence=(), findings=tuple(self.failures))
        card = self.framing.card(mapped, draft.wanted)
        evidence, unproved = prove(self.document, mapped.quotes, draft.wanted.line)
        return replace(
            blank,
            card=card,
            quotes=mapped.quotes,
            evidence=tuple(evidence),
            findings=tuple(unproved),
            settled=card == draft.card and mapped.quotes == draft.quotes,
        )


def validate(draft: Draft, fits: Callable[[ProposedCard], SchemaValidationResult], *, may_retry: bool) -> Draft:
    """The card checked against its note type; what is wrong is said to whoever makes it anew."""
    schema = fits(draft.card) if draft.card else SchemaValidationResult(valid=False)
    draft = replace(draft, schema=schema)
    if draft.is_sound or draft.settled or draft.card is None or not may_retry:
        return draft
    faults = (*schema.errors, *(finding.message for finding in draft.findings))
    return replace(draft, feedback=faults, to_make=True)


def judge(draft: Draft, report: QAReport | None, failures: Sequence[Finding]) -> Draft:
    """The card with all that was found about it: by the checks, which nobody overrules, and by whoever judged it."""
    if report is None:
        return replace(draft, findings=(*draft.findings, *failures))
    found = check_card(made_card(draft), draft.quotes)
    issues = tuple(dict.fromkeys([*found, *report.issues]))
    messages = {issue.message for issue in issues}
    mended = tuple(said for said in draft.feedback if said not in messages) if not draft.settled else ()
    points = score(found, best=report.qa_score)
    return replace(draft, report=QAReport(qa_score=points, issues=issues, auto_fixed=(*report.auto_fixed, *mended)))


def mend(draft: Draft, policy: CardPolicy) -> Draft:
    """The card, to be made anew with what was said about it if it is not good enough."""
    if draft.report is None or draft.passes(policy) or draft.settled:
        return draft
    said = tuple(issue.message for issue in draft.report.issues)
    return replace(draft, feedback=said or (f"Its score is {draft.report.qa_score}.",), to_make=True)


def is_unjudged(draft: Draft) -> bool:
    """Whether the card is sound and nobody has judged it."""
    return draft.is_sound and draft.report is None


def made_card(draft: Draft) -> MadeCard:
    """The card beside what it was made of."""
    if draft.card is None:
        raise ValueError(f"{draft.card_id} has no card")
    return MadeCard(wanted=draft.wanted, card=draft.card)


def failures_in(findings: Iterable[Finding], otherwise: str) -> list[Finding]:
    """Why a mind gave nothing for a card: what it said, or that it said nothing."""
    said = [finding for finding in findings if finding.severity is Severity.ERROR]
    return said or [Finding(code="card.missing", severity=Severity.ERROR, message=otherwise)]


def unknown_card(card_id: str, path: str) -> Finding:
    """What to say of a card that nobody asked for."""
    message = f"A card was made for “{card_id}”, which the note does not ask for; it is left out."
    return Finding(code="card.unknown", severity=Severity.WARNING, message=message, where=Locator(path=path))


def _guarded(step: Callable[[Draft], Draft], draft: Draft) -> Draft:
    try:
        return step(draft)
    except StudiumError:
        raise
    except Exception as error:  # one card's fault must not take its siblings down; it is logged and goes to a person
        log.exception("card failed", extra={"card": draft.card_id})
        finding = Finding(
            code="card.failed",
            severity=Severity.ERROR,
            message=redact(f"{type(error).__name__}: {error}"),
            where=None,
        )
        return replace(draft, findings=(*draft.findings, finding), to_make=False, settled=True)
