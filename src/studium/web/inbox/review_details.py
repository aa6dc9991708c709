"""All that there is to know about one review, gathered before it is shown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from studium.core.domain.change import PublishedVersion
from studium.core.domain.decision import Review
from studium.core.domain.finding import Evidence
from studium.core.jobs.service import Service
from studium.core.runs.review_text import review_diff
from studium.core.text.html import HtmlToken, token_keys, tokenize_html
from studium.core.text.three_way_merge import diff_tokens
from studium.web.components.evidence import Piece, format_locator, lines_around, mark_quotes, source_text

_SCREENFUL = 40
"""Quotes that stand further apart than so many lines are shown apart."""


@dataclass(frozen=True)
class QuotedSource:
    """Some lines of a source (or a quote alone, where the source may not be read), and where they stand."""

    pieces: list[Piece]
    where: str


def sources_of(service: Service, evidence: Sequence[Evidence], vault: str) -> Iterator[QuotedSource]:
    """The sources of some evidence; quotes that stand close together share their lines."""
    texts: dict[str, str] = {}
    for group in _neighbours(evidence):
        first, last = group[0].where, group[-1].where
        if first.path not in texts:
            texts[first.path] = source_text(service, first.path, vault)
        text = _near(texts[first.path], first.line, last.end_line or last.line)
        quotes = [each.quote for each in group]
        where = format_locator(first.model_copy(update={"end_line": last.end_line or last.line}), vault)
        if pieces := mark_quotes(text, quotes):
            yield QuotedSource(pieces, where)
        else:
            yield from (QuotedSource([(quote, True)], where) for quote in quotes)


def _neighbours(evidence: Sequence[Evidence]) -> Iterator[list[Evidence]]:
    group: list[Evidence] = []
    for each in evidence:
        here = each.where
        is_near = group and here.path == group[0].where.path and here.line and group[0].where.line
        if is_near and 0 <= (here.line or 0) - (group[0].where.line or 0) < _SCREENFUL:
            group.append(each)
            continue
        if group:
            yield group
        group = [each]
    if group:
        yield group


def _near(text: str, first: int | None, last: int | None) -> str:
    """The lines around these; without a line, all of a text that is not longer than a screen."""
    if first is None or last is None:
        return text if len(text.splitlines()) <= _SCREENFUL else ""
    return "\n".join(lines_around(text, first, last).lines)


@dataclass(frozen=True)
class FieldVersions:
    """One field as it was last published (if it ever was), as it is in Anki, and as the note has it.

    What is not as on the side it is compared with is marked.
    """

    field: str
    published: list[Piece] | None
    anki: list[Piece]
    proposed: list[Piece]


def three_versions(order: dict[str, Any], base: PublishedVersion | None) -> list[FieldVersions]:
    """The fields that an order would overwrite; none, if it writes a new card."""
    here, wanted = order.get("expected", {}), order.get("fields", {})
    known = base.fields if base else {}
    return [_sides(field, known.get(field), here.get(field, ""), wanted[field]) for field in wanted]


def _sides(field: str, published: str | None, anki: str, proposed: str) -> FieldVersions:
    here, new = tokenize_html(anki), tokenize_html(proposed)
    if published is None:
        return FieldVersions(field, None, _marked(here, _changed(new, here)), _marked(new, _changed(here, new)))
    old = tokenize_html(published)
    lost = _changed(here, old) | _changed(new, old)
    return FieldVersions(
        field, _marked(old, lost), _marked(here, _changed(old, here)), _marked(new, _changed(old, new))
    )


def _changed(base: Sequence[HtmlToken], side: Sequence[HtmlToken]) -> set[int]:
    """The places of the tokens of a side that are not as in the base."""
    hunks = diff_tokens(token_keys(base), token_keys(side))
    return {place for hunk in hunks for place in range(hunk.left, hunk.right)}


def _marked(side: Sequence[HtmlToken], changed: set[int]) -> list[Piece]:
    pieces: list[Piece] = []
    for place, token in enumerate(side):
        is_changed = place in changed
        if pieces and pieces[-1][1] == is_changed:
            pieces[-1] = (pieces[-1][0] + token.text, is_changed)
        else:
            pieces.append((token.text, is_changed))
    return pieces


@dataclass(frozen=True)
class ReviewDetails:
    """One review: what it was made from, what changed, and what it would overwrite."""

    review: Review
    arguments: dict[str, Any]
    sources: list[QuotedSource]
    changes: list[str]
    sides: list[FieldVersions]


def load_review_details(service: Service, given: str) -> ReviewDetails:
    """Everything about a review; its sources are read where that is allowed."""
    database = service.database
    review = database.reviews.get(given)
    arguments = database.runs.get(review.run).arguments
    sources = sources_of(service, review.decision.evidence, str(arguments.get("vault", "")))
    change = review.decision.change or {}
    known = database.published.versions(str(arguments.get("sink", ""))) if change.get("kind") == "update" else {}
    sides = three_versions(change, known.get(str(change.get("card_id", ""))))
    return ReviewDetails(review, arguments, list(sources), review_diff(database, review), sides)
