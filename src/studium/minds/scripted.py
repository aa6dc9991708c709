"""The scripted mind: answers written down beforehand, for tests of whatever asks a mind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from studium.domain.skill import Answer, Skill, Tool
from studium.minds.rules import Rule, follow

Output = TypeVar("Output")


@dataclass(frozen=True)
class Asked:
    """What a scripted mind was asked."""

    skill: str
    given: BaseModel
    tools: tuple[str, ...]


class ScriptedMind:
    """Answers each skill from its script: outputs given one after the other, or a function of what is given."""

    def __init__(self, answers: Mapping[str, Sequence[Any] | Rule]) -> None:
        self.asked: list[Asked] = []
        self._rules = {
            name: script if callable(script) else _in_order(name, script) for name, script in answers.items()
        }

    async def answer(self, skill: Skill[Output], given: BaseModel, *, tools: Sequence[Tool] = ()) -> Answer[Output]:
        """Give the next answer of the script."""
        self.asked.append(Asked(skill.name, given, tuple(tool.name for tool in tools)))
        if skill.name not in self._rules:
            raise LookupError(f"the script has no answers to {skill.name}")
        return await follow(self._rules[skill.name], given, tools)


def _in_order(skill: str, answers: Sequence[Any]) -> Callable[[Any, Sequence[Tool]], Any]:
    left = iter(answers)

    def rule(_given: Any, _tools: Sequence[Tool]) -> Any:
        for answer in left:
            return answer
        raise LookupError(f"the script has only {len(answers)} answers to {skill}")

    return rule
