"""Ports: what the upper floors ask of models, stores and embedders, whoever provides it."""

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
"""How alike two texts are in meaning, from 0 to 1."""


class Model(Protocol):
    """Whoever answers a skill."""

    async def answer(self, skill: Skill[Output], given: BaseModel, *, tools: Sequence[Tool] = ()) -> Answer[Output]:
        """Answer, or say in findings why not; raise only for what would fail for every item."""
        ...


class TurnStore(Protocol):
    """Remembers what chat models replied, and what each call took."""

    def recall(self, key: str) -> Turn | None:
        """The reply to this very question, if it was ever paid for."""
        ...

    def remember(self, turn: Turn | None, call: Call, *, run: str, item: str) -> None:
        """Keep a reply (if it is worth keeping) and what it took, in one transaction."""
        ...

    def forget(self, keys: Sequence[str]) -> None:
        """Drop replies that led nowhere, so that the next run asks anew."""
        ...


class SharedLimits(Protocol):
    """What all the workers on a run keep to together; each call of it may wait for a server."""

    def reserve_call(self, run: str, limits: Limits, *, tokens: int, cost: float) -> str | None:
        """Set one call of the run aside; or say which limit it would pass, and set nothing aside."""
        ...

    def settle_call(self, run: str, *, tokens: int, cost: float) -> None:
        """Add what a call took beyond what was set aside for it; mostly it is less, and these are negative."""
        ...

    def take_slot(self, model: str, spacing: float) -> float:
        """How many seconds a call of this model must wait, if all calls of it start so many seconds apart."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors of unit length."""

    name: str

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row a text."""
        ...


class VectorStore(Protocol):
    """Remembers vectors by embedder and content."""

    def recall(self, embedder: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The little-endian float32 vectors that are known."""
        ...

    def remember(self, embedder: str, vectors: dict[str, bytes]) -> None:
        """Keep vectors."""
        ...
