"""The interfaces of models, stores and embedders."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from pydantic import BaseModel

from studium.core.domain.skill import Answer, Skill, Tool
from studium.core.domain.usage import Call, Limits, Turn

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Output = TypeVar("Output")
Similarity = Callable[[str, str], float]
"""How similar two texts are in meaning, from 0 to 1."""


class Model(Protocol):
    """Answers skills."""

    async def answer(self, skill: Skill[Output], given: BaseModel, *, tools: Sequence[Tool] = ()) -> Answer[Output]:
        """Answer, or say in findings why not; raise only for what would fail for every item."""
        ...


class TurnStore(Protocol):
    """Caches replies of chat models, and records calls."""

    def recall(self, key: str) -> Turn | None:
        """The cached reply for this key, if there is one."""
        ...

    def remember(self, turn: Turn | None, call: Call, *, run: str, item: str) -> None:
        """Save a reply (if it is worth keeping) and its call, in one transaction."""
        ...

    def forget(self, keys: Sequence[str]) -> None:
        """Delete useless replies, so that the next run asks again."""
        ...


class SharedLimits(Protocol):
    """The limits that all workers of a run share; each method may wait for a server."""

    def reserve(self, run: str, limits: Limits, *, tokens: int, cost: float) -> str | None:
        """Reserve one call of the run, or return the limit that it would exceed."""
        ...

    def settle(self, run: str, *, tokens: int, cost: float) -> None:
        """Add what a call cost beyond its reservation; the values are mostly negative."""
        ...

    def take_slot(self, model: str, spacing: float) -> float:
        """How many seconds a call of this model must wait, if calls start `spacing` seconds apart."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors of unit length."""

    name: str

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row for each text."""
        ...


class VectorStore(Protocol):
    """Caches vectors by embedder and content."""

    def recall(self, embedder: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The known vectors, as little-endian float32."""
        ...

    def remember(self, embedder: str, vectors: dict[str, bytes]) -> None:
        """Save vectors."""
        ...
