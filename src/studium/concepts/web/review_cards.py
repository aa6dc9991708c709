"""One card per proposed concept: text, quotes, relations and actions."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

from nicegui import html, ui

from studium.concepts.domain import RelationType
from studium.concepts.proposal import CandidateConcept, CandidateRelation, Proposal, ProposalChange, SplitPart
from studium.concepts.runs import ReviewRound
from studium.concepts.skills import QuoteView
from studium.concepts.web.graph_page import RELATION_LABELS
from studium.web.components.labels import chip, counted

_SHORT = 80
ApplyChange = Callable[[ProposalChange], Awaitable[None]]


def edit_dialog(concept: CandidateConcept, quotes: dict[str, QuoteView], make: ApplyChange) -> None:
    """Open a dialog to edit the texts and quotes of a concept."""

    async def done() -> None:
        change = ProposalChange(
            action="edit",
            concept=concept.key,
            title=title.value.strip(),
            text=text.value.strip(),
            analysis=analysis.value.strip(),
            quotes=tuple(carrying.value),
        )
        await make(change)
        dialog.close()

    with _dialog(f"Edit “{concept.title}”", "Save", done) as dialog:
        title = ui.input("Title", value=concept.title).props("outlined")
        text = ui.textarea("What it says", value=concept.concept).props("outlined autogrow")
        analysis = ui.textarea("Analysis", value=concept.analysis).props("outlined autogrow")
        carrying = _choice("Supporting quotes", _quote_options(quotes), [each.quote for each in concept.quotes])


def merge_dialog(concept: CandidateConcept, others: Sequence[CandidateConcept], make: ApplyChange) -> None:
    """Open a dialog to merge other concepts into this one."""

    async def done() -> None:
        await make(ProposalChange(action="merge", concept=concept.key, others=tuple(chosen.value)))
        dialog.close()

    with _dialog(f"Merge into “{concept.title}”", "Merge", done) as dialog:
        html.p("They become one concept with all their quotes; you can undo the merge later.").classes("s-muted")
        chosen = _choice("Concepts with the same meaning", _titles(others), [])


def split_dialog(concept: CandidateConcept, quotes: dict[str, QuoteView], make: ApplyChange) -> None:
    """Open a dialog to split a concept in two."""
    carrying = [each.quote for each in concept.quotes]

    async def done() -> None:
        gone = tuple(chosen.value)
        stays = tuple(key for key in carrying if key not in gone)
        parts = (
            SplitPart(title=first.value.strip(), concept=concept.concept, analysis=concept.analysis, quotes=stays),
            SplitPart(title=second.value.strip(), concept=says.value.strip(), quotes=gone),
        )
        await make(ProposalChange(action="split", concept=concept.key, parts=parts))
        dialog.close()

    with _dialog(f"Split “{concept.title}”", "Split", done) as dialog:
        first = ui.input("Title of the first", value=concept.title).props("outlined")
        second = ui.input("Title of the second").props("outlined")
        says = ui.textarea("What the second says").props("outlined autogrow")
        chosen = _choice("Quotes for the second", _quote_options({key: quotes[key] for key in carrying}), [])


def relate_dialog(concept: CandidateConcept, others: Sequence[CandidateConcept], make: ApplyChange) -> None:
    """Open a dialog to relate a concept to another."""

    async def done() -> None:
        change = ProposalChange(
            action="relate",
            concept=concept.key,
            target=target.value,
            type=kind.value,
            reasoning=why.value.strip(),
        )
        await make(change)
        dialog.close()

    with _dialog(f"Relate “{concept.title}”", "Relate", done) as dialog:
        kind = ui.select(RELATION_LABELS, label="It", value=RelationType.RELATES_TO)
        target = ui.select(_titles(others), label="This concept", value=others[0].key, with_input=True)
        for field in (kind, target):
            field.props("outlined options-dense")
        why = ui.input("Why").props("outlined")


@contextmanager
def _dialog(title: str, verb: str, done: Callable[[], Awaitable[None]]) -> Iterator[ui.dialog]:
    """A dialog with its fields made in the block, and two buttons below them; it stays if the change is refused."""
    with ui.context.client.content, ui.dialog(value=True) as dialog, ui.element("div").classes("s-card c-dialog"):
        dialog.props["aria-label"] = title
        html.h2(title)
        yield dialog
        with ui.element("div").classes("s-row"):
            ui.button(verb, on_click=done)
            ui.button("Cancel", on_click=dialog.close).props("flat")
    dialog.on("hide", dialog.delete)


def _choice(label: str, options: dict[str, str], chosen: list[str]) -> ui.select:
    return ui.select(options, label=label, value=chosen, multiple=True).props("outlined options-dense use-chips")


def _quote_options(quotes: dict[str, QuoteView]) -> dict[str, str]:
    return {key: _short(f"{key}: {quote.text}") for key, quote in quotes.items()}


def _titles(concepts: Sequence[CandidateConcept]) -> dict[str, str]:
    return {each.key: _short(f"{each.key}: {each.title}") for each in concepts}


def _short(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"


def show_candidates(proposal: Proposal, waiting: ReviewRound, make: ApplyChange) -> None:
    """Show every concept, then the rejected ones and the unused quotes."""
    cards = _Cards(proposal, waiting, make)
    for concept in proposal.live_concepts:
        cards.show(concept)
    rejected = [each for each in proposal.concepts if not each.is_live]
    if rejected:
        html.h2("Rejected")
        with ui.element("ul").classes("s-card s-list"):
            for each in rejected:
                cards.show_rejected(each)
    if proposal.unattributed:
        title = f"{counted(len(proposal.unattributed), 'unused quote')}"
        with ui.expansion(title, icon="format_quote").classes("s-card c-fold"):
            for key in proposal.unattributed:
                cards.quote(key)


class _Cards:
    """Shows the concepts of one proposal."""

    def __init__(self, proposal: Proposal, waiting: ReviewRound, make: ApplyChange) -> None:
        self.proposal, self.make = proposal, make
        self.quotes = {quote.key: quote for quote in waiting.quote_views}
        self.titles = {each.key: each.title for each in proposal.concepts}
        self.kept = {each.other: each.title for each in proposal.detections}

    def show(self, concept: CandidateConcept) -> None:
        with ui.element("article").classes("s-card c-proposed").props(f"id=item-{concept.key} tabindex=-1"):
            with ui.element("div").classes("c-idea"):
                self._idea(concept)
            with ui.element("div").classes("s-stack c-carrying"):
                html.h3(counted(len(concept.quotes), "quote"))
                for backing in concept.quotes:
                    self.quote(backing.quote)
            self._actions(concept)

    def _idea(self, concept: CandidateConcept) -> None:
        with ui.element("div").classes("s-row s-tight"):
            chip(concept.key)
            if concept.standing != "proposed":
                chip(concept.standing.value)
            if concept.same_as:
                chip(f"already exists: {self.kept.get(concept.same_as, 'an existing concept')}", "info").classes(
                    "c-wrap"
                )
            if concept.merged:
                chip(f"made of {len(concept.merged) + 1}", "accent")
        html.h2(concept.title)
        html.p(concept.concept).classes("c-says")
        if concept.analysis:
            html.p(concept.analysis).classes("s-muted c-says")
        links = [each for each in self.proposal.live_relations if concept.key in (each.source, each.target)]
        if links:
            with ui.element("ul").classes("c-links"):
                for link in links:
                    self._link(concept, link)

    def _link(self, concept: CandidateConcept, link: CandidateRelation) -> None:
        is_source = link.source == concept.key
        kind, other = (link.type, link.target) if is_source else (link.type.inverse, link.source)
        title = self.titles.get(other) or link.title or self.kept.get(other, other)
        with ui.element("li").classes("s-row s-tight"):
            html.span(RELATION_LABELS[kind]).classes("s-muted s-small")
            html.span(title).classes("s-grow").props["title"] = link.reasoning
            change = ProposalChange(action="unrelate", concept=link.source, target=link.target, type=link.type)
            away = ui.button(icon="close", on_click=lambda: self.make(change)).props("flat round dense size=sm")
            away.props["aria-label"] = f"Drop: {concept.title} {RELATION_LABELS[kind]} {title}"

    def _actions(self, concept: CandidateConcept) -> None:
        key, others = concept.key, [each for each in self.proposal.live_concepts if each.key != concept.key]
        with ui.element("div").classes("s-row s-tight c-actions"):
            if concept.standing == "proposed":
                self._button(
                    "Approve", "check", concept, lambda: self.make(ProposalChange(action="approve", concept=key))
                )
            self._button("Reject", "close", concept, lambda: self.make(ProposalChange(action="reject", concept=key)))
            self._button("Edit", "edit", concept, lambda: edit_dialog(concept, self.quotes, self.make))
            if others:
                self._button("Merge", "merge", concept, lambda: merge_dialog(concept, others, self.make))
                self._button("Relate", "link", concept, lambda: relate_dialog(concept, others, self.make))
            if len(concept.quotes) > 1:
                self._button("Split", "call_split", concept, lambda: split_dialog(concept, self.quotes, self.make))
            if concept.merged:
                change = ProposalChange(action="unmerge", concept=key)
                self._button("Unmerge", "alt_route", concept, lambda: self.make(change))

    def _button(self, name: str, icon: str, concept: CandidateConcept, does: Callable[[], object]) -> None:
        button = ui.button(name, icon=icon, on_click=does).props("flat dense")
        button.props["aria-label"] = f"{name}: {concept.title}"

    def show_rejected(self, concept: CandidateConcept) -> None:
        with ui.element("li").classes("s-row s-between").props(f"id=item-{concept.key} tabindex=-1"):
            html.span(concept.title).classes("s-grow")
            change = ProposalChange(action="restore", concept=concept.key)
            self._button("Restore", "undo", concept, lambda: self.make(change))

    def quote(self, key: str) -> None:
        quote = self.quotes.get(key)
        if quote is None:
            return
        with ui.element("figure").classes("s-evidence"):
            with ui.element("blockquote").props("tabindex=0"):
                html.span(quote.text)
            html.figcaption(" · ".join(part for part in (key, quote.section, quote.page) if part))
