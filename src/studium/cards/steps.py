"""What the nodes of the card graph do to one card: make, validate, judge, compare and decide.

A card that fails does not affect the other cards of its note.
"""

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from studium.anki.clozes import find_clozes, renumber_clozes
from studium.anki.store import ID_FIELD, AnkiNote, RenderedCard
from studium.cards.assemble import CardAssembler
from studium.cards.card_specs import CardSpec
from studium.cards.merge import compare_fields, merge_card, merge_deck, merge_tags
from studium.cards.models import CardDecision, FieldChange, ProposedCard, QAReport, SchemaValidationResult
from studium.cards.rules.checks import check_card
from studium.cards.rules.skill_rules import qa_score
from studium.cards.skills import MadeCard, MappedCard
from studium.cards.state import CardComparison, CardDraft, CardPolicy, DecidedCard, ExistingCard
from studium.cards.sync.match import content_key
from studium.core.domain.decision import Action
from studium.core.domain.document import Document
from studium.core.domain.errors import StudiumError
from studium.core.domain.finding import Evidence, Finding, Locator, Severity
from studium.core.domain.ports import Similarity
from studium.core.redaction import redact

_EXCERPT = 120


def prove_quotes(
    document: Document, quotes: Iterable[str], line: int | None = None
) -> tuple[list[Evidence], list[Finding]]:
    """Find every quote in the note; a quote that is not found is a finding."""
    evidence, findings = [], []
    for quote in quotes:
        if found := document.locate(quote):
            evidence.append(found)
        else:
            message = f"The note does not say: “{quote[:_EXCERPT]}”"
            where = Locator(path=document.path, line=line)
            findings.append(Finding(code="evidence.missing", severity=Severity.ERROR, message=message, where=where))
    return evidence, findings


log = logging.getLogger(__name__)


def update_drafts(
    drafts: Iterable[CardDraft],
    step: Callable[[CardDraft], CardDraft],
    where: Callable[[CardDraft], bool] = lambda _: True,
) -> list[CardDraft]:
    """Apply a step to every draft that `where` selects; a step that fails becomes a finding of its card."""
    return [_guarded(step, draft) if where(draft) else draft for draft in drafts]


@dataclass(frozen=True)
class CardMaker:
    """Makes the cards of one attempt from the mapped fields; `failures` say why a card is missing."""

    mapped: Mapping[str, MappedCard]
    failures: Sequence[Finding]
    assembler: CardAssembler
    document: Document

    def make(self, draft: CardDraft) -> CardDraft:
        """The mapped card with its evidence, or the findings that say why there is none."""
        blank = replace(draft, to_make=False, schema=None, report=None)
        mapped = self.mapped.get(draft.card_id)
        if mapped is None:
            return replace(blank, card=None, quotes=(), evidence=(), findings=tuple(self.failures))
        card = self.assembler.card(mapped, draft.spec)
        evidence, unproved = prove_quotes(self.document, mapped.quotes, draft.spec.line)
        return replace(
            blank,
            card=card,
            quotes=mapped.quotes,
            evidence=tuple(evidence),
            findings=tuple(unproved),
            unchanged_by_retry=card == draft.card and mapped.quotes == draft.quotes,
        )


def validate_draft(
    draft: CardDraft, fits: Callable[[ProposedCard], SchemaValidationResult], *, may_retry: bool
) -> CardDraft:
    """Check the card against its note type; if it is to be remade, the errors become its feedback."""
    schema = fits(draft.card) if draft.card else SchemaValidationResult(valid=False)
    draft = replace(draft, schema=schema)
    if draft.is_sound or draft.unchanged_by_retry or draft.card is None or not may_retry:
        return draft
    faults = (*schema.errors, *(finding.message for finding in draft.findings))
    return replace(draft, feedback=faults, to_make=True)


def judge_draft(draft: CardDraft, report: QAReport | None, failures: Sequence[Finding]) -> CardDraft:
    """The card with the issues that the checks and the model found; the model cannot overrule the checks."""
    if report is None:
        return replace(draft, findings=(*draft.findings, *failures))
    found = check_card(made_card(draft), draft.quotes)
    issues = tuple(dict.fromkeys([*found, *report.issues]))
    messages = {issue.message for issue in issues}
    fixed = tuple(said for said in draft.feedback if said not in messages) if not draft.unchanged_by_retry else ()
    points = qa_score(found, best=report.qa_score)
    return replace(draft, report=QAReport(qa_score=points, issues=issues, auto_fixed=(*report.auto_fixed, *fixed)))


def request_fix(draft: CardDraft, policy: CardPolicy) -> CardDraft:
    """Mark the card to be remade, with its issues as feedback, if it is not good enough."""
    if draft.report is None or draft.passes(policy) or draft.unchanged_by_retry:
        return draft
    said = tuple(issue.message for issue in draft.report.issues)
    return replace(draft, feedback=said or (f"Its score is {draft.report.qa_score}.",), to_make=True)


