"""Prints quotes, proposals, concepts and the graph on the console."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from studium.cli.console import say, show_json, show_table
from studium.concepts.use_cases import outcome_json, published_json, quotes_json

if TYPE_CHECKING:
    from studium.concepts.audit import Audit, ItemRef
    from studium.concepts.notes.vault import PublishResult
    from studium.concepts.proposal import CandidateRelation
    from studium.concepts.quotes.reader import QuoteFile
    from studium.concepts.runs import ExtractionOutcome, ReviewRound
    from studium.concepts.use_cases import ConceptDetails, GraphStats, ParsedFile
    from studium.core.domain.decision import Review
    from studium.core.domain.finding import Finding

_SHORT = 90
_FIRST = 8


def print_quotes(reading: "QuoteFile", *, as_json: bool) -> None:
    """Print the quotes in a file."""
    if as_json:
        show_json(quotes_json(reading))
        return
    for book in reading.books:
        rows = ((quote.line, quote.section, quote.page_reference, _short(quote.text)) for quote in book.quotes)
        title = f"{book.title} — {book.author or 'author unknown'}"
        show_table(("#line", "section", "page", "quote"), rows, title=title)
    _print_findings(reading.findings)


def print_parsed(parsed: "ParsedFile", *, as_json: bool) -> None:
    """Print what was imported from a file."""
    if as_json:
        show_json(parsed.as_json())
        return
    rows = ((b.title, b.author or "unknown", b.quotes, b.added, b.edited, len(b.sections)) for b in parsed.books)
    show_table(("book", "author", "#quotes", "#new", "#edited", "#sections"), rows)
    _print_findings(parsed.findings)
    for book in parsed.books[:1]:
        say(f"\nNext:  studium concepts extract {book.title!r}", "dim")


def print_outcome(outcome: "ExtractionOutcome", *, as_json: bool) -> None:
    """Print the state of an extraction."""
    if as_json:
        show_json(outcome_json(outcome))
        return
    if outcome.waiting:
        print_round(outcome.waiting, as_json=False)
        return
    if outcome.kept:
        new, known = outcome.kept["create"], outcome.kept["update"]
        say(f"“{outcome.book.title}”: {new} new concepts saved, {known} existing concepts got more quotes.")
        say(f"To undo:  studium concepts undo {outcome.run}", "dim")
    _print_findings(outcome.findings)


def print_round(waiting: "ReviewRound", *, as_json: bool) -> None:
    """Print a whole proposal."""
    if as_json:
        show_json(waiting.payload)
        return
    proposal, quotes = waiting.proposal, waiting.quotes
    links: dict[str, list[CandidateRelation]] = {}
    for link in proposal.live_relations:
        links.setdefault(link.source, []).append(link)
    titles = {each.key: each.title for each in proposal.concepts}
    count = len(proposal.live_concepts)
    say(f"“{waiting.title}”, round {waiting.payload['round']}: {count} concepts are waiting for you.\n", "bold")
    for concept in proposal.live_concepts:
        same = f"  (same as the existing concept: {_kept_title(waiting, concept.same_as)})" if concept.same_as else ""
        say(f"{concept.key}  {concept.title}{same}", "bold")
        say(f"    {concept.concept}")
        for backing in concept.quotes:
            say(f"    {backing.quote}: “{_short(quotes.get(backing.quote, ''))}”", "dim")
        for link in links.get(concept.key, ()):
            why = f" ({link.reasoning})" if link.reasoning else ""
            say(f"    {link.type.value} {titles.get(link.target) or link.title or link.target}{why}")
    _print_remarks(waiting)


def _print_remarks(waiting: "ReviewRound") -> None:
    loose = waiting.proposal.unattributed
    if loose:
        say(f"\nQuotes without a concept: {', '.join(loose)}")
    for point in waiting.points:
        for remark in point.remarks:
            say(f"- {point.name.replace('_', ' ')}: {remark.message}", "yellow")
    for warning in waiting.payload["warnings"]:
        say(f"- {warning}", "yellow")
    title = waiting.title
    say(
        f"\nstudium concepts review {title!r} --approve saves this; --reject c2, --merge c1,c3, --edit and"
        ' --feedback "…" change it first.',
        "dim",
    )


def print_waiting(reviews: "Sequence[Review]", *, as_json: bool) -> None:
    """Print the books that wait for review."""
    if as_json:
        show_json([each.model_dump(mode="json") for each in reviews])
    elif not reviews:
        say("No proposal is waiting for you.")
    else:
        show_table(("book", "what"), ((each.decision.item, "; ".join(each.decision.reasons)) for each in reviews))


def print_hits(found: "Sequence[tuple[str, str, float]]", *, as_json: bool) -> None:
    """Print search results."""
    if as_json:
        show_json([{"title": title, "text": text, "similarity": score} for title, text, score in found])
    elif not found:
        say("No matches.")
    else:
        show_table(
            ("what", "text", "#similarity"), ((title, _short(text), f"{score:.2f}") for title, text, score in found)
        )


def print_concept(shown: "ConceptDetails", *, as_json: bool) -> None:
    """Print a concept with its relations and quotes."""
    concept = shown.concept
    if as_json:
        show_json(shown.as_json())
        return
    say(concept.title, "bold")
    say(concept.concept)
    if concept.analysis:
        say(f"\n{concept.analysis}")
    for relation, title in shown.relations:
        say(f"  {relation.type.value} {title}" + (f": {relation.reasoning}" if relation.reasoning else ""))
    for _, quote, book in shown.supports:
        place = ", ".join(part for part in (book.title, quote.section, quote.page_reference) if part)
        say(f"\n  “{quote.text}”\n  — {place}")
    say(f"\n{concept.uuid}", "dim")


def print_published(published: "PublishResult", folder: Path, *, as_json: bool) -> None:
    """Print which notes were written."""
    if as_json:
        show_json(published_json(published))
        return
    say(
        f"{len(published.written)} notes written to {folder}, {len(published.merged)} merged with your edits,"
        f" {published.unchanged} unchanged."
    )
    _print_findings(published.findings)


def print_stats(standing: "GraphStats", *, as_json: bool) -> None:
    """Print the graph's statistics."""
    if as_json:
        show_json(standing.as_json())
        return
    rows = (
        (book.title, author.name if author else book.author, count, book.processed_date or "not yet")
        for book, author, count in standing.books
    )
    show_table(("book", "author", "#quotes", "extracted"), rows)
    counts = standing.counts
    say(f"{counts['Concept']} concepts, {counts['RELATIONS']} relations, {counts['Quote']} quotes.")


