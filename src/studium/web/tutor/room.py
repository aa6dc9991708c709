"""A lab as everyone sees it who has it open: how it stands, which goals are reached, what was said."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic

from nicegui import Event, background_tasks

from studium.core.domain.errors import StudiumError
from studium.core.domain.job import Job
from studium.domain.lab import Checked, Lab
from studium.faculties import labs, tutor
from studium.faculties.labs import LabState
from studium.running.tutor.students import Exchange
from studium.web.house import service
from studium.web.parts.orders import going_on
from studium.web.tutor.conversation import Conversation
from studium.web.tutor.waiting import on_devices

_SECONDS_BETWEEN_LOOKS = 2.5
_SECONDS_OF_QUIET = (1.0, 4.0, 10.0)
"""How long after the last configuration command goals are checked, and again: routers take time to tell each other."""
UNDERTAKINGS = {
    "tutor.up": "Bringing the lab up",
    "tutor.down": "Taking the lab down",
    "tutor.reset": "Putting the routers back",
    "tutor.break": "Breaking something",
}
"""The orders that concern a whole lab, and what they are called while they are under way."""


class Room:
    """One lab; `changed` tells everyone who has it open that there is something new to see.

    `under_way` is what is being done with the whole lab, whoever ordered it.
    """

    def __init__(self, state: LabState, said: Sequence[Exchange] = ()) -> None:
        self.state = state
        self.results: dict[str, Checked] = {}
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
        """See how the lab stands; somebody else may have looked a moment ago."""
        if not now and monotonic() - self._looked_at < _SECONDS_BETWEEN_LOOKS:
            return
        self._looked_at = monotonic()
        state = await on_devices(labs.lab_state, service().settings, self.lab.id)
        order = await self._ordered() if state.is_ours else None
        if state.is_up and order and order.kind == "tutor.up":
            state = replace(state, is_up=False)  # its routers stand there already, but are not configured yet
        self.begin(order)
        if state != self.state:
            self.state = state
            if state.is_up:
                self.check_soon()  # what moves a port or a neighbour may reach a goal, or lose it
            else:
                self.results = {}
            self.changed.emit()

    def begin(self, order: Job | None) -> None:
        """Let everyone see what is done with the lab from now on."""
        before, self.under_way = self.under_way, order
        if (before and before.id) != (order and order.id):
            self.changed.emit()

    async def _ordered(self) -> Job | None:
        """What is being done with this lab; an order may name it by a part of its id."""
        for order in await going_on("tutor"):
            if order.kind in UNDERTAKINGS:
                named = await asyncio.to_thread(labs.whole_name, service().settings, str(order.request.get("lab")))
                if named == self.lab.id:
                    return order
        return None

    async def check(self, patience: float = 0.0) -> None:
        """See which goals are reached; routers have so many seconds to tell each other."""
        self.is_checking = True
        self.changed.emit()
        try:
            found = await on_devices(labs.check_lab, service().settings, self.lab.id, patience)
            self.results = {each.check.id: each for each in found}
            self.conversation.checked(found)
        finally:
            self.is_checking = False
            self.changed.emit()

    def check_soon(self, waits: Sequence[float] = _SECONDS_OF_QUIET) -> None:
        """See which goals are reached once it is quiet; and again, while one is not."""
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


_rooms: dict[str, Room] = {}


async def room_of(name: str) -> Room:
    """The room of a lab, as it stands now."""
    state = await on_devices(labs.lab_state, service().settings, name)
    if state.lab.id not in _rooms:
        said = await asyncio.to_thread(tutor.talk, service().settings, state.lab.id)
        _rooms.setdefault(state.lab.id, Room(replace(state, is_up=False), said))
    room = _rooms[state.lab.id]
    await room.look(now=True)
    return room
