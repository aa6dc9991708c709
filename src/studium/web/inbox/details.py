"""One review, in sections: why it waits, what is proposed, what it was made from, and what would change."""

from collections.abc import Sequence

from nicegui import html, ui

from studium.core.domain.decision import Review
from studium.web.inbox.look import Look
from studium.web.inbox.proposals import show_proposal
from studium.web.inbox.sides import FieldSides
from studium.web.inbox.sources import Source
from studium.web.parts.evidence import Piece, evidence, place, show_pieces
from studium.web.parts.figures import chip
from studium.web.parts.moments import ago

_SOURCES_AT_ONCE = 3
_LINES_OF_DIFF = 400


def show_question(look: Look) -> None:
    """What it is about, and why a person is asked."""
    _heading(look.review)
    _why(look.review, str(look.arguments.get("vault", "")))


def show_material(look: Look) -> None:
    """What is proposed, where it comes from, and what would change."""
    with _section("Proposed" if look.review.answer is None else "As you edited it"):
        show_proposal(look)
    if look.sides:
        with _section("Three sides of the card"):
            _sides(look.sides)
    if look.sources:
        with _section("Made from"):
            _made_from(look.sources)
    if look.changes:
        with _section("What you changed" if look.review.answer else "Since it was last proposed"):
            _diff(look.changes)


def _heading(review: Review) -> None:
    with ui.element("div").classes("s-row s-between"):
        html.h2(review.decision.item.partition("#")[0] or review.decision.item).classes("in-title").props("tabindex=-1")
        with ui.element("div").classes("s-row s-tight"):
            chip(review.faculty, "accent")
            chip(review.status.value)
    told = f"Asked {ago(review.opened_at)}"
    if review.answered_at:
        told = f"{review.status.value.capitalize()} {ago(review.answered_at)}"
    html.p(f"{told} · review {review.id}").classes("s-muted s-small")
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
                    html.span(place(finding.where, vault)).classes("s-muted s-small")


def _made_from(sources: Sequence[Source]) -> None:
    for source in sources[:_SOURCES_AT_ONCE]:
        evidence(source.pieces, where=source.where)
    if rest := sources[_SOURCES_AT_ONCE:]:
        with ui.expansion(f"{len(rest)} more").classes("in-more"), ui.element("div").classes("s-stack"):
            for source in rest:
                evidence(source.pieces, where=source.where)


def _sides(fields: Sequence[FieldSides]) -> None:
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
        for line in lines[:_LINES_OF_DIFF]:
            html.span(line).classes(kinds.get(line[:1], ""))


def _section(title: str) -> ui.element:
    section = ui.element("section").classes("in-section")
    with section:
        html.h3(title)
    return section
