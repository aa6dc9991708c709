"""The rules mind: every skill answered by code, deterministic and without a model."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import isawaitable
from time import perf_counter
from typing import Any, TypeVar

from pydantic import BaseModel

from studium.domain.assignment import current_context, emit_text
from studium.domain.skill import Answer, Skill, Tool
from studium.domain.usage import Call, Outcome

Output = TypeVar("Output")
Rule = Callable[[Any, Sequence[Tool]], Any | Awaitable[Any]]


class RulesMind:
    """Answers each skill by the rule of its name; a rule returns an output, or an `Answer` with findings."""

    def __init__(self, rules: Mapping[str, Rule]) -> None:
        self._rules = rules

    async def answer(self, skill: Skill[Output], given: BaseModel, *, tools: Sequence[Tool] = ()) -> Answer[Output]:
        """Apply the rule of this skill."""
        if skill.name not in self._rules:
            raise LookupError(f"no rule answers the skill {skill.name}; there are rules for {', '.join(self._rules)}")
        start = perf_counter()
        answer = await follow(self._rules[skill.name], given, tools)
        outcome = Outcome.FAILED if answer.output is None else Outcome.ANSWERED
        seconds = perf_counter() - start
        if skill.prose and answer.output is not None:
            emit_text(answer.output.text)
        call = Call(skill=skill.name, role=skill.role, model="rules", outcome=outcome, seconds=seconds, cost=0.0)
        current_context().calls.append(call)
        return answer


async def follow(rule: Rule, given: BaseModel, tools: Sequence[Tool]) -> Answer[Any]:
    """What a rule answers, whether it is async or not and whether it says so in an `Answer` or not."""
    output = rule(given, tools)
    if isawaitable(output):
        output = await output
    return output if isinstance(output, Answer) else Answer(output)
