"""Models without a chat model: rules, scripts for tests, and the router that chooses a model for each role."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from threading import Lock
from time import perf_counter
from typing import Any, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel

from studium.core.domain.ports import Model
from studium.core.domain.run import current_context, emit_text
from studium.core.domain.skill import Answer, Skill, Tool
from studium.core.domain.usage import Call, CallOutcome

Output = TypeVar("Output")
Rule = Callable[[Any, Sequence[Tool]], Any | Awaitable[Any]]


class RulesModel:
    """Answers each skill with the rule of its name; a rule returns an output, or an `Answer` with findings.

    Given a function instead of rules, it loads the rules of a feature with the first skill of that feature.
    """

    def __init__(self, rules: Mapping[str, Rule] | Callable[[str], Mapping[str, Rule]]) -> None:
        self._load = rules if callable(rules) else None
        self._rules = {} if callable(rules) else dict(rules)
        self._loaded: set[str] = set()
        self._lock = Lock()

    async def answer(self, skill: Skill[Output], given: BaseModel, *, tools: Sequence[Tool] = ()) -> Answer[Output]:
        """Apply the rule of this skill."""
        feature = skill.name.partition(".")[0]
        if self._load and feature not in self._loaded:
            await asyncio.to_thread(self._load_rules, feature)
        if skill.name not in self._rules:
            raise LookupError(f"no rule answers the skill {skill.name}; there are rules for {', '.join(self._rules)}")
        start = perf_counter()
        answer = await apply_rule(self._rules[skill.name], given, tools)
        outcome = CallOutcome.FAILED if answer.output is None else CallOutcome.ANSWERED
        seconds = perf_counter() - start
        if skill.is_text and answer.output is not None:
            emit_text(answer.output.text)
        call = Call(skill=skill.name, role=skill.role, model="rules", outcome=outcome, seconds=seconds, cost=0.0)
        current_context().calls.append(call)
        return answer

    def _load_rules(self, feature: str) -> None:
        with self._lock:
            if self._load and feature not in self._loaded:
                self._rules.update(self._load(feature))
                self._loaded.add(feature)


async def apply_rule(rule: Rule, given: BaseModel, tools: Sequence[Tool]) -> Answer[Any]:
    """Call a rule, async or not, and wrap its output in an `Answer`."""
    output = rule(given, tools)
    if isawaitable(output):
        output = await output
    return output if isinstance(output, Answer) else Answer(output)


@dataclass(frozen=True)
class ScriptedCall:
    """One call of a scripted model."""

    skill: str
    given: BaseModel
    tools: tuple[str, ...]


class ScriptedModel:
    """Answers each skill from a script: a sequence of outputs, or a function of the input."""

    def __init__(self, answers: Mapping[str, Sequence[Any] | Rule]) -> None:
        self.asked: list[ScriptedCall] = []
        self._rules = {
            name: script if callable(script) else _in_order(name, script) for name, script in answers.items()
        }

    async def answer(self, skill: Skill[Output], given: BaseModel, *, tools: Sequence[Tool] = ()) -> Answer[Output]:
        """Return the next answer of the script."""
        self.asked.append(ScriptedCall(skill.name, given, tuple(tool.name for tool in tools)))
        if skill.name not in self._rules:
            raise LookupError(f"the script has no answers to {skill.name}")
        return await apply_rule(self._rules[skill.name], given, tools)


def _in_order(skill: str, answers: Sequence[Any]) -> Callable[[Any, Sequence[Tool]], Any]:
    left = iter(answers)

    def rule(_given: Any, _tools: Sequence[Tool]) -> Any:
        for answer in left:
            return answer
        raise LookupError(f"the script has only {len(answers)} answers to {skill}")

    return rule


@runtime_checkable
class Closable(Protocol):
    """A model that holds connections."""

    async def aclose(self) -> None:
        """Close the connections."""
        ...


class ModelRouter:
    """Sends each skill to the model of its role, or to the default model."""

    def __init__(self, models: Mapping[str, Model], default: Model) -> None:
        self._models = models
        self._default = default

    @property
    def uses_network(self) -> bool:
        """Whether any of these models calls a server."""
        return any(isinstance(model, Closable) for model in (*self._models.values(), self._default))

    async def answer(self, skill: Skill[Output], given: BaseModel, *, tools: Sequence[Tool] = ()) -> Answer[Output]:
        """Answer with the model of the skill's role."""
        return await self._models.get(skill.role, self._default).answer(skill, given, tools=tools)

    async def aclose(self) -> None:
        """Close every model that holds connections, once."""
        models = {id(model): model for model in (*self._models.values(), self._default)}
        for model in models.values():
            if isinstance(model, Closable):
                await model.aclose()
