"""A model for skills: any chat model that LangChain supports."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from random import random
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from studium.core.domain.ports import TurnStore
from studium.core.domain.run import emit_text
from studium.core.domain.skill import Answer, Skill, TextAnswer, Tool
from studium.core.llm.client import ModelClient, NoAnswer
from studium.core.llm.conversation import Conversation, ParsedReply, answer_structured, strip_thinking
from studium.core.llm.messages import (
    Message,
    Reply,
    ResponseFormat,
    react_format,
    schema_format,
    system,
    text_format,
    tools_format,
    user,
)
from studium.core.llm.prompts import Prompt, PromptFolder, load_prompt
from studium.core.llm.providers import ModelSpec
from studium.core.llm.tool_loop import REACT_STOP, NativeToolCalls, TextToolCalls, answer_with_tools, react_instructions
from studium.core.telemetry import span


async def answer_in_text(conversation: Conversation) -> TextAnswer:
    """Ask for plain text; a cached answer is emitted at once, a new one was emitted while it arrived."""
    reading = await conversation.ask(_read)
    if reading.problem:
        raise conversation.fail("mind.invalid_output", f"said nothing: {reading.problem}")
    if conversation.is_cached:
        emit_text(reading.value)
    return TextAnswer(text=reading.value)


def _read(reply: Reply) -> ParsedReply[str]:
    text = strip_thinking(reply.text).strip()
    return ParsedReply(text, None if text else "the answer is empty.")


Output = TypeVar("Output")


class ChatModel:
    """Answers skills with one model; each prompt comes from the first folder of `prompts` that has it.

    What a model replied is kept in `turns`, so that a question is paid for once.
    Close it on the event loop that used it.
    """

    def __init__(
        self,
        spec: ModelSpec,
        turns: TurnStore,
        prompts: Sequence[PromptFolder],
        *,
        random: Callable[[], float] = random,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.spec = spec
        self._client = ModelClient(spec, turns, random=random, sleep=sleep)
        self._folders = prompts
        self._prompts: dict[str, Prompt] = {}
        self._forms: dict[Any, ResponseFormat] = {}

    async def answer(self, skill: Skill[Output], given: BaseModel, *, tools: Sequence[Tool] = ()) -> Answer[Output]:
        """Ask the model; a failure that concerns only this item is returned as a finding."""
        conversation = Conversation(self._client, skill, self._form(skill, tools), self._opening(skill, given, tools))
        with span("mind.answer", skill=skill.name, model=self.spec.name):
            try:
                output = await self._converse(conversation, tools)
            except NoAnswer as end:
                if end.discard_replies:
                    await conversation.forget()
                return Answer(None, (end.finding,))
        return Answer(cast("Output", output), cached=conversation.is_cached)

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        await self._client.aclose()

    async def _converse(self, conversation: Conversation, tools: Sequence[Tool]) -> BaseModel:
        if conversation.skill.is_text:
            return await answer_in_text(conversation)
        if _is_plain(conversation.skill, tools):
            return await answer_structured(conversation)
        manner = (
            NativeToolCalls() if self.spec.tools == "native" else TextToolCalls(tools, conversation.skill.final_tools)
        )
        return await answer_with_tools(conversation, tools, manner)

    def _form(self, skill: Skill[Any], tools: Sequence[Tool]) -> ResponseFormat:
        # Each item has its own tools, bound to what they search in; what the model sees of them is the same.
        key = (skill, tuple((tool.name, tool.description, tool.arguments) for tool in tools))
        if key not in self._forms:
            self._forms[key] = self._make_form(skill, tools)
        return self._forms[key]

    def _make_form(self, skill: Skill[Any], tools: Sequence[Tool]) -> ResponseFormat:
        if skill.is_text:
            return text_format(skill, self.spec)
        if _is_plain(skill, tools):
            return schema_format(skill, self.spec)
        if self.spec.tools == "native":
            return tools_format(skill, self.spec, tools)
        return react_format(skill, self.spec, REACT_STOP)

    def _opening(self, skill: Skill[Any], given: BaseModel, tools: Sequence[Tool]) -> list[Message]:
        if skill.name not in self._prompts:
            self._prompts[skill.name] = load_prompt(skill.name, self._folders)
        instructions, asked = self._prompts[skill.name].render(given)
        return [system(instructions + self._protocol(skill, tools)), user(asked)]

    def _protocol(self, skill: Skill[Any], tools: Sequence[Tool]) -> str:
        """Instructions for what the model's server cannot enforce."""
        if skill.is_text:
            return ""
        if not _is_plain(skill, tools):
            return "" if self.spec.tools == "native" else "\n\n" + react_instructions(tools, skill.final_tools)
        if self.spec.structured != "json_mode":
            return ""
        schema = json.dumps(self._form(skill, tools).schema, ensure_ascii=False, separators=(",", ":"))
        return f"\n\nAnswer with one JSON object of this schema: {schema}"


def _is_plain(skill: Skill[Any], tools: Sequence[Tool]) -> bool:
    """Whether the skill ends with one JSON answer."""
    return not tools and len(skill.final_tools) == 1
