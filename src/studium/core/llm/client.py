"""The line to one model: calls that are paced, budgeted, timed, retried and counted."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from random import random
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from studium.core.domain.finding import Finding, Severity
from studium.core.domain.ports import TurnStore
from studium.core.domain.run import current_context, emit_text
from studium.core.domain.skill import Skill
from studium.core.domain.usage import Call, CallOutcome
from studium.core.llm.faults import Fault, diagnose, fatal_error, fault_finding
from studium.core.llm.messages import Message, Reply, ResponseFormat, from_langchain, to_langchain
from studium.core.llm.providers import ModelSpec, ProviderClient, build_chat_model
from studium.core.telemetry.tracing import span

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
    from langchain_core.runnables import Runnable


_OPENS, _CLOSES = "<think>", "</think>"


class ThinkFilter:
    """Lets the words of an answer through, but not the thoughts that some models write before it."""

    def __init__(self) -> None:
        self._held: str | None = ""

    def hear(self, piece: str) -> str:
        """What of this piece is to be told."""
        if self._held is None:
            return piece
        self._held += piece
        begun = self._held.lstrip()
        if _CLOSES in begun:
            told = begun.partition(_CLOSES)[2].lstrip()
        elif begun.startswith(_OPENS) or _OPENS.startswith(begun):
            return ""
        else:
            told = self._held
        self._held = None
        return told


SECONDS_PER_MINUTE = 60.0


class RateLimiter:
    """Lets a call through when there is room and its turn has come; the starts are evenly spaced."""

    def __init__(
        self,
        max_concurrency: int,
        requests_per_minute: float | None = None,
        *,
        model: str = "",
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._room = asyncio.Semaphore(max_concurrency)
        self._spacing = SECONDS_PER_MINUTE / requests_per_minute if requests_per_minute else 0.0
        self._model = model
        self._next_start = 0.0
        self._clock = clock
        self._sleep = sleep

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for the turn of one call, and hold its place while the block runs."""
        async with self._room:
            if self._spacing:
                await self._wait_for_slot()
            yield

    async def _wait_for_slot(self) -> None:
        shared = current_context().shared
        if shared:
            wait = await asyncio.to_thread(shared.take_slot, self._model, self._spacing)
        else:
            wait = self._take_slot()
        if wait > 0:
            await self._sleep(wait)

    def _take_slot(self) -> float:
        now = self._clock()
        start = max(now, self._next_start)
        self._next_start = start + self._spacing
        return start - now


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
class Completion:
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

    client: ProviderClient
    pace: RateLimiter
    bound: "dict[bytes, Runnable[Any, Any]]" = field(default_factory=dict)


class ModelClient:
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

    async def call(self, skill: Skill[Any], messages: Sequence[Message], form: ResponseFormat) -> Completion:
        """One reply of the model. A fault that may pass is waited out; one that stays is raised."""
        for attempt in count(1):
            reply = await self._attempt(skill, messages, form)
            if isinstance(reply, Completion):
                return reply
            if not reply.is_transient or attempt > self.spec.retries:
                finding = fault_finding(reply, self.spec, skill.name, attempt)
                raise fatal_error(reply, self.spec) or NoAnswer(finding)
            await self._wait(reply, skill, attempt)
        raise AssertionError("the attempts never end by themselves")

    async def aclose(self) -> None:
        """Give the connections of this event loop back."""
        if connection := self._connections.pop(asyncio.get_running_loop(), None):
            await connection.client.close()

    async def _attempt(
        self, skill: Skill[Any], messages: Sequence[Message], form: ResponseFormat
    ) -> Completion | Fault:
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
                        message = await (_stream_reply(model, asked) if is_heard else model.ainvoke(asked))
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
            pace = RateLimiter(self.spec.max_concurrency, self.spec.requests_per_minute, model=self.spec.name)
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

    def _paid(self, message: "AIMessage", seconds: float) -> Completion:
        used: dict[str, Any] = dict(message.usage_metadata or {})
        tokens = used.get("input_tokens", 0), used.get("output_tokens", 0)
        return Completion(from_langchain(message), seconds, *tokens, self.spec.cost(*tokens))

    async def _count_failure(self, skill: Skill[Any], seconds: float) -> None:
        call = Call(
            skill=skill.name,
            role=skill.role,
            model=self.spec.name,
            outcome=CallOutcome.FAILED,
            seconds=seconds,
            cost=0.0,
        )
        context = current_context()
        await asyncio.to_thread(self.turns.remember, None, call, run=context.run, item=context.item)

    async def _wait(self, fault: Fault, skill: Skill[Any], attempt: int) -> None:
        delay = fault.delay(attempt, self._random)
        about = {"skill": skill.name, "model": self.spec.name, "attempt": attempt, "fault": fault.kind.name.lower()}
        _log.warning("model call failed; trying again", extra={**about, "wait": round(delay, 3)})
        await self._sleep(delay)


async def _stream_reply(model: "Runnable[Any, Any]", asked: "list[BaseMessage]") -> "AIMessage":
    """The reply, told piece by piece while it comes."""
    spoken = ThinkFilter()
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
