"""The chat mind: any chat model that LangChain can reach answers a skill."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from random import random
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from studium.domain.ports import TurnStore
from studium.domain.skill import Answer, Skill, Tool
from studium.minds.conversation import Conversation
from studium.minds.forms import Form, prose_form, schema_form, text_form, tools_form
from studium.minds.line import Line, NoAnswer
from studium.minds.manners import STOP, NativeCalls, TextCalls, text_rules
from studium.minds.messages import system, user
from studium.minds.prompts import Folder, Prompt, load_prompt
from studium.minds.prose import answer_in_prose
from studium.minds.providers import ModelSpec
from studium.minds.structured import answer_structured
from studium.minds.toolloop import answer_with_tools
from studium.observe.tracing import span

Output = TypeVar("Output")


class ChatMind:
    """Answers skills with one model, through prompts from the first of `prompts` that has them.

    What a model replied is kept in `turns`, so that a question is paid for once.
    Close it on the event loop that used it.
    """

    def __init__(
        self,
        spec: ModelSpec,
        turns: TurnStore,
        prompts: Sequence[Folder],
        *,
        random: Callable[[], float] = random,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.spec = spec
        self._line = Line(spec, turns, random=random, sleep=sleep)
        self._folders = prompts
        self._prompts: dict[str, Prompt] = {}
        self._forms: dict[Any, Form] = {}

    async def answer(self, skill: Skill[Output], given: BaseModel, *, tools: Sequence[Tool] = ()) -> Answer[Output]:
        """Ask the model; what goes wrong for this item alone comes back as a finding."""
        conversation = Conversation(self._line, skill, self._form(skill, tools), self._opening(skill, given, tools))
        with span("mind.answer", skill=skill.name, model=self.spec.name):
            try:
                output = await self._converse(conversation, tools)
            except NoAnswer as end:
                if end.led_nowhere:
                    await conversation.forget()
                return Answer(None, (end.finding,))
        return Answer(cast("Output", output), cached=conversation.is_cached)

    async def aclose(self) -> None:
        """Give the connections of this event loop back."""
        await self._line.aclose()

    async def _converse(self, conversation: Conversation, tools: Sequence[Tool]) -> BaseModel:
        if conversation.skill.prose:
            return await answer_in_prose(conversation)
        if _is_plain(conversation.skill, tools):
            return await answer_structured(conversation)
        manner = NativeCalls() if self.spec.tools == "native" else TextCalls(tools, conversation.skill.endings)
        return await answer_with_tools(conversation, tools, manner)

    def _form(self, skill: Skill[Any], tools: Sequence[Tool]) -> Form:
        # Tools are made anew for each item, around what they search in; what the model sees of them stays the same.
        key = (skill, tuple((tool.name, tool.description, tool.arguments) for tool in tools))
        if key not in self._forms:
            self._forms[key] = self._make_form(skill, tools)
        return self._forms[key]

    def _make_form(self, skill: Skill[Any], tools: Sequence[Tool]) -> Form:
        if skill.prose:
            return prose_form(skill, self.spec)
        if _is_plain(skill, tools):
            return schema_form(skill, self.spec)
        if self.spec.tools == "native":
            return tools_form(skill, self.spec, tools)
        return text_form(skill, self.spec, STOP)

    def _opening(self, skill: Skill[Any], given: BaseModel, tools: Sequence[Tool]) -> list[dict[str, Any]]:
        if skill.name not in self._prompts:
            self._prompts[skill.name] = load_prompt(skill.name, self._folders)
        told, asked = self._prompts[skill.name].render(given)
        return [system(told + self._protocol(skill, tools)), user(asked)]

    def _protocol(self, skill: Skill[Any], tools: Sequence[Tool]) -> str:
        """What the model is told because its server cannot enforce it."""
        if skill.prose:
            return ""
        if not _is_plain(skill, tools):
            return "" if self.spec.tools == "native" else "\n\n" + text_rules(tools, skill.endings)
        if self.spec.structured != "json_mode":
            return ""
        schema = json.dumps(self._form(skill, tools).schema, ensure_ascii=False, separators=(",", ":"))
        return f"\n\nAnswer with one JSON object of this schema: {schema}"


def _is_plain(skill: Skill[Any], tools: Sequence[Tool]) -> bool:
    """Whether one JSON answer is all that is wanted."""
    return not tools and len(skill.endings) == 1
