"""A conversation about one item, and structured answers; replies are cached, so none is paid for twice."""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from time import perf_counter
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from studium.core.domain.finding import Finding, Severity
from studium.core.domain.run import current_context
from studium.core.domain.skill import Skill
from studium.core.domain.usage import Call, CallOutcome, Turn
from studium.core.llm.client import ModelClient, NoAnswer
from studium.core.llm.messages import Message, Reply, ResponseFormat, assistant, user

_log = logging.getLogger(__name__)
Value = TypeVar("Value")


@dataclass(frozen=True)
class ParsedReply(Generic[Value]):
    """A parsed reply; `problem` tells the model what is wrong with it."""

    value: Value
    problem: str | None = None


class Conversation:
    """The messages so far, and the cache key of the next reply."""

    def __init__(
        self, client: ModelClient, skill: Skill[Any], form: ResponseFormat, messages: Iterable[Message]
    ) -> None:
        self.client = client
        self.skill = skill
        self.is_cached = True
        self._form = form
        self._messages: list[Message] = []
        self._keys: list[str] = []
        # The hash grows with the messages, so that a long conversation is not hashed again at each turn.
        self._hash = sha256(form.fingerprint)
        self.say(*messages)

    def say(self, *messages: Message) -> None:
        """Add messages to the conversation."""
        for message in messages:
            self._messages.append(message)
            text = json.dumps(message, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
            self._hash.update(text.encode("utf-8", "surrogatepass") + b"\n")

    async def ask(self, read: Callable[[Reply], ParsedReply[Value]]) -> ParsedReply[Value]:
        """The model's next reply, as `read` understands it."""
        key = self._hash.hexdigest()
        self._keys.append(key)
        async with self.client.key_lock(key):
            reading, reply, call = await self._recall(key, read) or await self._pay(key, read)
        self.say(assistant(reply))
        self._log_turn(call)
        return reading

    async def forget(self) -> None:
        """Drop the replies of this conversation from the cache, so that the next run asks again."""
        await asyncio.to_thread(self.client.turns.forget, self._keys)

    def fail(self, code: str, message: str) -> NoAnswer:
        """The error for a conversation without a usable answer."""
        finding = Finding(code=code, severity=Severity.ERROR, message=f"{self.client.spec.name} {message}")
        return NoAnswer(finding, discard_replies=True)

    async def _recall(
        self, key: str, read: Callable[[Reply], ParsedReply[Value]]
    ) -> tuple[ParsedReply[Value], Reply, Call] | None:
        start = perf_counter()
        turn = await asyncio.to_thread(self.client.turns.recall, key)
        if turn is None:
            return None
        reply = Reply.from_json(turn.reply)
        reading = read(reply)
        call = self._call(reading, seconds=perf_counter() - start, cost=0.0, cached=True)
        current_context().calls.append(call)
        return reading, reply, call

    async def _pay(
        self, key: str, read: Callable[[Reply], ParsedReply[Value]]
    ) -> tuple[ParsedReply[Value], Reply, Call]:
        self.is_cached = False
        paid = await self.client.call(self.skill, self._messages, self._form)
        reading = read(paid.reply)
        call = self._call(
            reading,
            seconds=paid.seconds,
            input_tokens=paid.input_tokens,
            output_tokens=paid.output_tokens,
            cost=paid.cost,
        )
        turn = Turn(key=key, skill=self.skill.name, model=self.client.spec.name, reply=paid.reply.to_json())
        context = current_context()
        await asyncio.to_thread(self.client.turns.remember, turn, call, run=context.run, item=context.item)
        return reading, paid.reply, call

    def _call(self, reading: ParsedReply[Any], **taken: Any) -> Call:
        outcome = CallOutcome.INVALID if reading.problem else CallOutcome.ANSWERED
        return Call(skill=self.skill.name, role=self.skill.role, model=self.client.spec.name, outcome=outcome, **taken)

    def _log_turn(self, call: Call) -> None:
        is_invalid = call.outcome is CallOutcome.INVALID
        level = logging.WARNING if is_invalid else logging.DEBUG
        if _log.isEnabledFor(level):
            about = {"turn": len(self._keys), **call.model_dump(mode="json", exclude={"outcome"})}
            _log.log(level, "the model's reply is invalid" if is_invalid else "the model replied", extra=about)


_FENCED = re.compile(r"\s*+```\w*+[^\S\n]*+\n(.*?)(?<!\s)\s*```\s*+", re.DOTALL)
_THOUGHTS = re.compile(r"(?<!\s)\s*<think>.*?</think>\s*", re.DOTALL)
_MOST_PROBLEMS = 5
_SECOND_TRY = (
    "That answer cannot be used: {problem}\nAnswer again with nothing but one JSON object that satisfies the schema."
)


async def answer_structured(conversation: Conversation) -> BaseModel:
    """Ask for JSON; ask once more with the mistake shown; then give up."""
    output = conversation.skill.final_tools[0].output
    reading = await conversation.ask(lambda reply: read_output(reply, output))
    if reading.problem:
        conversation.say(user(_SECOND_TRY.format(problem=reading.problem)))
        reading = await conversation.ask(lambda reply: read_output(reply, output))
    if reading.value is None:
        raise conversation.fail("mind.invalid_output", f"gave no usable answer in two tries: {reading.problem}")
    return reading.value


def read_output(reply: Reply, output: type[BaseModel]) -> ParsedReply[BaseModel | None]:
    """The output in a reply: JSON text, or the arguments of a tool call."""
    if reply.is_empty:
        return ParsedReply(None, _with_cut(reply, "it is empty."))
    try:
        if reply.tool_calls:
            return ParsedReply(output.model_validate(reply.tool_calls[0]["args"]))
        return ParsedReply(output.model_validate_json(bare_text(reply.text)))
    except ValidationError as error:
        return ParsedReply(None, _with_cut(reply, describe_errors(error)))


def bare_text(text: str) -> str:
    """The text without the thinking before it and the code fence around it."""
    text = strip_thinking(text)
    fenced = _FENCED.fullmatch(text)
    return fenced[1] if fenced else text


def strip_thinking(text: str) -> str:
    """The text without the model's thinking before it."""
    return _THOUGHTS.sub("", text, count=1)


def describe_errors(error: ValidationError) -> str:
    """The validation errors in words, for the model and for the finding."""
    found: list[Any] = error.errors(include_url=False, include_input=False)
    mistakes = [f"{'.'.join(map(str, each['loc'])) or 'the answer'}: {each['msg']}" for each in found[:_MOST_PROBLEMS]]
    more = [f"and {len(found) - _MOST_PROBLEMS} more"] if len(found) > _MOST_PROBLEMS else []
    return "; ".join(mistakes + more) + "."


def _with_cut(reply: Reply, problem: str) -> str:
    return f"it was cut at the token limit (max_tokens); {problem}" if reply.cut else problem
