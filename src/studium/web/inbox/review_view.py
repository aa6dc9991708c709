"""One review, in sections: why it waits, what is proposed, what it was made from, and what would change."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from typing import Any, TypedDict, cast

from nicegui import html, ui

from studium.anki.note_types import NOTE_TYPES
from studium.core.domain.decision import PublishedVersion, Review
from studium.core.domain.finding import Evidence
from studium.core.jobs.service import Service
from studium.core.reader_process import outside_server
from studium.core.runs.review_text import review_diff
from studium.core.text.formulas import strip_tags_in_formulas
from studium.core.text.html import HtmlToken, token_keys, tokenize_html
from studium.core.text.html_policy import sandboxed_document
from studium.core.text.three_way_merge import diff_tokens
from studium.web.components.evidence import (
    Piece,
    evidence,
    format_locator,
    lines_around,
    mark_quotes,
    sandboxed_html,
    show_pieces,
    source_text,
)
from studium.web.components.labels import ago, chip, counted

_SCREENFUL = 40
"""Quotes that are more lines apart than this are shown separately."""


@dataclass(frozen=True)
class QuotedSource:
    """Some lines of a source (or only the quote, if the source may not be read), and their location."""

    pieces: list[Piece]
    where: str


def sources_of(service: Service, evidence: Sequence[Evidence], vault: str) -> Iterator[QuotedSource]:
    """The sources of some evidence; quotes that are close together are shown together."""
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
    """One field as last published (if it ever was), as it is in Anki, and as proposed from the note.

    Differences are marked.
    """

    field: str
    published: list[Piece] | None
    anki: list[Piece]
    proposed: list[Piece]


class CardChange(TypedDict, total=False):
    """The change of a decision about a card, as far as this page needs it."""

    kind: str
    card_id: str
    expected: dict[str, str]
    """The fields as they were in Anki."""
    fields: dict[str, str]
    base: dict[str, dict[str, str]]
    """The card that the change starts from; its fields under `fields`."""


def three_versions(change: CardChange, base: PublishedVersion | None) -> list[FieldVersions]:
    """The fields that the change would overwrite; none if it writes a new card."""
    here, wanted = change.get("expected", {}), change.get("fields", {})
    known = base.fields if base else {}
    return [_field_versions(field, known.get(field), here.get(field, ""), wanted[field]) for field in wanted]


def _field_versions(field: str, published: str | None, anki: str, proposed: str) -> FieldVersions:
    here, new = tokenize_html(anki), tokenize_html(proposed)
    if published is None:
        return FieldVersions(
            field, None, _mark_changes(here, _changed(new, here)), _mark_changes(new, _changed(here, new))
        )
    old = tokenize_html(published)
    lost = _changed(here, old) | _changed(new, old)
    return FieldVersions(
        field,
        _mark_changes(old, lost),
        _mark_changes(here, _changed(old, here)),
        _mark_changes(new, _changed(old, new)),
    )


def _changed(base: Sequence[HtmlToken], side: Sequence[HtmlToken]) -> set[int]:
    """The places of the tokens of a side that are not as in the base."""
    hunks = diff_tokens(token_keys(base), token_keys(side))
    return {place for hunk in hunks for place in range(hunk.left, hunk.right)}


def _mark_changes(side: Sequence[HtmlToken], changed: set[int]) -> list[Piece]:
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
    vault: str
    """The vault that the run read; empty if it read none."""
    destination: str
    """Where the run published to; empty if nowhere."""
    sources: list[QuotedSource]
    changes: list[str]
    sides: list[FieldVersions]


def load_review_details(service: Service, given: str) -> ReviewDetails:
    """Load everything about a review; its sources are read if that is allowed."""
    database = service.database
    review = database.reviews.get(given)
    arguments = database.runs.get(review.run).arguments
    vault, destination = str(arguments.get("vault") or ""), str(arguments.get("to") or "")
    sources = sources_of(service, review.decision.evidence, vault)
    change = cast("CardChange", review.decision.change or {})
    known = database.published.versions(str(arguments.get("sink", ""))) if change.get("kind") == "update" else {}
    sides = three_versions(change, known.get(str(change.get("card_id", ""))))
    return ReviewDetails(review, vault, destination, list(sources), review_diff(database, review), sides)


_CLOZE = re.compile(r"\{\{c[\d,]+::((?:(?!::|\}\}).)*+)(?:::((?:(?!\}\}).)*+))?\}\}", re.DOTALL)
_IS_DARK = "document.documentElement.dataset.theme === 'dark'"
_CONCEPTS_SHOWN = 100


def show_proposal(details: ReviewDetails) -> None:
    """Show the proposal, or the user's edit of it."""
    material = details.review.answer or details.review.decision.proposal
    if not material:
        html.p("Nothing is proposed: the item stays as it is until you decide.").classes("s-muted")
    elif details.review.feature == "cards" and isinstance(material.get("fields"), dict):
        _card(
            material, cast("CardChange", details.review.decision.change or {}), edited=details.review.answer is not None
        )
    elif isinstance(material.get("concepts"), list):
        _concepts(material)
    else:
        _values(material)


