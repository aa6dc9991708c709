"""The graph page (map, list, selected concept) and the health check."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from urllib.parse import quote as url_quote

from nicegui import html, ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from studium.concepts.audit import Audit, ComparedConcept, ItemRef, QuoteRef
from studium.concepts.domain import Content, Quote, Relation, RelationType
from studium.concepts.graph_cache import graph_cache
from studium.concepts.setup import concept_embedder
from studium.concepts.use_cases import ConceptDetails
from studium.core.config import Settings
from studium.core.database import Database
from studium.web.components.evidence import evidence
from studium.web.components.labels import counted, stat
from studium.web.components.notices import empty_state
from studium.web.service import service

_LARGEST = 200_000


@dataclass(frozen=True)
class VaultNote:
    """A note in the vault, and the link that opens it in Obsidian."""

    link: str
    text: str


def find_note(settings: Settings, database: Database, concept: str) -> VaultNote | None:
    """The vault note of a concept, if it is still where it was written."""
    if settings.concepts.vault is None:
        return None
    folder = settings.concepts.vault.expanduser().absolute()
    about = database.published.details(f"concepts:{folder}").get(concept)
    file = folder / about["path"] if about else None
    if file is None or not file.is_file():
        return None
    return VaultNote(_link(file, folder), file.read_bytes()[:_LARGEST].decode("utf-8", errors="replace"))


def _link(file: Path, folder: Path) -> str:
    """The link to a file; the vault is the nearest parent folder with `.obsidian`."""
    vault = next((each for each in file.parents if (each / ".obsidian").is_dir()), folder)
    inside = file.relative_to(vault).with_suffix("").as_posix()
    return f"obsidian://open?vault={url_quote(vault.name, safe='')}&file={url_quote(inside, safe='')}"


RELATION_LABELS = {
    RelationType.GENERALIZES: "generalizes",
    RelationType.SPECIFIC_OF: "is a case of",
    RelationType.PART_OF: "is part of",
    RelationType.HAS_PART: "has as a part",
    RelationType.SUPPORTS: "supports",
    RelationType.SUPPORTED_BY: "is supported by",
    RelationType.OPPOSES: "opposes",
    RelationType.SIMILAR_TO: "is like",
    RelationType.RELATES_TO: "relates to",
}
"""Labels of all relation types, to be put between two titles."""

MAP_RELATION_LABELS = {
    kind: RELATION_LABELS[kind]
    for kind in RELATION_LABELS
    if kind not in (RelationType.SPECIFIC_OF, RelationType.HAS_PART, RelationType.SUPPORTED_BY)
}
"""The relations on the map, which shows each pair of directions once."""


Choose = Callable[[str], None]


async def show_concept(concept: str, choose: Choose) -> None:
    """Show a concept; clicking a related one selects it."""
    shown = await asyncio.to_thread(graph_cache(service().app).concept, concept)
    note = await asyncio.to_thread(find_note, service().settings, service().database, shown.concept.uuid)
    ui.button("All concepts", icon="arrow_back", on_click=lambda: choose("")).props("flat dense")
    html.h2(shown.concept.title)
    html.p(shown.concept.concept).classes("c-says")
    if shown.concept.analysis:
        html.p(shown.concept.analysis).classes("s-muted c-says")
    _relations(shown, choose)
    _quotes(shown)
    _note(note)


def _relations(shown: ConceptDetails, choose: Choose) -> None:
    html.h3("Relations")
    if not shown.relations:
        html.p("No related concepts.").classes("s-muted")
    order = list(RELATION_LABELS)
    by_kind = sorted(shown.relations, key=lambda each: (order.index(each[0].type), each[1]))
    for kind, group in groupby(by_kind, key=lambda each: each[0].type):
        with ui.element("div").classes("c-relation"):
            drawn = kind if kind in MAP_RELATION_LABELS else kind.inverse
            html.span(RELATION_LABELS[kind]).classes("c-kind").style(f"--line-colour: var(--relation-{drawn.lower()})")
            with ui.element("ul"):
                for relation, title in group:
                    _relation(relation, title, choose)


def _relation(relation: Relation, title: str, choose: Choose) -> None:
    with ui.element("li"):
        link = html.a(title, href=f"/concepts?concept={relation.target}")
        link.on("click.prevent", lambda: choose(relation.target))
        if relation.reasoning:
            html.span(relation.reasoning).classes("s-muted s-small c-why")


def _quotes(shown: ConceptDetails) -> None:
    html.h3("Quotes")
    for support, quote, book in shown.supports:
        quote_figure(quote, book)
        if support.reasoning:
            html.p(support.reasoning).classes("s-muted s-small")


def quote_figure(quote: Quote, book: Content) -> None:
    """Show a quote with its source and the reader's note."""
    where = " · ".join(part for part in (book.title, quote.section, quote.page_reference) if part)
    figure = evidence([(quote.text, False)], where=where)
    if quote.note:
        with figure:
            html.p(quote.note).classes("s-small")


def _note(note: VaultNote | None) -> None:
    if note is None:
        return
    html.h3("Note")
    html.a("Open in Obsidian", href=note.link).classes("s-button")
    with ui.expansion("Show the note").props("dense"):
        html.pre(note.text).classes("c-note-text").props("tabindex=0")


_FOUND = 20


