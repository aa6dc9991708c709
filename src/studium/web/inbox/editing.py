"""Correcting a proposal in place, in a form or as text; what was typed stays in the browser until it is taken."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import html, ui

from studium.core.domain.decision import Review
from studium.core.domain.errors import BadInput
from studium.faculties.inbox import as_yaml, read_yaml
from studium.web.inbox.forms import Entry, entries_of, filled_in
from studium.web.parts.drafts import BrowserDraft
from studium.web.parts.notices import problem_notice

Take = Callable[[dict[str, Any]], Awaitable[bool]]


class Editing:
    """One edit, from its beginning until it is taken or left."""

    def __init__(self, review: Review, take: Take, leave: Callable[[], Any]) -> None:
        self._draft = BrowserDraft(f"draft-{review.id}")
        self._proposal = review.decision.proposal or {}
        self._text = as_yaml(self._proposal)
        self._take, self._leave = take, leave
        self._has_form = entries_of(self._proposal) is not None
        self._as_text = not self._has_form

    async def show(self) -> None:
        """Show the editor, with the draft of an earlier visit if there is one."""
        draft = await self._draft.recall()
        html.h3("Edit what is proposed")
        if draft and draft != self._text:
            self._text = draft
            with ui.element("div").classes("s-row in-draft"):
                html.span("This is your draft from before.").classes("s-muted")
                ui.button("Start over", on_click=self._start_over).props("flat dense")
        self._fields = ui.element("div").classes("in-form")
        self._problem = ui.element("div")
        with ui.element("div").classes("in-bar s-row s-tight"):
            ui.button("Save and approve", icon="check", on_click=self.finish)
            ui.button("Leave", on_click=self._leave).props("outline")
            self._switch = ui.button(on_click=self._turn).props("flat")
            self._switch.set_visibility(self._has_form)
        self._as_text = not (self._has_form and self._is_simple())
        self._show_fields()

    async def finish(self) -> None:
        """Give the edit as the answer; what does not fit is said, and stays to be corrected."""
        self._problem.clear()
        try:
            if await self._take(read_yaml(self._text)):
                self._draft.forget()
        except BadInput as mistake:
            with self._problem:
                problem_notice(BadInput(mistake.what, remedy="Correct it and save again; nothing was lost."))

    def _show_fields(self) -> None:
        self._switch.set_text("Edit in a form" if self._as_text else "Edit as text")
        self._fields.clear()
        with self._fields:
            if self._as_text:
                box = ui.textarea("The proposal, as YAML or JSON", value=self._text, on_change=self._typed)
                box.props("outlined autogrow autofocus spellcheck=false").classes("in-yaml in-wide")
                box.on("keydown.ctrl.enter", self.finish)
                return
            draft = read_yaml(self._text)
            for number, entry in enumerate(entries_of(self._proposal) or ()):
                self._entry(entry, entry.text_in(draft), is_first=number == 0)

    def _entry(self, entry: Entry, text: str, *, is_first: bool) -> None:
        def typed(event: Any) -> None:
            self._keep(as_yaml(filled_in(read_yaml(self._text), entry, str(event.value or ""))))

        box = ui.textarea if entry.is_long else ui.input
        field = box(entry.label, value=text, on_change=typed).props("outlined" + " autogrow" * entry.is_long)
        field.props("autofocus" * is_first).classes("in-wide" * entry.is_long)
        field.on("keydown.ctrl.enter", self.finish)

    def _turn(self) -> None:
        """Between form and text; text that no form can show stays text."""
        if not self._as_text or self._is_simple():
            self._as_text = not self._as_text
            self._show_fields()

    def _is_simple(self) -> bool:
        self._problem.clear()
        try:
            return entries_of(read_yaml(self._text)) is not None
        except BadInput as mistake:
            with self._problem:
                problem_notice(BadInput(mistake.what, remedy="Correct the text first."))
            return False

    def _typed(self, event: Any) -> None:
        self._keep(str(event.value or ""))

    def _keep(self, text: str) -> None:
        self._text = text
        self._draft.keep(text)

    def _start_over(self) -> None:
        self._text = as_yaml(self._proposal)
        self._draft.forget()
        self._show_fields()