def _card(card: Mapping[str, Any], change: CardChange, *, edited: bool) -> None:
    with ui.element("div").classes("s-row s-tight"):
        chip(str(card.get("deck_name", "")), "accent")
        for tag in card.get("tags", ()):
            chip(f"#{tag}")
    rendered = {} if edited else (change.get("base") or {}).get("fields", {}) | change.get("fields", {})
    fields = rendered or {name: escape(str(text)).replace("\n", "<br>") for name, text in card["fields"].items()}
    place = ui.element("div").classes("in-sides")

    async def fill() -> None:
        dark = False
        with suppress(TimeoutError):  # a busy browser gets the light theme
            dark = bool(await ui.run_javascript(_IS_DARK))
        documents = await asyncio.to_thread(_card_documents, fields, dark)
        with place:
            for name, document in documents.items():
                with ui.element("div").classes("in-side"):
                    html.h4(name)
                    sandboxed_html(document, title=f"{name} of the card", height="10rem")

    ui.timer(0, fill, once=True)


@outside_server(lambda _fields, _dark: "The card")
def _card_documents(fields: Mapping[str, str], dark: bool) -> dict[str, str]:
    """The sides of a card as documents for a sandbox."""
    sides = {"Front": _front(fields), "Back": _back(fields)}
    return {name: sandboxed_document(side, NOTE_TYPES[0].css, dark=dark) for name, side in sides.items()}


def _front(fields: Mapping[str, str]) -> str:
    text = _CLOZE.sub(lambda found: f"<b>[{found[2] or '…'}]</b>", fields.get("Text", ""))
    return str(fields.get("Front", strip_tags_in_formulas(text)))


def _back(fields: Mapping[str, str]) -> str:
    text = _CLOZE.sub(lambda found: f"<b>{found[1]}</b>", fields.get("Text", ""))
    more = f"<hr>{fields['Extra']}" if fields.get("Extra") else ""
    return str(fields.get("Back", strip_tags_in_formulas(text))) + more


def _concepts(document: Mapping[str, Any]) -> None:
    quotes: Mapping[str, str] = document.get("quotes", {})
    concepts = document["concepts"]
    titles = {str(each.get("key")): str(each.get("title")) for each in concepts} | document.get("kept", {})
    with ui.element("ol").classes("in-concepts").props("tabindex=0"):
        for concept in concepts[:_CONCEPTS_SHOWN]:
            with html.li():
                html.strong(str(concept.get("title", "")))
                html.p(str(concept.get("concept", "")))
                if concept.get("analysis"):
                    html.p(str(concept["analysis"])).classes("s-muted")
                for quote in concept.get("quotes", ()):
                    if quotes.get(quote, "") != concept.get("concept"):
                        html.blockquote(quotes.get(quote, str(quote)))
    if len(concepts) > _CONCEPTS_SHOWN:
        html.p(f"And {len(concepts) - _CONCEPTS_SHOWN} more.").classes("s-muted")
    if relations := document.get("relations"):
        _relations(relations, titles)


