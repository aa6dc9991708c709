"""The concepts of a proposal, one card each: what it says, its quotes, its relations, and what can be done to it."""

from collections.abc import Awaitable, Callable

from nicegui import html, ui

from studium.running.concepts.reviewing import Round
from studium.web.concepts import asking
from studium.web.concepts.words import SAID
from studium.web.parts.figures import chip, counted
from studium.workflows.concepts.changes import Change
from studium.workflows.concepts.proposal import Candidate, Link, Proposal

Make = Callable[[Change], Awaitable[None]]


def show_items(proposal: Proposal, waiting: Round, make: Make) -> None:
    """Every concept, then what was rejected and the quotes that carry nothing."""
    cards = _Cards(proposal, waiting, make)
    for concept in proposal.living:
        cards.show(concept)
    rejected = [each for each in proposal.concepts if not each.lives]
    if rejected:
        html.h2("Rejected")
        with ui.element("ul").classes("s-card s-list"):
            for each in rejected:
                cards.show_rejected(each)
    if proposal.unattributed:
        title = f"{counted(len(proposal.unattributed), 'quote')} that carry nothing"
        with ui.expansion(title, icon="format_quote").classes("s-card c-fold"):
            for key in proposal.unattributed:
                cards.quote(key)


class _Cards:
    """Shows the concepts of one proposal."""

    def __init__(self, proposal: Proposal, waiting: Round, make: Make) -> None:
        self.proposal, self.make = proposal, make
        self.quotes = {quote["key"]: quote for quote in waiting.payload["quotes"]}
        self.titles = {each.key: each.title for each in proposal.concepts}
        self.kept = {each.other: each.title for each in proposal.detections}

    def show(self, concept: Candidate) -> None:
        with ui.element("article").classes("s-card c-proposed").props(f"id=item-{concept.key} tabindex=-1"):
            with ui.element("div").classes("c-idea"):
                self._idea(concept)
            with ui.element("div").classes("s-stack c-carrying"):
                html.h3(counted(len(concept.quotes), "quote"))
                for backing in concept.quotes:
                    self.quote(backing.quote)
            self._actions(concept)

    def _idea(self, concept: Candidate) -> None:
        with ui.element("div").classes("s-row s-tight"):
            chip(concept.key)
            if concept.standing != "proposed":
                chip(concept.standing.value)
            if concept.same_as:
                chip(f"is known: {self.kept.get(concept.same_as, 'a kept concept')}", "info").classes("c-wrap")
            if concept.merged:
                chip(f"made of {len(concept.merged) + 1}", "accent")
        html.h2(concept.title)
        html.p(concept.concept).classes("c-says")
        if concept.analysis:
            html.p(concept.analysis).classes("s-muted c-says")
        links = [each for each in self.proposal.living_relations if concept.key in (each.source, each.target)]
        if links:
            with ui.element("ul").classes("c-links"):
                for link in links:
                    self._link(concept, link)

    def _link(self, concept: Candidate, link: Link) -> None:
        is_source = link.source == concept.key
        kind, other = (link.type, link.target) if is_source else (link.type.inverse, link.source)
        title = self.titles.get(other) or link.title or self.kept.get(other, other)
        with ui.element("li").classes("s-row s-tight"):
            html.span(SAID[kind]).classes("s-muted s-small")
            html.span(title).classes("s-grow").props["title"] = link.reasoning
            change = Change(action="unrelate", concept=link.source, target=link.target, type=link.type)
            away = ui.button(icon="close", on_click=lambda: self.make(change)).props("flat round dense size=sm")
            away.props["aria-label"] = f"Drop: {concept.title} {SAID[kind]} {title}"

    def _actions(self, concept: Candidate) -> None:
        key, others = concept.key, [each for each in self.proposal.living if each.key != concept.key]
        with ui.element("div").classes("s-row s-tight c-actions"):
            if concept.standing == "proposed":
                self._button("Approve", "check", concept, lambda: self.make(Change(action="approve", concept=key)))
            self._button("Reject", "close", concept, lambda: self.make(Change(action="reject", concept=key)))
            self._button("Edit", "edit", concept, lambda: asking.edit(concept, self.quotes, self.make))
            if others:
                self._button("Merge", "merge", concept, lambda: asking.merge(concept, others, self.make))
                self._button("Relate", "link", concept, lambda: asking.relate(concept, others, self.make))
            if len(concept.quotes) > 1:
                self._button("Split", "call_split", concept, lambda: asking.split(concept, self.quotes, self.make))
            if concept.merged:
                change = Change(action="unmerge", concept=key)
                self._button("Take apart", "alt_route", concept, lambda: self.make(change))

    def _button(self, name: str, icon: str, concept: Candidate, does: Callable[[], object]) -> None:
        button = ui.button(name, icon=icon, on_click=does).props("flat dense")
        button.props["aria-label"] = f"{name}: {concept.title}"

    def show_rejected(self, concept: Candidate) -> None:
        with ui.element("li").classes("s-row s-between").props(f"id=item-{concept.key} tabindex=-1"):
            html.span(concept.title).classes("s-grow")
            change = Change(action="restore", concept=concept.key)
            self._button("Restore", "undo", concept, lambda: self.make(change))

    def quote(self, key: str) -> None:
        quote = self.quotes.get(key)
        if quote is None:
            return
        with ui.element("figure").classes("s-evidence"):
            with ui.element("blockquote").props("tabindex=0"):
                html.span(quote["text"])
            html.figcaption(" · ".join(part for part in (key, quote["section"], quote["page"]) if part))
