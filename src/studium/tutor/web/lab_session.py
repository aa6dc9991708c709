"""The shared state of a lab's open pages: network, goals and chat."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from nicegui import Event, background_tasks

from studium.core.domain.errors import StudiumError
from studium.core.domain.job import Job
from studium.tutor import lab_use_cases
from studium.tutor import use_cases as tutor
from studium.tutor.domain import CheckResult, Lab
from studium.tutor.lab_use_cases import LabState
from studium.tutor.student_store import MAX_SAVED_EXCHANGES, ChatExchange
from studium.web.components.job_progress import active_jobs
from studium.web.service import service

if TYPE_CHECKING:
    from studium.tutor.state import CitedAnswer
    from studium.tutor.tutor import NetworkingLabTutor


P = ParamSpec("P")
T = TypeVar("T")

# Beside the threads that the rest of the app waits with, so that slow routers never slow down a page.
_threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="lab")


async def run_in_device_thread(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Run blocking device work in a thread."""
    return await asyncio.get_running_loop().run_in_executor(_threads, lambda: work(*given, **named))


PERMISSION_TIMEOUT = 60.0


@dataclass
class ChatTurn:
    """A question with its streamed pieces, then its answer or error."""

    question: str
    pieces: list[str] = field(default_factory=list)
    answer: "CitedAnswer | None" = None
    problem: StudiumError | None = None

    @classmethod
    def of(cls, said: ChatExchange) -> "ChatTurn":
        """Restore a saved turn; one without an answer was interrupted."""
        if said.response:
            kept = said.model_dump(mode="json")
            answer: CitedAnswer = {"response": said.response, "citations": kept["citations"], "proofs": kept["proofs"]}
            return cls(said.question, answer=answer)
        lost = "The server was restarted before the tutor answered."
        problem = StudiumError(said.problem or lost, remedy=said.remedy or "Ask again.")
        return cls(said.question, problem=problem)

    @property
    def exchange(self) -> ChatExchange:
        """The form that is saved."""
        if self.answer:
            answer = self.answer
            kept = {"response": answer["response"], "citations": answer["citations"], "proofs": answer["proofs"]}
            return ChatExchange.model_validate({"question": self.question, **kept})
        if self.problem:
            return ChatExchange(question=self.question, problem=self.problem.what, remedy=self.problem.remedy)
        return ChatExchange(question=self.question)

    @property
    def is_over(self) -> bool:
        """Whether the turn is finished."""
        return self.answer is not None or self.problem is not None

    @property
    def text(self) -> str:
        """The text so far."""
        return self.answer["response"] if self.answer else "".join(self.pieces)


@dataclass(frozen=True)
class PermissionRequest:
    """A request to run a command that may change a router; the first answer counts."""

    device: str
    command: str
    answer: "Future[bool]" = field(default_factory=Future)

    def decide(self, *, allowed: bool) -> None:
        """Allow or deny it."""
        if not self.answer.done():
            self.answer.set_result(allowed)


class Conversation:
    """The chat of one lab, which survives restarts.

    `changed` is emitted when the chat changes, `permission_requested` when the tutor asks for permission. `save_error`
    says why the chat could not be saved; `archived` is the chat before the current one, until the server ends.
    """

    def __init__(self, lab: Lab, said: Sequence[ChatExchange] = ()) -> None:
        self.lab = lab
        self.turns = [ChatTurn.of(each) for each in said]
        self.archived: list[ChatTurn] = []
        self.save_error: StudiumError | None = None
        self._keeping = asyncio.Lock()
        self.changed: Event[[]] = Event()
        self.permission_requested: Event[[PermissionRequest]] = Event()
        self._tutor: NetworkingLabTutor | None = None
        self._knows_all = False
        self._loop: asyncio.AbstractEventLoop

    @property
    def is_answering(self) -> bool:
        """Whether a question is being answered."""
        return bool(self.turns) and not self.turns[-1].is_over

    def ask(self, question: str) -> None:
        """Ask a question; the answer arrives later."""
        self._loop = asyncio.get_running_loop()
        turn = ChatTurn(question)
        self.turns = [*self.turns, turn][-MAX_SAVED_EXCHANGES:]
        self.changed.emit()
        background_tasks.create(self._answer(turn))

    async def new_chat(self) -> None:
        """Archive the chat and start a new one."""
        await self._go_on_with([], archived=[*self.archived, *self.turns][-MAX_SAVED_EXCHANGES:])

    async def restore_archived(self) -> None:
        """Restore the archived chat before the current one."""
        await self._go_on_with([*self.archived, *self.turns][-MAX_SAVED_EXCHANGES:], archived=[])

    def checked(self, results: Sequence[CheckResult]) -> None:
        """Tell the tutor which goals are reached."""
        if self._tutor:
            self._tutor.checked(results)

    async def _answer(self, turn: ChatTurn) -> None:
        settings = service().settings
        await self._keep()
        try:
            who = await self._current_tutor()
            typed = await asyncio.to_thread(tutor.refresh_tutor, settings, who)
            async for piece in who.ask_stream(turn.question, typed):
                turn.pieces.append(piece)
                self.changed.emit()
            turn.answer = who.answered
            await asyncio.to_thread(tutor.save_learning, settings, who)
        except StudiumError as error:
            turn.problem = error
        finally:
            if not turn.is_over:
                turn.problem = StudiumError(
                    "The tutor could not answer.", remedy="The server's log says why; ask again."
                )
            await self._keep()  # what is seen to be over is kept, whenever the server ends
            self.changed.emit()

    async def _go_on_with(self, turns: list[ChatTurn], archived: list[ChatTurn]) -> None:
        self.turns, self.archived = turns, archived
        self._tutor = None  # the next tutor gets the whole chat
        await self._keep()
        self.changed.emit()

    async def _keep(self) -> None:
        """Save the chat; one save at a time, so that the last one wins."""
        async with self._keeping:
            said = [turn.exchange for turn in self.turns]
            before, self.save_error = self.save_error, None
            try:
                await asyncio.to_thread(tutor.save_conversation, service().settings, self.lab.id, said)
            except StudiumError as error:
                self.save_error = error
        if self.save_error or before:
            self.changed.emit()

    async def _current_tutor(self) -> "NetworkingLabTutor":
        """The tutor of this lab; switches to search by meaning once that is ready."""
        app = service().app
        ready = self._knows_all or await asyncio.to_thread(tutor.is_search_ready, app)
        if self._tutor is None or ready != self._knows_all:
            self._tutor = await run_in_device_thread(tutor.ready_tutor, app, self.lab.id, self._allowed)
            self._tutor.resume((turn.question, turn.text) for turn in self.turns if turn.answer)
            self._knows_all = ready
        return self._tutor

    def _allowed(self, device: str, command: str) -> bool:
        """Ask the open pages for permission; no answer counts as no."""
        request = PermissionRequest(device, command)
        self._loop.call_soon_threadsafe(self.permission_requested.emit, request)
        try:
            return request.answer.result(PERMISSION_TIMEOUT)
        except TimeoutError:
            request.decide(allowed=False)
            return False


