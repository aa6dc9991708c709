"""What a student and the tutor say to each other about a lab; it goes on whoever has it open."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nicegui import Event, background_tasks

from studium.core.domain.errors import StudiumError
from studium.domain.lab import Checked, Lab
from studium.faculties import tutor
from studium.running.tutor.students import KEPT_EXCHANGES, Exchange
from studium.web.house import service
from studium.web.tutor.waiting import on_devices

if TYPE_CHECKING:
    from studium.workflows.tutor.tutor import NetworkingLabTutor

SECONDS_TO_ALLOW = 60.0


@dataclass
class Turn:
    """A question and what became of it: said piece by piece, then answered, or failed."""

    question: str
    pieces: list[str] = field(default_factory=list)
    answer: dict[str, Any] | None = None
    problem: StudiumError | None = None

    @classmethod
    def of(cls, said: Exchange) -> "Turn":
        """What was said before the server was started anew; what was not answered then never will be."""
        if said.response:
            return cls(said.question, answer=said.model_dump(mode="json", exclude={"question", "problem", "remedy"}))
        lost = "The server was restarted before the tutor had answered."
        problem = StudiumError(said.problem or lost, remedy=said.remedy or "Ask again.")
        return cls(said.question, problem=problem)

    @property
    def exchange(self) -> Exchange:
        """What is kept of it."""
        if self.answer:
            kept = {name: self.answer[name] for name in ("response", "citations", "proofs")}
            return Exchange.model_validate({"question": self.question, **kept})
        if self.problem:
            return Exchange(question=self.question, problem=self.problem.what, remedy=self.problem.remedy)
        return Exchange(question=self.question)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be said."""
        return self.answer is not None or self.problem is not None

    @property
    def text(self) -> str:
        """What was said so far."""
        return str(self.answer["response"]) if self.answer else "".join(self.pieces)


@dataclass(frozen=True)
class Wish:
    """Something that the tutor wants to type, which may change a router; the first answer counts."""

    device: str
    command: str
    answer: "Future[bool]" = field(default_factory=Future)

    def decide(self, *, allowed: bool) -> None:
        """Let it be typed, or not."""
        if not self.answer.done():
            self.answer.set_result(allowed)


class Conversation:
    """One lab's conversation, which goes on where it was left.

    `changed` tells that something was said, `wished` that the tutor asks for permission; `unkept` is why what was said
    could not be kept, `aside` what was said before it was begun anew, and can be taken back until the server ends.
    """

    def __init__(self, lab: Lab, said: Sequence[Exchange] = ()) -> None:
        self.lab = lab
        self.turns = [Turn.of(each) for each in said]
        self.aside: list[Turn] = []
        self.unkept: StudiumError | None = None
        self._keeping = asyncio.Lock()
        self.changed: Event[[]] = Event()
        self.wished: Event[[Wish]] = Event()
        self._tutor: NetworkingLabTutor | None = None
        self._knows_all = False
        self._loop: asyncio.AbstractEventLoop

    @property
    def is_answering(self) -> bool:
        """Whether a question is being answered."""
        return bool(self.turns) and not self.turns[-1].is_over

    def ask(self, question: str) -> None:
        """Ask; the answer comes in its time."""
        self._loop = asyncio.get_running_loop()
        turn = Turn(question)
        self.turns = [*self.turns, turn][-KEPT_EXCHANGES:]
        self.changed.emit()
        background_tasks.create(self._answer(turn))

    async def begin_anew(self) -> None:
        """Put aside what was said."""
        await self._go_on_with([], aside=[*self.aside, *self.turns][-KEPT_EXCHANGES:])

    async def take_back(self) -> None:
        """Go on with what was put aside; what was said since follows it."""
        await self._go_on_with([*self.aside, *self.turns][-KEPT_EXCHANGES:], aside=[])

    def checked(self, results: Sequence[Checked]) -> None:
        """Let the tutor know which goals are reached."""
        if self._tutor:
            self._tutor.checked(results)

    async def _answer(self, turn: Turn) -> None:
        settings = service().settings
        await self._keep()
        try:
            who = await self._whoever_answers()
            typed = await asyncio.to_thread(tutor.catch_up, settings, who)
            async for piece in who.ask_stream(turn.question, typed):
                turn.pieces.append(piece)
                self.changed.emit()
            turn.answer = who.answered
            await asyncio.to_thread(tutor.remember, settings, who)
        except StudiumError as error:
            turn.problem = error
        finally:
            if not turn.is_over:
                turn.problem = StudiumError(
                    "The tutor could not answer.", remedy="The server's log says why; ask again."
                )
            await self._keep()  # what is seen to be over is kept, whenever the server ends
            self.changed.emit()

    async def _go_on_with(self, turns: list[Turn], aside: list[Turn]) -> None:
        self.turns, self.aside = turns, aside
        self._tutor = None  # whoever answers next is told what was said so far
        await self._keep()
        self.changed.emit()

    async def _keep(self) -> None:
        """Keep what was said so far, for the next start; one at a time, so that the last is what stays."""
        async with self._keeping:
            said = [turn.exchange for turn in self.turns]
            before, self.unkept = self.unkept, None
            try:
                await asyncio.to_thread(tutor.keep_talk, service().settings, self.lab.id, said)
            except StudiumError as error:
                self.unkept = error
        if self.unkept or before:
            self.changed.emit()

    async def _whoever_answers(self) -> "NetworkingLabTutor":
        """The tutor of this lab; as soon as everything can be looked up by meaning, one who does so."""
        house = service().house
        ready = self._knows_all or await asyncio.to_thread(tutor.is_prepared, house)
        if self._tutor is None or ready != self._knows_all:
            self._tutor = await on_devices(tutor.ready_tutor, house, self.lab.id, self._allowed)
            self._tutor.resume((turn.question, turn.text) for turn in self.turns if turn.answer)
            self._knows_all = ready
        return self._tutor

    def _allowed(self, device: str, command: str) -> bool:
        """Ask whoever has the lab open; nobody's answer is a no."""
        wish = Wish(device, command)
        self._loop.call_soon_threadsafe(self.wished.emit, wish)
        try:
            return wish.answer.result(SECONDS_TO_ALLOW)
        except TimeoutError:
            wish.decide(allowed=False)
            return False
