"""The pages of the concepts feature: graph, books, review and health check."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from nicegui import background_tasks, html, ui
from pydantic import TypeAdapter, ValidationError

from studium.concepts import use_cases as concepts
from studium.concepts.domain import Content
from studium.concepts.graph_cache import GraphViewFilter, graph_cache
from studium.concepts.jobs import AnswerRequest
from studium.concepts.proposal import Proposal, ProposalChange, ReviewAnswer
from studium.concepts.proposal_edits.apply import apply_changes
from studium.concepts.runs import ReviewRound
from studium.concepts.web.books_page import follow_job, show_books, show_publish_and_undo
from studium.concepts.web.graph_page import show_audit, show_graph
from studium.concepts.web.review_cards import show_candidates
from studium.core.domain.errors import BadInput
from studium.core.domain.finding import Finding
from studium.core.domain.job import Job
from studium.core.files import write_text
from studium.web.components.browser_state import BrowserDraft
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.components.labels import counted
from studium.web.components.notices import empty_state
from studium.web.frame import current_frame, page
from studium.web.service import service

_CHANGES = TypeAdapter(tuple[ProposalChange, ...])
_WRITING = Lock()


class PendingChanges:
    """The user's unsent changes to a proposal; shared by several tabs."""

    def __init__(self, waiting: ReviewRound, folder: Path) -> None:
        self.round = waiting
        self.quotes = waiting.quotes
        self._given = waiting.proposal
        self._file = folder / f"concepts-{waiting.fingerprint}.json"

    @property
    def changes(self) -> tuple[ProposalChange, ...]:
        """The changes so far, in their order."""
        try:
            return _CHANGES.validate_json(self._file.read_bytes())
        except (FileNotFoundError, ValidationError):
            return ()

    @property
    def proposal(self) -> Proposal:
        """The proposal after the changes so far."""
        return self._after(self.changes)[0]

    def add(self, change: ProposalChange) -> None:
        """Add one change; an invalid one is refused."""
        with _WRITING:
            changes = (*self.changes, change)
            _, refused = self._after(changes)
            if refused:
                raise BadInput(refused[-1].message, remedy="Nothing was changed.")
            self._keep(changes)

    def undo_last(self) -> None:
        """Undo the last change."""
        with _WRITING:
            self._keep(self.changes[:-1])

    def clear(self) -> None:
        """Drop all changes after they were sent."""
        self._file.unlink(missing_ok=True)

    def _keep(self, changes: Sequence[ProposalChange]) -> None:
        write_text(self._file, _CHANGES.dump_json(tuple(changes), exclude_defaults=True).decode())

    def _after(self, changes: Sequence[ProposalChange]) -> tuple[Proposal, tuple[Finding, ...]]:
        # New concepts get their ids when the answer is applied; until then any id will do.
        return apply_changes(
            self._given, changes, quotes=list(self.quotes), new_uuid=lambda title, keys: f"{title} {'|'.join(keys)}"
        )


async def show_review(name: str) -> None:
    """Show the proposal for this book."""
    found = await asyncio.to_thread(graph_cache(service().app).book, name) if name else None
    if found is None:
        with empty_state("No book selected", "Choose a book that is waiting for review.", icon="rate_review"):
            html.a("Books", href="/concepts/books").classes("s-button")
        return
    current_frame().rename(found.title)
    underway = [job for job in await active_jobs("concepts") if job.request.get("book") in (found.uuid, found.title)]
    if underway:
        follow_job(underway[0])
        return
    fetching = html.p("Loading the proposal…").classes("s-muted").props("role=status")
    _, waiting = await asyncio.to_thread(
        lambda: asyncio.run(concepts.get_waiting_round(service().settings, found.uuid))
    )
    fetching.delete()
    if waiting is None:
        with empty_state("Nothing to review", f"Every proposal for “{found.title}” has been answered.", icon="done"):
            html.a("See it on the map", href=f"/concepts?book={found.uuid}").classes("s-button")
        return
    await ReviewBoard(found, waiting).begin()


