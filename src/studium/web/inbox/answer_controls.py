"""The controls of the open review: the buttons, the editor, the comment field."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from nicegui import html, ui

from studium.core.domain.decision import Review, ReviewStatus
from studium.core.domain.errors import BadInput
from studium.core.runs.review_text import parse_yaml, to_yaml
from studium.web.components.browser_state import BrowserDraft
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.components.notices import problem_notice
from studium.web.inbox.review_view import ReviewDetails
from studium.web.inbox.session import InboxSession
from studium.web.service import service

_LONG = 60
"""A text that may be longer than this gets several lines."""


@dataclass(frozen=True)
class FormField:
    """One field of the form: its path in the proposal, and the proposed value."""

    path: tuple[str, ...]
    value: Any

    @property
    def label(self) -> str:
        """The label of the field."""
        return self.path[-1].replace("_", " ").capitalize()

    @property
    def is_long(self) -> bool:
        """Whether it needs several lines: nested texts (the fields of a card), and long ones."""
        return isinstance(self.value, str) and (len(self.path) > 1 or len(self.value) > _LONG or "\n" in self.value)

    def text_in(self, draft: Mapping[str, Any]) -> str:
        """The value in a draft, as text."""
        value: Any = draft
        for name in self.path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(value, list):
            return ", ".join(map(str, value))
        return "" if value is None else str(value)

    def read(self, text: str) -> Any:
        """The typed text as a value of the proposal; an invalid number stays text, which the schema will refuse."""
        if isinstance(self.value, list):
            return [word.strip() for word in text.split(",") if word.strip()]
        if isinstance(self.value, (int, float)) and not isinstance(self.value, bool):
            return _number(text)
        return None if self.value is None and not text else text


def form_fields(proposal: Mapping[str, Any]) -> list[FormField] | None:
    """The fields of the form for a proposal; None if it can only be edited as text."""
    found = list(_entries(proposal, ()))
    simple = all(isinstance(each.value, (str, int, float)) or _is_words(each.value) for each in found)
    # The fields of a card come before its deck and tags.
    return sorted(found, key=lambda each: -len(each.path)) if simple else None


def fill_form(proposal: Mapping[str, Any], entry: FormField, text: str) -> dict[str, Any]:
    """The proposal with the text of one field."""
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


Save = Callable[[dict[str, Any]], Awaitable[bool]]


class ProposalEditor:
    """Edits a proposal, in a form or as text."""

    def __init__(self, review: Review, save: Save, close: Callable[[], Any]) -> None:
        self._draft = BrowserDraft(f"draft-{review.id}")
        self._proposal = review.decision.proposal or {}
        self._text = to_yaml(self._proposal)
        self._save, self._close = save, close
        self._has_form = form_fields(self._proposal) is not None
        self._as_text = not self._has_form

    async def show(self) -> None:
        """Show the editor, with the draft of an earlier session if there is one."""
        draft = await self._draft.recall()
        html.h3("Edit the proposal")
        if draft and draft != self._text:
            self._text = draft
            with ui.element("div").classes("s-row in-draft"):
                html.span("This is your earlier draft.").classes("s-muted")
                ui.button("Start over", on_click=self._start_over).props("flat dense")
        self._fields = ui.element("div").classes("in-form")
        self._problem = ui.element("div")
        with ui.element("div").classes("in-bar s-row s-tight"):
            ui.button("Save and approve", icon="check", on_click=self.finish)
            ui.button("Cancel", on_click=self._close).props("outline")
            self._switch = ui.button(on_click=self._toggle).props("flat")
            self._switch.set_visibility(self._has_form)
        self._as_text = not (self._has_form and self._is_simple())
        self._show_fields()

    async def finish(self) -> None:
        """Save the edit as the answer; if it is invalid, show why."""
        self._problem.clear()
        try:
            if await self._save(parse_yaml(self._text)):
                self._draft.forget()
        except BadInput as mistake:
            with self._problem:
                problem_notice(
                    BadInput(mistake.what, remedy="Correct the marked value and save again; your edit is kept.")
                )

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

    def _toggle(self) -> None:
        """Switch between form and text; a text that does not fit the form stays text."""
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


_NEXT = {
    "cards": "The next sync of the vault writes it.",
    "concepts": "Extraction continues by itself.",
    "tutor": "The next `tutor patterns learn` run keeps it.",
}


def show_next_step(details: ReviewDetails) -> None:
    """Say what happens next, and offer to do it now."""
    review = details.review
    if review.status is ReviewStatus.OPEN:
        return
    with ui.element("section").classes("in-section in-next"):
        html.h3("What happens next")
        html.p(_next_step(details))
        if review.feature == "cards" and details.vault:
            _sync(details.vault, details.destination or "package")
        elif review.feature == "concepts":
            place = ui.element("div")
            ui.timer(0, lambda: _follow(place, review.decision.item), once=True)


def _next_step(details: ReviewDetails) -> str:
    match details.review.status:
        case ReviewStatus.REJECTED if details.review.feature != "concepts":
            return "The item stays as it is, and you are not asked again."
        case ReviewStatus.RESPONDED if details.review.feature != "concepts":
            return "The next run tries again with your comment."
    return _NEXT.get(details.review.feature, "The next run uses it.")


def _sync(vault: str, to: str) -> None:
    place = ui.element("div")

    async def sync() -> None:
        job = await service().start_job("cards.sync", {"vault": vault, "to": to})
        place.clear()
        with place:
            show_job_progress(job, title="Syncing the vault")

    with place:
        ui.button("Sync the vault now", icon="sync", on_click=sync).props("outline")


async def _follow(place: ui.element, book: str) -> None:
    jobs = [job for job in await active_jobs("concepts") if job.request.get("book") == book]
    with place:
        for job in jobs[:1]:
            show_job_progress(job, title=f"Extracting concepts from “{book}”")


async def show_answer_controls(session: InboxSession, details: ReviewDetails) -> None:
    """The editor or the comment field, or what happens after the answer."""
    if session.mode == "edit":
        with ui.element("section").classes("in-section"):
            await ProposalEditor(details.review, session.edit, session.close_editor).show()
    elif session.mode == "respond":
        await _respond(session, details)
    else:
        show_next_step(details)


def show_buttons(session: InboxSession, details: ReviewDetails) -> None:
    """The buttons for the open review."""
    if session.mode != "view":
        return
    with ui.element("div").classes("in-bar s-row s-tight").props('role=toolbar aria-label="Answer"'):
        if details.review.status is not ReviewStatus.OPEN:
            ui.button("Reopen", icon="undo", on_click=session.reopen).props("outline")
            return
        _button("Approve", "a", lambda: session.answer("approved")).props(remove="outline")
        if details.review.decision.proposal:
            _button("Edit", "e", lambda: session.set_mode("edit"))
        _button("Reject", "r", lambda: session.answer("rejected"))
        _button("Respond", "c", lambda: session.set_mode("respond"))


def _button(does: str, key: str, do: Callable[[], Any]) -> ui.button:
    """A button that shows its key."""
    with ui.button(does, on_click=do).props("outline") as button:
        html.kbd(key).classes("in-key").props("aria-hidden=true")
    return button


async def _respond(session: InboxSession, details: ReviewDetails) -> None:
    """The comment field; a draft stays in the browser until it is sent."""
    draft = BrowserDraft(f"response-{details.review.id}")
    before = await draft.recall()
    with ui.element("section").classes("in-section"):
        words = ui.textarea(
            "What should the next attempt do differently?",
            value=before,
            on_change=lambda event: draft.keep(event.value),
        )
        words.props("outlined autogrow autofocus maxlength=10000")

        async def send() -> None:
            comment = (words.value or "").strip()
            if comment and await session.answer("responded", None, comment):
                draft.forget()

        words.on("keydown.ctrl.enter", send)
        with ui.element("div").classes("s-row s-tight"):
            ui.button("Send", icon="send", on_click=send).bind_enabled_from(words, "value", bool)
            ui.button("Cancel", on_click=session.close_editor).props("outline")
