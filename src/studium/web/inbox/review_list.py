"""The list of reviews: of any length, with only what is in sight in the browser."""

from collections.abc import Callable, Container, Sequence
from typing import Any

from nicegui import html, ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from studium.core.domain.decision import ReviewLine
from studium.web.components.labels import ago
from studium.web.inbox.live_reviews import ALL, STATUSES
from studium.web.inbox.session import InboxSession

_AT_FIRST = 30
_MOST = 120
"""No window onto the list is longer."""


class ReviewList(Element, component="review_list.js"):
    """A window onto the lines; the browser says which part of them is in sight."""

    def __init__(
        self, on_open: Callable[[str], Any], on_mark: Callable[[str], Any], on_back: Callable[[], Any]
    ) -> None:
        super().__init__()
        self._lines: Sequence[ReviewLine] = ()
        self._marked: Container[str] = ()
        self._start, self._end = 0, _AT_FIRST
        self.on("sight", self._moved, args=None)
        self.on("pick", lambda event: on_open(str(event.args)), args=None)
        self.on("mark", lambda event: on_mark(str(event.args)), args=None)
        self.on("back", on_back, args=[])

    def show(self, lines: Sequence[ReviewLine], current: str, marked: Container[str]) -> None:
        """Show these lines, one of them open, some of them marked."""
        self._lines, self._marked = lines, marked
        self.props["current"] = current
        self._send()

    def reveal(self, place: int) -> None:
        """Bring a line into sight."""
        self.run_method("reveal", place)

    def _moved(self, event: GenericEventArguments) -> None:
        self._start = max(0, int(event.args["start"]))
        self._end = min(int(event.args["end"]), self._start + _MOST)
        self._send()

    def _send(self) -> None:
        start = min(self._start, max(0, len(self._lines) - _AT_FIRST))
        shown = self._lines[start : max(self._end, start + _AT_FIRST)]
        self.props.update(total=len(self._lines), start=start, rows=[self._row(line) for line in shown])
        self.update()

    def _row(self, line: ReviewLine) -> dict[str, Any]:
        about, _, part = line.item.rpartition("/")[2].partition("#")
        return {
            "id": line.id,
            "title": about or part or line.item,
            "feature": line.feature,
            "status": line.status.value,
            "doubt": line.doubt[:200],
            "when": ago(line.opened_at),
            "marked": line.id in self._marked,
        }


class FilterBar:
    """The row of filters, with how many there are of each."""

    def __init__(self, visit: InboxSession) -> None:
        self._visit = visit
        wanted = visit.wanted
        with ui.element("div").classes("in-filters"):
            self.search = ui.input(
                "Search", value=wanted.words, on_change=lambda event: visit.filter(words=event.value)
            )
            self.search.props('outlined dense clearable debounce=200 type=search clear-icon="close"').classes("s-grow")
            status = ui.select(list(STATUSES), value=wanted.status, label="Status")
            status.props("outlined dense options-dense").classes("in-status")
            status.on_value_change(lambda event: visit.filter(status=event.value))
        self._features = ui.element("div").classes("s-row s-tight in-features").props('role=group aria-label="Feature"')
        self.told = ""
        """How many are listed, in words."""
        self._counts: dict[str, int] = {}
        self._feature = ""

    def show(self) -> None:
        """Show the numbers as they are now."""
        wanted = self._visit.wanted
        counts = {wanted.feature: 0} | self._visit.counts
        found = len(self._visit.found)
        self.told = f"{found:,} of {counts[ALL]:,} listed" if found != counts[ALL] else f"{found:,} listed"
        if (counts, wanted.feature) != (self._counts, self._feature):
            self._counts, self._feature = counts, wanted.feature
            self._show_features()

    def _show_features(self) -> None:
        self._features.clear()
        with self._features:
            for name, many in sorted(self._counts.items()):
                pressed = "true" if name == self._feature else "false"
                button = (
                    html.button(f"{name} {many:,}").classes("in-feature").props(f"type=button aria-pressed={pressed}")
                )
                button.on("click", lambda name=name: self._visit.filter(feature=name))