def needs_judging(draft: CardDraft) -> bool:
    """Whether the card is sound and not judged yet."""
    return draft.is_sound and draft.report is None


def made_card(draft: CardDraft) -> MadeCard:
    """The card and its spec."""
    if draft.card is None:
        raise ValueError(f"{draft.card_id} has no card")
    return MadeCard(spec=draft.spec, card=draft.card)


def failures_in(findings: Iterable[Finding], otherwise: str) -> list[Finding]:
    """Why the model gave no answer for a card: its errors, or the given message."""
    said = [finding for finding in findings if finding.severity is Severity.ERROR]
    return said or [Finding(code="card.missing", severity=Severity.ERROR, message=otherwise)]


def unknown_card_finding(card_id: str, path: str) -> Finding:
    """The finding about a card that the note does not define."""
    message = f"A card was made for “{card_id}”, which the note does not define; it is left out."
    return Finding(code="card.unknown", severity=Severity.WARNING, message=message, where=Locator(path=path))


def _guarded(step: Callable[[CardDraft], CardDraft], draft: CardDraft) -> CardDraft:
    try:
        return step(draft)
    except StudiumError:
        raise
    except Exception as error:  # one card must not stop the others; the error is logged and the card goes to review
        log.exception("card failed", extra={"card": draft.card_id})
        finding = Finding(
            code="card.failed",
            severity=Severity.ERROR,
            message=redact(f"{type(error).__name__}: {error}"),
            where=None,
        )
        return replace(draft, findings=(*draft.findings, finding), to_make=False, unchanged_by_retry=True)


KEY_SEPARATOR = "+"


_WRITTEN_NUMBER = re.compile(r"\{\{c(\d+)::|(?<!\{)\{c?(\d{1,3})[:|]")


def compare_cards(
    existing: ExistingCard,
    proposed: ProposedCard,
    rendered: RenderedCard,
    written: str = "",
    similarity: Similarity | None = None,
) -> CardComparison:
    """Merge what the note says now with what Anki holds; a card of another note type is only compared.

    `written` is the source text in the note: cloze numbers in it are the learner's own and are kept. `similarity` tells
    a reworded field from one with another meaning.
    """
    anki = existing.anki
    if anki.note_type != rendered.note_type and not _is_adopted(anki, rendered):
        diff = compare_fields(anki.fields, rendered.fields, same_model=False)
        return CardComparison(diff, rendered, other_type=True)
    rendered = _keep_cloze_numbers(existing, rendered, written) if proposed.card_type == "Cloze" else rendered
    ours = [name for name in rendered.fields if name != ID_FIELD]
    merge = merge_card(existing.base, anki.fields, rendered.fields, ours=ours)
    tags = merge_tags(existing.base_tags, anki.tags, proposed.tags)
    decks = Counter(card.deck for card in anki.cards)
    disputed = {name: conflict.note for name, conflict in merge.conflicts.items()}
    return CardComparison(
        compare_fields(anki.fields, merge.writes | disputed, similarity=similarity),
        rendered,
        writes=merge.writes,
        conflicts=merge.conflicts,
        bases=merge.bases,
        kept=merge.kept,
        add_tags=tags.add,
        remove_tags=tags.remove,
        move_to=merge_deck(existing.base_deck, decks.most_common(1)[0][0], proposed.deck_name) if decks else None,
    )


def _is_adopted(anki: AnkiNote, rendered: RenderedCard) -> bool:
    """Whether another tool made the note, in a note type with the same first field: it keeps that type."""
    first = next(iter(anki.fields), "")
    return ID_FIELD not in anki.fields and first == next(iter(rendered.fields), "")


def spec_key(spec: CardSpec) -> str:
    """The content key of a card's sources, one part for each language; it changes when the note does."""
    return KEY_SEPARATOR.join(content_key(source) for source in spec.sources)


def find_stale_translations(specs: Sequence[CardSpec], existing: Mapping[str, ExistingCard]) -> dict[str, str]:
    """Messages about cards whose text did not change while the same question changed in another language."""
    changed = {
        each.card_id: _changed_languages(each, existing[each.card_id]) for each in specs if each.card_id in existing
    }
    stale = {}
    for each in specs:
        here = changed.get(each.card_id, {})
        there = [code for other in each.siblings for code, is_new in changed.get(other, {}).items() if is_new]
        new = [code for code, is_new in here.items() if is_new] + there
        old = [code for code, is_new in here.items() if not is_new]
        if new and old:
            changed_in, same_in = _language_names(new), _language_names(old)
            stale[each.card_id] = f"The text in {changed_in} changed, the text in {same_in} did not: is it still right?"
    return stale


def _language_names(codes: Sequence[str]) -> str:
    return ", ".join(code.upper() or "another language" for code in codes)


