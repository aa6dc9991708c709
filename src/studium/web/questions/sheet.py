"""A page as it looks, with a quote marked on it; it can be drawn near."""

from nicegui import html, ui

from studium.faculties.proofs import Page

_ZOOMS = (100, 150, 200, 300)
# The first mark comes into view, and only within its own frame.
_TO_THE_MARK = """(event) => {
  const mark = event.target.parentElement.querySelector(".qa-mark");
  const frame = event.target.closest(".qa-frame");
  if (mark) frame.scrollTo(mark.offsetLeft - 24, mark.offsetTop - frame.clientHeight / 3);
}"""


def sheet(address: str, page: Page, quote: str) -> None:
    """A page from this address, with its marks over it."""
    with ui.element("figure").classes("qa-sheet"):
        frame = ui.element("div").classes("qa-frame").props('tabindex=0 role=group aria-label="The page"')
        with frame, ui.element("div").classes("qa-paper") as paper:
            image = html.img(src=address, alt=f"Page {page.number} of {page.of}. Marked on it: {quote}")
            image.on("load", js_handler=_TO_THE_MARK)
            for mark in page.marks:
                edges = zip(("left", "top", "width", "height"), mark, strict=True)
                place = ";".join(f"{edge}:{100 * share:.3f}%" for edge, share in edges)
                ui.element("div").classes("qa-mark").style(place).props("aria-hidden=true")
        with ui.element("figcaption").classes("s-row s-between"):
            html.span(f"Page {page.number} of {page.of}")
            _zoom(paper)


def _zoom(paper: ui.element) -> None:
    at = 0

    def draw(step: int) -> None:
        nonlocal at
        at = min(max(at + step, 0), len(_ZOOMS) - 1)
        paper.style(f"width: {_ZOOMS[at]}%")
        said.set_text(f"{_ZOOMS[at]} %")

    with ui.element("div").classes("s-row s-tight"):
        ui.button(icon="zoom_out", on_click=lambda: draw(-1)).props('flat round dense aria-label="Smaller"')
        said = ui.label("100 %").props("aria-live=polite")
        ui.button(icon="zoom_in", on_click=lambda: draw(1)).props('flat round dense aria-label="Larger"')