class ReviewBoard:
    """One round of review on a page."""

    def __init__(self, book: Content, waiting: ReviewRound) -> None:
        self.book, self.round = book, waiting
        self.draft = PendingChanges(waiting, service().settings.home / "drafts")
        self._said = BrowserDraft(f"words-{waiting.fingerprint}")
        self._turn = asyncio.Lock()  # clicks that come faster than they are handled wait their turn
        _remarks(waiting)
        self._items = ui.element("div").classes("s-stack")
        self._outcome = ui.element("div").classes("s-stack")
        self._bar = ui.element("section").classes("s-card c-answer").props('aria-label="Your answer"')
        with self._bar:
            self._told = ui.label().classes("s-muted s-small").props("role=status")
            self._words = (
                ui.textarea("Or describe what should change", on_change=self._wrote)
                .props("outlined autogrow dense maxlength=10000 debounce=150")
                .classes("c-words")
            )
            with ui.element("div").classes("s-row"):
                self._keep = ui.button("Keep these concepts", icon="check", on_click=self._approve)
                self._send = ui.button("Send back", icon="send", on_click=self._respond).props("outline")
                self._undo = ui.button("Undo last change", icon="undo", on_click=self._take_back).props("flat")

    async def begin(self) -> None:
        """Show the proposal and the feedback that is not sent yet."""
        await self.show()
        self._words.set_value(await self._said.recall())

    async def show(self, focus: str = "") -> None:
        """Show the current proposal."""
        proposal, changes = await asyncio.to_thread(lambda: (self.draft.proposal, self.draft.changes))
        self._items.clear()
        with self._items:
            show_candidates(proposal, self.round, self.change)
        kept = counted(len(proposal.live_concepts), "concept")
        self._told.set_text(f"{kept} to be saved · {counted(len(changes), 'change')} of yours, not sent yet")
        self._undo.set_enabled(bool(changes))
        self._changed = bool(changes)
        self._worded()
        if focus:
            with self._bar:  # the clicked element no longer exists
                ui.run_javascript(f"document.getElementById('item-{focus}')?.focus()")

    async def change(self, change: ProposalChange) -> None:
        """Make one change and show the result."""
        async with self._turn:
            await asyncio.to_thread(self.draft.add, change)
            await self.show(change.concept if change.concept.isalnum() else "")

    async def _take_back(self) -> None:
        async with self._turn:
            await asyncio.to_thread(self.draft.undo_last)
            await self.show()

    def _wrote(self) -> None:
        self._said.keep(self._words.value)
        self._worded()

    def _worded(self) -> None:
        """Feedback is applied first and reviewed again, so nothing is saved together with it."""
        words = bool(self._words.value.strip())
        self._keep.set_enabled(not words)
        self._send.set_enabled(words or self._changed)

    async def _approve(self) -> None:
        await self._answer(approved=True)

    async def _respond(self) -> None:
        await self._answer(approved=False)

    async def _answer(self, *, approved: bool) -> None:
        changes = await asyncio.to_thread(lambda: self.draft.changes)
        given = ReviewAnswer(approved=approved, feedback=self._words.value.strip(), changes=changes)
        request = AnswerRequest(book=self.book.uuid, seen=self.round.fingerprint, answer=given)
        job = await service().start_job("concepts.answer", request)
        self._bar.set_visibility(False)
        self._outcome.clear()
        with self._outcome:
            show_job_progress(job, title="Applying your answer", on_end=self._ended)

    async def _ended(self, job: Job) -> None:
        if job.status == "done":
            self._said.forget()
            await asyncio.to_thread(self.draft.clear)
            if job.result["waiting"]:
                ui.navigate.reload()
            else:
                ui.navigate.to(f"/concepts?book={self.book.uuid}")
            return
        with self._outcome:
            html.p("Your changes were not applied.")
            ui.button("Show the current version", icon="refresh", on_click=ui.navigate.reload)


def _remarks(waiting: ReviewRound) -> None:
    remarks = [*waiting.payload["warnings"], *(each.message for point in waiting.points for each in point.remarks)]
    html.p(f"Round {waiting.payload['round']}. Each concept is shown with the quotes that support it.").classes(
        "s-muted"
    )
    if remarks:
        title = f"{counted(len(remarks), 'remark')} on this proposal"
        fold = ui.expansion(title, icon="info").classes("s-card c-fold")
        with fold, ui.element("ul").classes("c-remarks"):
            for remark in remarks:
                html.li(remark)


_CSS = Path(__file__).parent / "concepts.css"
_VIEWS = {"/concepts": "Graph", "/concepts/books": "Books", "/concepts/audit": "Health check"}


@page("/concepts", "Concepts")
async def graph(concept: str = "", book: str = "", depth: int = 0) -> None:
    """The graph page, with the selected concept."""
    _page_header("/concepts")
    library = graph_cache(service().app)
    if not (await asyncio.to_thread(library.counts))["Concept"]:
        with empty_state(
            "No concepts yet", "Import highlights from a book, then extract concepts from them.", icon="hub"
        ):
            html.a("Import highlights", href="/concepts/books").classes("s-button")
        return
    if not depth:  # the map is laid out while the browser loads the page
        background_tasks.create(
            asyncio.to_thread(library.graph_view, GraphViewFilter()), name="draw the map of concepts"
        )
    of = (await asyncio.to_thread(library.book, book)).title if book else ""
    await show_graph(concept, of, max(0, min(depth, 3)))


@page("/concepts/books", "Books")
async def books() -> None:
    """The books page, with publishing, export and undo."""
    _page_header("/concepts/books")
    await show_books()
    await show_publish_and_undo()


@page("/concepts/review", "Review")
async def review(book: str = "") -> None:
    """The review page of a book."""
    _page_header("/concepts/books")
    await show_review(book)


@page("/concepts/audit", "Health check")
async def audit() -> None:
    """The health check page."""
    _page_header("/concepts/audit")
    await show_audit()


def _page_header(path: str) -> None:
    ui.add_css(_CSS)
    with current_frame().actions, ui.element("nav").classes("s-row s-tight").props('aria-label="Concepts"'):
        for address, name in _VIEWS.items():
            link = html.a(name, href=address).classes("s-button")
            if address == path:
                link.props("aria-current=page")