def _relations(relations: list[Any], titles: Mapping[str, str]) -> None:
    with ui.expansion(counted(len(relations), "relation")).classes("in-relations"), html.ul():
        for relation in relations:
            text, why = next(iter(relation.items())) if isinstance(relation, dict) else (str(relation), "")
            with html.li():
                html.span(" ".join(titles.get(word, word.replace("_", " ").lower()) for word in text.split()))
                if why:
                    html.span(f" {why}").classes("s-muted s-small")


def _values(material: Mapping[str, Any]) -> None:
    with ui.element("dl").classes("in-values"):
        for name, value in material.items():
            html.dt(name.replace("_", " "))
            with html.dd():
                if isinstance(value, dict):
                    _values(value)
                elif isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
                    for each in value:
                        _values(each)
                else:
                    html.span(_plain(value))


def _plain(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value in (None, "") else str(value)


_SOURCES_SHOWN = 3
_DIFF_LINES = 400


def show_question(details: ReviewDetails) -> None:
    """Show the item, and why it needs a decision."""
    _heading(details.review)
    _why(details.review, details.vault)


def show_material(details: ReviewDetails) -> None:
    """Show the proposal, its sources, and what would change."""
    with _section("Proposed" if details.review.answer is None else "As you edited it"):
        show_proposal(details)
    if details.sides:
        with _section("Three versions of the card"):
            _sides(details.sides)
    if details.sources:
        with _section("Made from"):
            _made_from(details.sources)
    if details.changes:
        with _section("What you changed" if details.review.answer else "Since it was last proposed"):
            _diff(details.changes)


def _heading(review: Review) -> None:
    with ui.element("div").classes("s-row s-between"):
        html.h2(review.decision.item.partition("#")[0] or review.decision.item).classes("in-title").props("tabindex=-1")
        with ui.element("div").classes("s-row s-tight"):
            chip(review.feature, "accent")
            chip(review.status.value)
    text = f"Asked {ago(review.opened_at)}"
    if review.answered_at:
        text = f"{review.status.value.capitalize()} {ago(review.answered_at)}"
    html.p(f"{text} · review {review.id}").classes("s-muted s-small")
    if review.comment:
        html.blockquote(review.comment).classes("in-comment")


def _why(review: Review, vault: str) -> None:
    decision = review.decision
    with _section("Why you are asked"), ui.element("ul").classes("in-why"):
        for reason in decision.reasons:
            html.li(reason)
        for finding in decision.findings:
            with ui.element("li").classes("s-row s-tight"):
                chip(finding.severity.value)
                html.span(finding.message)
                if finding.where:
                    html.span(format_locator(finding.where, vault)).classes("s-muted s-small")


def _made_from(sources: Sequence[QuotedSource]) -> None:
    for source in sources[:_SOURCES_SHOWN]:
        evidence(source.pieces, where=source.where)
    if rest := sources[_SOURCES_SHOWN:]:
        with ui.expansion(f"{len(rest)} more").classes("in-more"), ui.element("div").classes("s-stack"):
            for source in rest:
                evidence(source.pieces, where=source.where)


def _sides(fields: Sequence[FieldVersions]) -> None:
    html.p("Words that differ from what was last published are marked.").classes("s-muted s-small")
    for field in fields:
        html.h4(field.field)
        with ui.element("div").classes("in-sides"):
            if field.published is not None:
                _side("Last published", field.published, "old")
            _side("In Anki now", field.anki, "here")
            _side("From the note", field.proposed, "new")


def _side(name: str, pieces: Sequence[Piece], kind: str) -> None:
    with ui.element("div").classes(f"in-side in-{kind}"):
        html.h5(name)
        with html.p():
            show_pieces(pieces)


def _diff(lines: Sequence[str]) -> None:
    kinds = {"+": "in-added", "-": "in-removed", "@": "in-place"}
    with ui.element("div").classes("in-diff").props('tabindex=0 role=region aria-label="Changes"'):
        for line in lines[:_DIFF_LINES]:
            html.span(line).classes(kinds.get(line[:1], ""))


def _section(title: str) -> ui.element:
    section = ui.element("section").classes("in-section")
    with section:
        html.h3(title)
    return section
