"""Correcting a proposal in place, in a form or as text; what was typed stays in the browser until it is taken."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from nicegui import html, ui

from studium.core.domain.decision import Review
from studium.core.domain.errors import BadInput
from studium.core.runs.review_text import parse_yaml, to_yaml
from studium.web.components.browser_state import BrowserDraft
from studium.web.components.notices import problem_notice

_LONG = 60
"""A text that may be longer than this gets several lines."""


@dataclass(frozen=True)
class FormField:
    """One entry of a form: where it stands in the proposal, and what was proposed for it."""

    path: tuple[str, ...]
    value: Any

    @property
    def label(self) -> str:
        """What a person calls it."""
        return self.path[-1].replace("_", " ").capitalize()

    @property
    def is_long(self) -> bool:
        """Whether it wants several lines: what stands under a name (a card's fields), and long texts."""
        return isinstance(self.value, str) and (len(self.path) > 1 or len(self.value) > _LONG or "\n" in self.value)

    def text_in(self, draft: Mapping[str, Any]) -> str:
        """What a draft says here, as it is typed."""
        value: Any = draft
        for name in self.path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(value, list):
            return ", ".join(map(str, value))
        return "" if value is None else str(value)

    def read(self, text: str) -> Any:
        """What was typed, as the proposal holds it; a number that is none stays text, which its schema will refuse."""
        if isinstance(self.value, list):
            return [word.strip() for word in text.split(",") if word.strip()]
        if isinstance(self.value, (int, float)) and not isinstance(self.value, bool):
            return _number(text)
        return None if self.value is None and not text else text


def form_fields(proposal: Mapping[str, Any]) -> list[FormField] | None:
    """The entries of the form for a proposal; None where only its text can be edited."""
    found = list(_entries(proposal, ()))
    simple = all(isinstance(each.value, (str, int, float)) or _is_words(each.value) for each in found)
    # What a card says comes before what it is filed under.
    return sorted(found, key=lambda each: -len(each.path)) if simple else None


def fill_form(proposal: Mapping[str, Any], entry: FormField, text: str) -> dict[str, Any]:
    """The proposal with what was typed into one entry."""
    changed = deepcopy(dict(proposal))
    place = changed
    for name in entry.path[:-1]:
        place = place.setdefault(name, {})
    place[entry.path[-1]] = entry.read(text)
    return changed


def _entries(proposal: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[FormField]:
    for name, value in proposal.items():
        if isinstance(value, dict) and not path:
            yield from _entries(value, (name,))
        else:
            yield FormField((*path, name), value)


def _is_words(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(each, str) for each in value))


def _number(text: str) -> float | int | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


Take = Callable[[dict[str, Any]], Awaitable[bool]]


class ProposalEditor:
    """One edit, from its beginning until it is taken or left."""

    def __init__(self, review: Review, take: Take, leave: Callable[[], Any]) -> None:
        self._draft = BrowserDraft(f"draft-{review.id}")
        self._proposal = review.decision.proposal or {}
        self._text = to_yaml(self._proposal)
        self._take, self._leave = take, leave
        self._has_form = form_fields(self._proposal) is not None
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
            if await self._take(parse_yaml(self._text)):
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
            draft = parse_yaml(self._text)
            for number, entry in enumerate(form_fields(self._proposal) or ()):
                self._entry(entry, entry.text_in(draft), is_first=number == 0)

    def _entry(self, entry: FormField, text: str, *, is_first: bool) -> None:
        def typed(event: Any) -> None:
            self._keep(to_yaml(fill_form(parse_yaml(self._text), entry, str(event.value or ""))))

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
            return form_fields(parse_yaml(self._text)) is not None
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
        self._text = to_yaml(self._proposal)
        self._draft.forget()
        self._show_fields()
