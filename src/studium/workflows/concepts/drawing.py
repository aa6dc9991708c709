"""What a mind drafted becomes candidates: quotes that do not exist are dropped, and said."""

from collections.abc import Iterable, Mapping, Sequence

from studium.core.domain.finding import Finding, Severity
from studium.domain.concept import Quote
from studium.workflows.concepts.identity import concept_uuid
from studium.workflows.concepts.proposal import Backing, Candidate
from studium.workflows.concepts.skills import ConceptDrafted


def draw(
    drafts: Iterable[ConceptDrafted], quotes: Mapping[str, Quote], book: str
) -> tuple[list[Candidate], list[Finding]]:
    """The candidates of these drafts, and what was dropped on the way."""
    candidates: dict[str, Candidate] = {}
    findings: list[Finding] = []
    for draft in drafts:
        backings, unknown = _backings(draft, quotes)
        if unknown:
            findings.append(_unknown_quotes(draft.title, unknown))
        if not backings:
            findings.append(_without_quotes(draft.title))
            continue
        uuid = concept_uuid(book, draft.title, [quotes[each.quote].uuid for each in backings])
        # The same title over the same quotes is the same draft, given twice.
        candidates.setdefault(uuid, _candidate(f"c{len(candidates) + 1}", uuid, draft, backings))
    return list(candidates.values()), findings


def _candidate(key: str, uuid: str, draft: ConceptDrafted, backings: Sequence[Backing]) -> Candidate:
    return Candidate(
        key=key,
        uuid=uuid,
        title=" ".join(draft.title.split()),
        concept=draft.concept,
        analysis=draft.analysis,
        summary=draft.summary,
        summary_short=draft.summary_short,
        quotes=tuple(backings),
    )


def _backings(draft: ConceptDrafted, quotes: Mapping[str, Quote]) -> tuple[list[Backing], list[str]]:
    known: dict[str, Backing] = {}
    unknown = []
    for each in draft.quotes:
        key = each.quote.strip().lower()
        if key in quotes:
            known.setdefault(key, Backing(quote=key, reasoning=each.reasoning, confidence=each.confidence))
        else:
            unknown.append(each.quote)
    return list(known.values()), unknown


def _unknown_quotes(title: str, unknown: Sequence[str]) -> Finding:
    message = f"“{title}” was said to rest on {', '.join(unknown)}: there is no such quote. That was dropped."
    return Finding(code="concepts.unknown_quote", severity=Severity.WARNING, message=message)


def _without_quotes(title: str) -> Finding:
    message = f"“{title}” rests on no quote of this book. It was dropped."
    return Finding(code="concepts.no_quote", severity=Severity.WARNING, message=message)