_SECONDS_BETWEEN_LOOKS = 2.5
_SECONDS_OF_QUIET = (1.0, 4.0, 10.0)
"""When goals are checked after the last configuration command: routing needs time to converge."""
LAB_JOB_TITLES = {
    "tutor.up": "Starting the lab",
    "tutor.down": "Stopping the lab",
    "tutor.reset": "Resetting the routers",
    "tutor.break": "Breaking something",
}
"""The jobs on a whole lab, with their titles while they run."""


class LabSession:
    """One lab; `changed` notifies all open pages.

    `under_way` is the running job on the whole lab.
    """

    def __init__(self, state: LabState, said: Sequence[ChatExchange] = ()) -> None:
        self.state = state
        self.results: dict[str, CheckResult] = {}
        self.is_checking = False
        self.under_way: Job | None = None
        self.changed: Event[[]] = Event()
        self.conversation = Conversation(state.lab, said)
        self._looked_at = 0.0
        self._soon: asyncio.TimerHandle | None = None

    @property
    def lab(self) -> Lab:
        """The lab."""
        return self.state.lab

    async def look(self, *, now: bool = False) -> None:
        """Refresh the lab's state unless it was refreshed a moment ago."""
        if not now and monotonic() - self._looked_at < _SECONDS_BETWEEN_LOOKS:
            return
        self._looked_at = monotonic()
        state = await run_in_device_thread(lab_use_cases.lab_state, service().settings, self.lab.id)
        job = await self._active_job() if state.is_ours else None
        if state.is_up and job and job.kind == "tutor.up":
            state = replace(state, is_up=False)  # its routers exist already, but are not configured yet
        self.begin(job)
        if state != self.state:
            self.state = state
            if state.is_up:
                self.check_soon()  # what moves a port or a neighbour may reach a goal, or lose it
            else:
                self.results = {}
            self.changed.emit()

    def begin(self, job: Job | None) -> None:
        """Show a job on all open pages."""
        before, self.under_way = self.under_way, job
        if (before and before.id) != (job and job.id):
            self.changed.emit()

    async def _active_job(self) -> Job | None:
        """The running job on this lab; a job may name it by a part of its id."""
        for job in await active_jobs("tutor"):
            if job.kind in LAB_JOB_TITLES:
                named = await asyncio.to_thread(
                    lab_use_cases.resolve_lab_name, service().settings, str(job.request.get("lab"))
                )
                if named == self.lab.id:
                    return job
        return None

    async def check(self, patience: float = 0.0) -> None:
        """Check the goals, waiting some seconds for routing to converge."""
        self.is_checking = True
        self.changed.emit()
        try:
            found = await run_in_device_thread(lab_use_cases.check_lab, service().settings, self.lab.id, patience)
            self.results = {each.check.id: each for each in found}
            self.conversation.checked(found)
        finally:
            self.is_checking = False
            self.changed.emit()

    def check_soon(self, waits: Sequence[float] = _SECONDS_OF_QUIET) -> None:
        """Check the goals after a quiet moment, and again while one is open."""
        if self._soon:
            self._soon.cancel()
        loop = asyncio.get_running_loop()
        self._soon = loop.call_later(waits[0], lambda: background_tasks.create(self._check_quietly(waits[1:])))

    async def _check_quietly(self, waits: Sequence[float]) -> None:
        if self.is_checking:
            self.check_soon()  # what was just typed came too late for that check
            return
        try:
            if self.state.is_up:
                await self.check()
                if waits and not all(each.holds for each in self.results.values()):
                    self.check_soon(waits)
        except StudiumError:
            await self.look(now=True)  # it was taken down meanwhile, or a router died: that is to be seen


_sessions: dict[str, LabSession] = {}


async def lab_session(name: str) -> LabSession:
    """The session of a lab."""
    state = await run_in_device_thread(lab_use_cases.lab_state, service().settings, name)
    if state.lab.id not in _sessions:
        said = await asyncio.to_thread(tutor.saved_conversation, service().settings, state.lab.id)
        _sessions.setdefault(state.lab.id, LabSession(replace(state, is_up=False), said))
    session = _sessions[state.lab.id]
    await session.look(now=True)
    return session