def print_audit(found: "Audit") -> None:
    """Print the problems found by an audit."""
    told = (
        ("only one quote", found.one_quote),
        ("no quotes", found.no_quotes),
        ("no relations", found.alone),
        ("books without extraction", found.unextracted),
        ("without a vector", found.without_vector),
    )
    for what, named in told:
        _print_titles(what, named)
    for island in found.islands:
        _print_titles("isolated group", island)
    for pair in found.oppositions:
        say(f"opposed: {pair.one.title} ↔ {pair.other.title}")
    for near in found.near_duplicates:
        say(f"possible duplicates: {near.one.title} / {near.other.title} ({near.similarity:.2f})")
    for broken in found.one_sided:
        say(f"one-sided: {broken.source.title} {broken.type.value} {broken.target.title}")
    say(f"{len(found.unattributed)} quotes of extracted books support no concept.")


def _print_titles(what: str, named: "Sequence[ItemRef]") -> None:
    if named:
        more = f" and {len(named) - _FIRST} more" if len(named) > _FIRST else ""
        say(f"{what} ({len(named)}): {', '.join(each.title for each in named[:_FIRST])}{more}")


def _kept_title(waiting: "ReviewRound", uuid: str) -> str:
    return next((each.title for each in waiting.proposal.detections if each.other == uuid), uuid)


def _print_findings(findings: "Sequence[Finding]") -> None:
    for finding in findings:
        say(f"- {finding}", "yellow")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHORT else line[: _SHORT - 1] + "…"
