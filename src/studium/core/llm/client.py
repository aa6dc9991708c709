"""The client of one model: calls are rate-limited, budgeted, timed, retried and counted."""

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
from studium.core.telemetry import span

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
    from langchain_core.runnables import Runnable


_OPENS, _CLOSES = "<think>", "</think>"


class ThinkFilter:
    """Passes on a streamed answer without the `<think>` block that some models write first."""

    def __init__(self) -> None:
        self._held: str | None = ""

    def feed(self, piece: str) -> str:
        """The part of this piece that belongs to the answer."""
        if self._held is None:
            return piece
        self._held += piece
        start = self._held.lstrip()
        if _CLOSES in start:
            answer = start.partition(_CLOSES)[2].lstrip()
        elif start.startswith(_OPENS) or _OPENS.startswith(start):
            return ""
        else:
            answer = self._held
        self._held = None
        return answer


SECONDS_PER_MINUTE = 60.0


class RateLimiter:
    """Limits concurrent calls, and spaces their starts evenly."""

    def __init__(
        self,
        max_concurrency: int,
        requests_per_minute: float | None = None,
        *,
        model: str = "",
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._concurrency = asyncio.Semaphore(max_concurrency)
        self._spacing = SECONDS_PER_MINUTE / requests_per_minute if requests_per_minute else 0.0
        self._model = model
        self._next_start = 0.0
        self._clock = clock
        self._sleep = sleep

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a free slot, and hold it while the block runs."""
        async with self._concurrency:
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
    """This item gets no answer; with `discard_replies`, the replies so far are dropped from the cache."""

    def __init__(self, finding: Finding, *, discard_replies: bool = False) -> None:
        super().__init__(finding.message)
        self.finding = finding
        self.discard_replies = discard_replies


@dataclass(frozen=True)
class Completion:
    """A reply with its duration, tokens and cost."""

    reply: Reply
    seconds: float
    input_tokens: int
    output_tokens: int
    cost: float | None


@dataclass
class _Spent:
    """What a call has spent: nothing until the reply is there."""

    tokens: int = 0
    cost: float = 0.0


@dataclass
class _Connection:
    """The client and rate limiter of one event loop; neither can be used on another."""

    client: ProviderClient
    rate_limiter: RateLimiter
    bound: "dict[bytes, Runnable[Any, Any]]" = field(default_factory=dict)


class ModelClient:
    """Calls one model, with retries, rate limit and budget."""

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
        self._key_locks: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()

    def key_lock(self, key: str) -> asyncio.Lock:
        """A lock for a cache key: of several equal requests one is paid for, and the others use its cached reply."""
        return self._key_locks.setdefault((id(asyncio.get_running_loop()), key), asyncio.Lock())

    async def call(self, skill: Skill[Any], messages: Sequence[Message], form: ResponseFormat) -> Completion:
        """One reply of the model; transient faults are retried, others are raised."""
        for attempt in count(1):
            reply = await self._attempt(skill, messages, form)
            if isinstance(reply, Completion):
                return reply
            if not reply.is_transient or attempt > self.spec.retries:
                finding = fault_finding(reply, self.spec, skill.name, attempt)
                raise fatal_error(reply, self.spec) or NoAnswer(finding)
            await self._wait(reply, skill, attempt)
        raise AssertionError("unreachable")

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
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
        async with connection.rate_limiter.slot(), self._reserved(messages) as spent:
            with span("model.call", skill=skill.name, model=self.spec.name):
                start = perf_counter()
                try:
                    async with asyncio.timeout(self.spec.timeout):
                        is_streamed = form.is_text and current_context().on_text is not None
                        message = await (_stream_reply(model, asked) if is_streamed else model.ainvoke(asked))
                # Every client has exceptions of its own; what is not a failed call is raised again.
                except Exception as error:
                    if (fault := diagnose(error)) is None:
                        raise
                    await self._count_failure(skill, perf_counter() - start)
                    return fault
                paid = self._completion(message, perf_counter() - start)
                spent.tokens, spent.cost = paid.input_tokens + paid.output_tokens, paid.cost or 0.0
                return paid

    def _connect(self) -> _Connection:
        loop = asyncio.get_running_loop()
        if loop not in self._connections:
            rate_limiter = RateLimiter(self.spec.max_concurrency, self.spec.requests_per_minute, model=self.spec.name)
            self._connections[loop] = _Connection(build_chat_model(self.spec), rate_limiter)
        return self._connections[loop]

    @asynccontextmanager
    async def _reserved(self, messages: Sequence[Message]) -> AsyncIterator[_Spent]:
        """Reserve what a call may cost; afterwards only what it really cost is spent."""
        context = current_context()
        asked = sum(len(message.get("text", "")) for message in messages) // _CHARACTERS_PER_TOKEN
        replied = self.spec.max_tokens or _USUAL_REPLY_TOKENS
        cost = self.spec.cost(asked, replied) or 0.0
        if refusal := await context.reserve(tokens=asked + replied, cost=cost):
            raise NoAnswer(Finding(code="budget.spent", severity=Severity.ERROR, message=f"Not asked: {refusal}."))
        spent = _Spent()
        try:
            yield spent
        finally:
            await context.settle(
                reserved_tokens=asked + replied, reserved_cost=cost, tokens=spent.tokens, cost=spent.cost
            )

    def _completion(self, message: "AIMessage", seconds: float) -> Completion:
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
    """The reply, emitted piece by piece as it arrives."""
    think_filter = ThinkFilter()
    whole: AIMessageChunk | None = None
    try:
        async for piece in model.astream(asked):
            emit_text(think_filter.feed(piece.text))
            whole = piece if whole is None else whole + piece
    # Every client has exceptions of its own. Emitted text cannot be taken back, so there is no retry.
    except Exception as error:
        if whole is None:
            raise
        message = f"The answer broke off: {error}"
        raise NoAnswer(Finding(code="mind.broken_off", severity=Severity.ERROR, message=message)) from error
    if whole is None:
        raise ConnectionResetError("the stream ended before its first piece")
    return whole