def _changed_languages(spec: CardSpec, existing: ExistingCard) -> dict[str, bool]:
    """For each language, whether the source changed since we last wrote; empty if that is not known."""
    before, now = (existing.content_key or "").split(KEY_SEPARATOR), spec_key(spec).split(KEY_SEPARATOR)
    if not existing.content_key or len(before) != len(now):
        return {}
    return {source.language or "": was != is_now for source, was, is_now in zip(spec.sources, before, now, strict=True)}


def _keep_cloze_numbers(existing: ExistingCard, rendered: RenderedCard, written: str) -> RenderedCard:
    """The card with the cloze numbers it had before, except numbers that the learner wrote."""
    name, text = next(iter(rendered.fields.items()))
    before = (existing.base or {}).get(name) or existing.anki.fields.get(name, "")
    explicit = {int(one or other) for one, other in _WRITTEN_NUMBER.findall(written)}
    fields = {**rendered.fields, name: renumber_clozes(before, text, explicit=explicit)}
    return rendered.model_copy(update={"fields": fields})


@dataclass(frozen=True)
class CardVerdict:
    """An action and the reasons for it."""

    action: Action
    reasons: tuple[str, ...] = ()


def decide_card(draft: CardDraft, policy: CardPolicy) -> DecidedCard:
    """Decide what happens to a card, and why."""
    verdict = _verdict(draft, policy)
    report, comparison, rendered = draft.report, draft.comparison, _rendered_card(draft)
    return DecidedCard(
        card_id=draft.spec.card_id,
        line=draft.spec.line,
        decision=CardDecision(
            action=verdict.action,
            proposed_card=draft.card,
            qa_report=report,
            schema_validation=draft.schema,
            diff=comparison.diff if comparison else None,
            messages=verdict.reasons,
        ),
        rendered=rendered,
        comparison=comparison,
        evidence=draft.evidence,
        findings=(*draft.findings, *(rendered.findings if rendered else ())),
        score=report.qa_score if report else None,
        content_key=spec_key(draft.spec),
        siblings=draft.spec.siblings,
    )


def review_joined_card(draft: CardDraft, card_id: str) -> DecidedCard:
    """Review a card whose question was joined into another card; it is not deleted, because it has a history."""
    reason = f"Its question is now on card {draft.spec.card_id}, in both languages; suspend or keep this one."
    decision = CardDecision(action=Action.MANUAL_REVIEW, proposed_card=draft.card, messages=(reason,))
    return DecidedCard(card_id, draft.spec.line, decision, evidence=draft.evidence)


def _rendered_card(draft: CardDraft) -> RenderedCard | None:
    return draft.comparison.rendered if draft.comparison else draft.rendered


def _verdict(draft: CardDraft, policy: CardPolicy) -> CardVerdict:
    comparison = draft.comparison
    if draft.stale:
        return CardVerdict(Action.MANUAL_REVIEW, (draft.stale,))
    if comparison and comparison.changes_nothing:
        kept = f"Kept your edit in Anki: {', '.join(comparison.kept)}." if comparison.kept else "Unchanged."
        return CardVerdict(Action.SKIP, (kept,))
    problems = tuple(dict.fromkeys(_problems(draft, policy)))
    if problems:
        return CardVerdict(Action.MANUAL_REVIEW, problems)
    if comparison is None:
        return CardVerdict(Action.CREATE)
    risks = tuple(_risks(comparison, policy))
    return (
        CardVerdict(Action.MANUAL_REVIEW, risks)
        if risks
        else CardVerdict(Action.UPDATE, (_describe_update(comparison),))
    )


def _problems(draft: CardDraft, policy: CardPolicy) -> Iterator[str]:
    """Why the card is not good enough to write."""
    rendered = _rendered_card(draft)
    found = (*draft.findings, *(rendered.findings if rendered else ()))
    yield from (finding.message for finding in found if finding.severity is Severity.ERROR)
    if draft.schema:
        yield from draft.schema.errors
    if draft.is_sound and not draft.passes(policy):
        yield from (issue.message for issue in (draft.report.issues if draft.report else ()))
        yield f"Its score is {draft.report.qa_score}." if draft.report else "The card could not be judged."


def _risks(comparison: CardComparison, policy: CardPolicy) -> Iterator[str]:
    """Why a person should check an update first."""
    if comparison.other_type:
        yield f"In Anki the card has another note type than `{comparison.rendered.note_type}`; change it there."
    for name, sides in comparison.conflicts.items():
        who = (
            "was changed in Anki and in the note"
            if sides.base is not None
            else "differs, and it is not known who changed it"
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
    """Whether all clozes stay and others are added, so that every card keeps its history."""
    before, after = ({(each.number, each.hidden) for each in find_clozes(text)} for text in (change.old, change.new))
    return bool(before) and before < after


def _describe_update(comparison: CardComparison) -> str:
    fields = ", ".join(comparison.writes)
    moved = "tags or deck" if comparison.moves else ""
    return f"Changed in the note: {', '.join(part for part in (fields, moved) if part)}."
