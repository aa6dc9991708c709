"""Which reviews are listed: by status, by faculty, by words."""

from nicegui import html, ui

from studium.web.inbox.visit import Visit
from studium.web.inbox.wanted import EVERY, STATUSES


class Filters:
    """The row of filters, with how many there are of each."""

    def __init__(self, visit: Visit) -> None:
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
        self._faculties = (
            ui.element("div").classes("s-row s-tight in-faculties").props('role=group aria-label="Faculty"')
        )
        self.told = ""
        """How many are listed, in words."""
        self._counts: dict[str, int] = {}
        self._faculty = ""

    def show(self) -> None:
        """Show the numbers as they are now."""
        wanted = self._visit.wanted
        counts = {wanted.faculty: 0} | self._visit.counts
        found = len(self._visit.found)
        self.told = f"{found:,} of {counts[EVERY]:,} listed" if found != counts[EVERY] else f"{found:,} listed"
        if (counts, wanted.faculty) != (self._counts, self._faculty):
            self._counts, self._faculty = counts, wanted.faculty
            self._show_faculties()

    def _show_faculties(self) -> None:
        self._faculties.clear()
        with self._faculties:
            for name, many in sorted(self._counts.items()):
                pressed = "true" if name == self._faculty else "false"
                button = (
                    html.button(f"{name} {many:,}").classes("in-faculty").props(f"type=button aria-pressed={pressed}")
                )
                button.on("click", lambda name=name: self._visit.filter(faculty=name))
