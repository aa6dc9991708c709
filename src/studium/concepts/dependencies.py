"""What the steps of the concepts feature work with."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from studium.concepts.domain import ConceptGraph, GraphCommit
from studium.core.domain.finding import Finding
from studium.core.domain.ports import Model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Embed: TypeAlias = "Callable[[Sequence[str]], NDArray[np.float32] | None]"
"""Texts as vectors of unit length, one row a text; None where there is no embedder."""

AuthorLookup: TypeAlias = Callable[[str, str], tuple[tuple[str, ...], tuple[Finding, ...]]]
"""What an encyclopedia says about a person of this name, in this language."""


@dataclass(frozen=True)
class ConceptPolicy:
    """The limits of the work on a book.

    `threshold` is a cosine. The specification's 0.7 counts as Neo4j does, (1 + cosine) / 2, which is a cosine of 0.4.
    """

    threshold: float = 0.4
    most_similar: int = 50
    compared: int = 8
    max_refinements: int = 10
    max_reviews: int = 20


def _no_lookup(_name: str, _language: str) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    return (), ()


@dataclass(frozen=True)
class Dependencies:
    """Who judges, where concepts are kept, and how they get there.

    `commit` keeps what was approved, all or nothing, and names the run by which it can be taken back; `publish` brings
    the notes of these concepts up to date.
    """

    model: Model
    open_graph_store: Callable[[], ConceptGraph]
    embed: Embed
    commit: Callable[[GraphCommit], str]
    publish: Callable[[Sequence[str]], Sequence[Finding]]
    author_lookup: AuthorLookup = _no_lookup
    policy: ConceptPolicy = field(default_factory=ConceptPolicy)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    @property
    def graph(self) -> ConceptGraph:
        """Where books, quotes and concepts are kept."""
        return self.open_graph_store()

    async def vectors(self, texts: Sequence[str]) -> "NDArray[np.float32] | None":
        """The texts as vectors; computing them would hold up everybody else."""
        return await asyncio.to_thread(self.embed, texts) if texts else None
