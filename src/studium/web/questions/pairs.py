"""A pair as a card: the question, its answer, and its proof when it is asked for."""

from collections.abc import Awaitable, Callable

from nicegui import html, ui

from studium.core.domain.run import Run
from studium.domain.question import QAPair, RejectedQA
from studium.web.parts.evidence import place
from studium.web.parts.figures import chip
from studium.web.questions.proof import show_proof

FindRun = Callable[[], Awaitable[Run | None]]
"""Says which run a pair belongs to; while it goes on, that is known only after it began."""


class PairCard:
    """One accepted pair; opened, its proof stands beside it."""

    def __init__(self, pair: QAPair, find_run: FindRun) -> None:
        self.pair, self._find_run = pair, find_run
        with ui.element("article").classes("s-card qa-pair") as self.card:
            with ui.element("div").classes("s-stack qa-said"):
                html.h3(pair.question)
                html.p(pair.answer).classes("qa-answer")
                with ui.element("div").classes("s-row s-tight"):
                    if pair.category == "visual":
                        chip("visual", "info")
                    for where in dict.fromkeys(place(ref.where) for ref in pair.content_refs):
                        html.span(where).classes("s-muted s-small qa-name")
                self._button = ui.button("Show the proof", icon="search", on_click=self.toggle)
                self._button.props("outline aria-expanded=false")
            self._proof = ui.element("div").classes("s-stack qa-proof")
            self._proof.set_visibility(False)

    async def toggle(self) -> None:
        """Show the proof, or put it away."""
        is_open = not self._proof.visible
        self._proof.set_visibility(is_open)
        self.card.classes(toggle="qa-open")
        self._button.set_text("Hide the proof" if is_open else "Show the proof")
        self._button.props(f"aria-expanded={str(is_open).lower()}")
        if is_open and not self._proof.default_slot.children:
            with self._proof:
                await show_proof(self.pair, await self._find_run())


def refused_row(refused: RejectedQA) -> ui.element:
    """One candidate that was refused, and why."""
    with ui.element("article").classes("qa-refused") as row:
        with ui.element("div").classes("s-row s-tight"):
            chip(refused.rejection_reason.value, "bad")
            html.span(refused.rejection_detail).classes("s-muted s-small")
        html.p(refused.question)
        html.p(refused.answer).classes("s-muted s-small")
        if refused.duplicate_of:
            html.p(f"Asked before: {refused.duplicate_of}").classes("s-muted s-small")
    return row
