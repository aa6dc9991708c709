"""The graph on the page: the map and its list, and beside them the concept that is chosen."""

import asyncio

from nicegui import html, ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from studium.web.concepts.panel import show_concept
from studium.web.concepts.words import DRAWN
from studium.web.house import service

_FOUND = 20


class ConceptGraphView(Element, component="graph.js", esm={"studium-sky": "sky"}):
    """The map, with tools above it and a list beside it; what is made inside stands in the list's place."""

    def __init__(self, concept: str, book: str, depth: int) -> None:
        super().__init__()
        self.props["relations"] = {kind.value: said for kind, said in DRAWN.items()}
        self.props["start"] = {"chosen": concept, "book": book, "depth": depth if concept else 0}
        self.props["searching"] = False
        with self:
            self._panel = ui.element("section").classes("c-panel").props('aria-label="Concept" tabindex=-1')
        self.on("choose", self._chosen)
        self.on("search", self._search)

    async def show(self, concept: str) -> None:
        """Let a concept stand in the panel."""
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
        house = service().house
        found = await asyncio.to_thread(service().concepts.search, house.understanding, text, _FOUND)
        self._searching(going_on=True)
        self._panel.clear()
        with self._panel:
            ui.button("All concepts", icon="arrow_back", on_click=lambda: self._choose("")).props("flat dense")
            html.h2(f"Says something like “{text}”" if found else f"Nothing says anything like “{text}”")
            if not found:
                html.p("Try other words, or fewer.").classes("s-muted")
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
    chosen = (await asyncio.to_thread(service().concepts.concept, concept)).concept.uuid if concept else ""
    await ConceptGraphView(chosen, book, depth).show(chosen)