class ConceptGraphView(Element, component="graph.js", esm={"studium-graph-canvas": "graph_canvas"}):
    """The map with tools above it and a list beside it; its children replace the list."""

    def __init__(self, concept: str, book: str, depth: int) -> None:
        super().__init__()
        self.props["relations"] = {kind.value: said for kind, said in MAP_RELATION_LABELS.items()}
        self.props["start"] = {"chosen": concept, "book": book, "depth": depth if concept else 0}
        self.props["searching"] = False
        with self:
            self._panel = ui.element("section").classes("c-panel").props('aria-label="Concept" tabindex=-1')
        self.on("choose", self._chosen)
        self.on("search", self._search)

    async def show(self, concept: str) -> None:
        """Show a concept in the panel."""
        self._searching(going_on=False)
        self._panel.clear()
        if concept:
            with self._panel:
                await show_concept(concept, self._choose)

    def _choose(self, concept: str) -> None:
        self.run_method("choose", concept)

    async def _chosen(self, event: GenericEventArguments) -> None:
        await self.show(str(event.args or ""))

    async def _search(self, event: GenericEventArguments) -> None:
        text = str(event.args)
        app = service().app
        found = await asyncio.to_thread(graph_cache(service().app).search, concept_embedder(app), text, _FOUND)
        self._searching(going_on=True)
        self._panel.clear()
        with self._panel:
            ui.button("All concepts", icon="arrow_back", on_click=lambda: self._choose("")).props("flat dense")
            html.h2(f"Concepts like “{text}”" if found else f"No concepts like “{text}”")
            if not found:
                html.p("Try other or fewer words.").classes("s-muted")
            with ui.element("ul").classes("c-found"):
                for each, _ in found:
                    with ui.element("li"):
                        link = html.a(each.title, href=f"/concepts?concept={each.uuid}")
                        link.on("click.prevent", lambda uuid=each.uuid: self._choose(uuid))
                        html.p(each.concept).classes("s-muted s-small")

    def _searching(self, *, going_on: bool) -> None:
        self.props["searching"] = going_on
        self.update()


async def show_graph(concept: str, book: str, depth: int) -> None:
    """The whole graph, with this concept chosen."""
    chosen = (await asyncio.to_thread(graph_cache(service().app).concept, concept)).concept.uuid if concept else ""
    await ConceptGraphView(chosen, book, depth).show(chosen)


_SHOWN = 50


async def show_audit() -> None:
    """Show the problems found by an audit."""
    found = await asyncio.to_thread(graph_cache(service().app).audit, concept_embedder(service().app))
    if found == Audit():
        empty_state(
            "No problems found",
            "No concept lacks quotes or relations, is contradicted, or is a duplicate.",
            icon="task_alt",
        )
        return
    with ui.element("div").classes("s-grid c-figures"):
        stat("only one quote", len(found.one_quote))
        stat("no relations", len(found.alone))
        stat("isolated groups", len(found.islands))
        stat("contradictions", len(found.oppositions))
        stat("possible duplicates", len(found.near_duplicates))
        stat("unused quotes", len(found.unattributed))
    _pairs("Contradictions", [(each.one, each.other, each.reasoning) for each in found.oppositions])
    alike = [(each.one, each.other, f"{each.similarity:.0%} similar") for each in found.near_duplicates]
    _pairs("Possible duplicates", alike)
    _named("No related concepts", found.alone)
    _islands(found.islands)
    _named("No quotes", found.no_quotes)
    _named("Only one quote", found.one_quote)
    _books(found.unextracted)
    _loose(found.unattributed)


def _pairs(title: str, pairs: Sequence[tuple[ComparedConcept, ComparedConcept, str]]) -> None:
    if pairs:
        html.h2(title)
    for one, other, why in pairs[:_SHOWN]:
        with ui.element("section").classes("s-card"):
            with ui.element("div").classes("s-columns"):
                _side(one)
                _side(other)
            if why:
                html.p(why).classes("s-muted s-small")
    _rest(len(pairs))


def _side(side: ComparedConcept) -> None:
    with ui.element("div").classes("s-stack c-side"):
        with html.h3():
            concept_link(side)
        html.p(side.concept)
        for quote in side.quotes[:2]:
            _quote(quote)


def _quote(quote: QuoteRef) -> None:
    with ui.element("figure").classes("s-evidence"):
        with ui.element("blockquote").props("tabindex=0"):
            html.span(quote.text)
        html.figcaption(quote.book.title)


def _named(title: str, concepts: Sequence[ItemRef]) -> None:
    if concepts:
        html.h2(title)
        with ui.element("ul").classes("s-card c-names"):
            for each in concepts[:_SHOWN]:
                with ui.element("li"):
                    concept_link(each)
        _rest(len(concepts))


def _islands(islands: Sequence[Sequence[ItemRef]]) -> None:
    if islands:
        html.h2("Isolated groups")
        for island in islands[:_SHOWN]:
            with ui.element("ul").classes("s-card c-names"):
                for each in island[:_SHOWN]:
                    with ui.element("li"):
                        concept_link(each)
        _rest(len(islands))


def _books(books: Sequence[ItemRef]) -> None:
    if books:
        html.h2("Books without extracted concepts")
        with ui.element("ul").classes("s-card c-names"):
            for book in books[:_SHOWN]:
                with ui.element("li"):
                    html.a(book.title, href="/concepts/books")


def _loose(quotes: Sequence[QuoteRef]) -> None:
    if quotes:
        html.h2("Unused quotes")
        for quote in quotes[:_SHOWN]:
            _quote(quote)
        _rest(len(quotes))


def _rest(many: int) -> None:
    if many > _SHOWN:
        html.p(f"And {counted(many - _SHOWN, 'more', 'more')}.").classes("s-muted")


def concept_link(concept: ItemRef | ComparedConcept) -> None:
    """Link to a concept."""
    html.a(concept.title, href=f"/concepts?concept={concept.uuid}")
