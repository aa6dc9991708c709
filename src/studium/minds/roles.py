"""Roles: which mind answers for whom."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel

from studium.domain.ports import Mind
from studium.domain.skill import Answer, Skill, Tool

Output = TypeVar("Output")


@runtime_checkable
class Closable(Protocol):
    """A mind that holds connections."""

    async def aclose(self) -> None:
        """Give the connections back."""
        ...


class RoleMind:
    """Sends each skill to the mind of its role, or to the default mind."""

    def __init__(self, minds: Mapping[str, Mind], default: Mind) -> None:
        self._minds = minds
        self._default = default

    @property
    def waits(self) -> bool:
        """Whether any of these minds waits for a server; rules alone only compute."""
        return any(isinstance(mind, Closable) for mind in (*self._minds.values(), self._default))

    async def answer(self, skill: Skill[Output], given: BaseModel, *, tools: Sequence[Tool] = ()) -> Answer[Output]:
        """Let the mind of the skill's role answer."""
        return await self._minds.get(skill.role, self._default).answer(skill, given, tools=tools)

    async def aclose(self) -> None:
        """Close every mind that holds connections, once."""
        minds = {id(mind): mind for mind in (*self._minds.values(), self._default)}
        for mind in minds.values():
            if isinstance(mind, Closable):
                await mind.aclose()
