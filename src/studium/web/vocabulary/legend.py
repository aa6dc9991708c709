"""What the colours and lines under words mean, and the choice between them."""

from collections.abc import Callable

from nicegui import html, ui

_LEVELS = (("v-n5", "N5"), ("v-n4", "N4"), ("v-n3", "N3"), ("v-n2", "N2"), ("v-n1", "N1"), ("v-n0", "no level"))
_STATES = (("v-known", "known"), ("v-unknown", "not known yet"))
_CHOICES = {"level": "By level", "known": "By what I know"}


def legend(on_choice: Callable[[str], None], *, has_levels: bool) -> None:
    """The switch, and the signs that belong to it."""
    signs = ui.element("div").classes("v-legend")

    def show(mode: str) -> None:
        signs.clear()
        with signs, ui.element("div").classes(f"s-row s-tight v-by-{mode}"):
            for look, name in _LEVELS if mode == "level" else _STATES:
                html.span(name).classes(f"v-word v-sample {look}")
            html.span("か?").classes("v-doubt")
            html.span("a reading the dictionary does not have").classes("s-muted s-small")

    def choose(mode: str) -> None:
        show(mode)
        on_choice(mode)

    if has_levels:
        toggle = ui.toggle(_CHOICES, value="level", on_change=lambda event: choose(event.value))
        toggle.props('unelevated no-caps aria-label="Colour words"').classes("v-toggle")
        toggle.move(target_index=0)
    show("level" if has_levels else "known")
