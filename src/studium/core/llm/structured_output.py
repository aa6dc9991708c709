"""Structured answers: JSON of one schema, validated by us, with one informed second try."""

import re
from typing import Any

from pydantic import BaseModel, ValidationError

from studium.core.llm.conversation import Conversation, ParsedReply
from studium.core.llm.messages import Reply, user

_FENCED = re.compile(r"\s*```\w*\s*\n(.*?)\n?\s*```\s*", re.DOTALL)
_THOUGHTS = re.compile(r"\s*<think>.*?</think>\s*", re.DOTALL)
_MOST_PROBLEMS = 5
_SECOND_TRY = (
    "That answer cannot be used: {problem}\nAnswer again with nothing but one JSON object that satisfies the schema."
)


async def answer_structured(conversation: Conversation) -> BaseModel:
    """Ask for JSON; ask once more with the mistake shown; then give up."""
    output = conversation.skill.endings[0].output
    reading = await conversation.ask(lambda reply: read_output(reply, output))
    if reading.problem:
        conversation.say(user(_SECOND_TRY.format(problem=reading.problem)))
        reading = await conversation.ask(lambda reply: read_output(reply, output))
    if reading.value is None:
        raise conversation.fail("mind.invalid_output", f"gave no usable answer in two tries: {reading.problem}")
    return reading.value


def read_output(reply: Reply, output: type[BaseModel]) -> ParsedReply[BaseModel | None]:
    """The output in a reply, be it JSON text or the arguments of a call."""
    if reply.is_empty:
        return ParsedReply(None, _with_cut(reply, "it is empty."))
    try:
        if reply.tool_calls:
            return ParsedReply(output.model_validate(reply.tool_calls[0]["args"]))
        return ParsedReply(output.model_validate_json(bare_text(reply.text)))
    except ValidationError as error:
        return ParsedReply(None, _with_cut(reply, describe_errors(error)))


def bare_text(text: str) -> str:
    """The text without the thoughts before it and the code fence around it."""
    text = strip_thinking(text)
    fenced = _FENCED.fullmatch(text)
    return fenced[1] if fenced else text


def strip_thinking(text: str) -> str:
    """The text without what a model thought aloud before it."""
    return _THOUGHTS.sub("", text, count=1)


def describe_errors(error: ValidationError) -> str:
    """The mistakes in words for the model and for the person who reads the finding."""
    found: list[Any] = error.errors(include_url=False, include_input=False)
    mistakes = [f"{'.'.join(map(str, each['loc'])) or 'the answer'}: {each['msg']}" for each in found[:_MOST_PROBLEMS]]
    more = [f"and {len(found) - _MOST_PROBLEMS} more"] if len(found) > _MOST_PROBLEMS else []
    return "; ".join(mistakes + more) + "."


def _with_cut(reply: Reply, problem: str) -> str:
    return f"it was cut at the token limit (max_tokens); {problem}" if reply.cut else problem
