"""What the graph nodes of concepts depend on: model, graph store, embedder, commit and publish."""

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
"""What an encyclopedia says about a person, in a language."""


@dataclass(frozen=True)
class ConceptPolicy:
    """The limits of an extraction.

    `threshold` is a cosine. The specification's 0.7 counts as Neo4j does, (1 + cosine) / 2, which is a cosine of 0.4.
    """

    threshold: float = 0.4
    most_similar: int = 50
    compared: int = 8
    max_refinements: int = 10
    max_reviews: int = 20


def no_lookup(_name: str, _language: str) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    """Find nothing about an author; used if Studium may not go online."""
    return (), ()


@dataclass(frozen=True)
class Dependencies:
    """The model, the graph store, and how concepts are committed and published.

    `commit` saves what was approved, all or nothing, and returns the run to undo; `publish` updates the notes of
    these concepts.
    """

    model: Model
    open_graph_store: Callable[[], ConceptGraph]
    embed: Embed
    commit: Callable[[GraphCommit], str]
    publish: Callable[[Sequence[str]], Sequence[Finding]]
    author_lookup: AuthorLookup = no_lookup
    policy: ConceptPolicy = field(default_factory=ConceptPolicy)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    @property
    def graph(self) -> ConceptGraph:
        """The open graph store."""
        return self.open_graph_store()

    async def vectors(self, texts: Sequence[str]) -> "NDArray[np.float32] | None":
        """Embed texts in a thread, so that the event loop is not blocked."""
        return await asyncio.to_thread(self.embed, texts) if texts else None
