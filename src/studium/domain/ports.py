"""Ports: what the upper floors ask of minds, stores and embedders, whoever provides it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from pydantic import BaseModel

from studium.domain.skill import Answer, Skill, Tool
from studium.domain.usage import Call, Turn

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Output = TypeVar("Output")


class Mind(Protocol):
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


class Embedder(Protocol):
    """Turns texts into vectors of unit length."""

    name: str

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row a text."""
        ...


class VectorStore(Protocol):
    """Remembers vectors by embedder and content."""

    def recall_vectors(self, embedder: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The little-endian float32 vectors that are known."""
        ...

    def remember_vectors(self, embedder: str, vectors: dict[str, bytes]) -> None:
        """Keep vectors."""
        ...
