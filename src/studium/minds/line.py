"""The line to one model: calls that are paced, budgeted, timed, retried and counted."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from random import random
from time import perf_counter
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from studium.domain.assignment import current_context, emit_text
from studium.domain.finding import Finding, Severity
from studium.domain.ports import TurnStore
from studium.domain.skill import Skill
from studium.domain.usage import Call, Outcome
from studium.minds.faults import Fault, diagnose, final_error, finding_of
from studium.minds.forms import Form
from studium.minds.listening import WithoutThoughts
from studium.minds.messages import Message, Reply, from_langchain, to_langchain
from studium.minds.pace import Pace
from studium.minds.providers import Client, ModelSpec, build_chat_model
from studium.observe.tracing import span

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
    from langchain_core.runnables import Runnable

_log = logging.getLogger(__name__)
_CHARACTERS_PER_TOKEN = 4
_USUAL_REPLY_TOKENS = 500


class NoAnswer(Exception):
    """This item gets no answer. `led_nowhere` says that the replies so far are not worth keeping."""

    def __init__(self, finding: Finding, *, led_nowhere: bool = False) -> None:
        super().__init__(finding.message)
        self.finding = finding
        self.led_nowhere = led_nowhere


@dataclass(frozen=True)
class Paid:
    """A reply and what it took."""

    reply: Reply
    seconds: float
    input_tokens: int
    output_tokens: int
    cost: float | None


@dataclass
class _Taken:
    """What a call has taken so far: nothing, until the reply is there."""

    tokens: int = 0
    cost: float = 0.0


@dataclass
class _Connection:
    """The client and the pace of one event loop: neither can be used on another."""

    client: Client
    pace: Pace
    bound: "dict[bytes, Runnable[Any, Any]]" = field(default_factory=dict)


class Line:
    """Whoever calls this model calls through here."""

    def __init__(
        self,
        spec: ModelSpec,
        turns: TurnStore,
        *,
        random: Callable[[], float] = random,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.spec = spec
        self.turns = turns
        self._random = random
        self._sleep = sleep
        self._connections: WeakKeyDictionary[asyncio.AbstractEventLoop, _Connection] = WeakKeyDictionary()
        self._asking: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()

    def asking(self, key: str) -> asyncio.Lock:
        """What those who ask the same at the same time must hold, so that one of them pays and the others recall."""
        return self._asking.setdefault((id(asyncio.get_running_loop()), key), asyncio.Lock())

    async def call(self, skill: Skill[Any], messages: Sequence[Message], form: Form) -> Paid:
        """One reply of the model. A fault that may pass is waited out; one that stays is raised."""
        for attempt in count(1):
            reply = await self._attempt(skill, messages, form)
            if isinstance(reply, Paid):
                return reply
            if not reply.is_transient or attempt > self.spec.retries:
                finding = finding_of(reply, self.spec, skill.name, attempt)
                raise final_error(reply, self.spec) or NoAnswer(finding)
            await self._wait(reply, skill, attempt)
        raise AssertionError("the attempts never end by themselves")

    async def aclose(self) -> None:
        """Give the connections of this event loop back."""
        if connection := self._connections.pop(asyncio.get_running_loop(), None):
            await connection.client.close()

    async def _attempt(self, skill: Skill[Any], messages: Sequence[Message], form: Form) -> Paid | Fault:
        connection = self._connect()
        if form.fingerprint not in connection.bound:
            connection.bound[form.fingerprint] = form.bind(connection.client.model, self.spec)
        model = connection.bound[form.fingerprint]
        asked = to_langchain(messages)
        async with connection.pace.turn(), self._reserved(messages) as taken:
            with span("model.call", skill=skill.name, model=self.spec.name):
                start = perf_counter()
                try:
                    async with asyncio.timeout(self.spec.timeout):
                        is_heard = form.prose and current_context().on_text is not None
                        message = await (_heard(model, asked) if is_heard else model.ainvoke(asked))
                # Every client has exceptions of its own; what is no fault of a call is raised again.
                except Exception as error:
                    if (fault := diagnose(error)) is None:
                        raise
                    await self._count_failure(skill, perf_counter() - start)
                    return fault
                paid = self._paid(message, perf_counter() - start)
                taken.tokens, taken.cost = paid.input_tokens + paid.output_tokens, paid.cost or 0.0
                return paid

    def _connect(self) -> _Connection:
        loop = asyncio.get_running_loop()
        if loop not in self._connections:
            pace = Pace(self.spec.max_concurrency, self.spec.requests_per_minute, model=self.spec.name)
            self._connections[loop] = _Connection(build_chat_model(self.spec), pace)
        return self._connections[loop]

    @asynccontextmanager
    async def _reserved(self, messages: Sequence[Message]) -> AsyncIterator[_Taken]:
        """Set aside what a call may take; in the end only what it really took is spent."""
        context = current_context()
        asked = sum(len(message.get("text", "")) for message in messages) // _CHARACTERS_PER_TOKEN
        replied = self.spec.max_tokens or _USUAL_REPLY_TOKENS
        cost = self.spec.cost(asked, replied) or 0.0
        if refusal := await context.reserve(tokens=asked + replied, cost=cost):
            raise NoAnswer(Finding(code="budget.spent", severity=Severity.ERROR, message=f"Not asked: {refusal}."))
        taken = _Taken()
        try:
            yield taken
        finally:
            await context.settle(
                reserved_tokens=asked + replied, reserved_cost=cost, tokens=taken.tokens, cost=taken.cost
            )

    def _paid(self, message: "AIMessage", seconds: float) -> Paid:
        used: dict[str, Any] = dict(message.usage_metadata or {})
        tokens = used.get("input_tokens", 0), used.get("output_tokens", 0)
        return Paid(from_langchain(message), seconds, *tokens, self.spec.cost(*tokens))

    async def _count_failure(self, skill: Skill[Any], seconds: float) -> None:
        call = Call(
            skill=skill.name, role=skill.role, model=self.spec.name, outcome=Outcome.FAILED, seconds=seconds, cost=0.0
        )
        context = current_context()
        await asyncio.to_thread(self.turns.remember, None, call, run=context.run, item=context.item)

    async def _wait(self, fault: Fault, skill: Skill[Any], attempt: int) -> None:
        delay = fault.delay(attempt, self._random)
        about = {"skill": skill.name, "model": self.spec.name, "attempt": attempt, "fault": fault.kind.name.lower()}
        _log.warning("model call failed; trying again", extra={**about, "wait": round(delay, 3)})
        await self._sleep(delay)


async def _heard(model: "Runnable[Any, Any]", asked: "list[BaseMessage]") -> "AIMessage":
    """The reply, told piece by piece while it comes."""
    spoken = WithoutThoughts()
    whole: AIMessageChunk | None = None
    try:
        async for piece in model.astream(asked):
            emit_text(spoken.hear(piece.text))
            whole = piece if whole is None else whole + piece
    # Every client has exceptions of its own. What was heard cannot be unheard, so it is not tried again.
    except Exception as error:
        if whole is None:
            raise
        message = f"The answer broke off: {error}"
        raise NoAnswer(Finding(code="mind.broken_off", severity=Severity.ERROR, message=message)) from error
    if whole is None:
        raise ConnectionResetError("the stream ended before it began")
    return whole
