"""The concepts faculty, as the settings want it."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.bootstrap.house import House
from studium.core.config import Settings
from studium.core.domain.finding import Finding
from studium.core.telemetry.redaction import register_secret
from studium.domain.concept import ConceptGraph
from studium.workflows.concepts.desk import ConceptPolicy, Desk

if TYPE_CHECKING:
    from studium.running.concepts.extraction import Extraction
    from studium.running.concepts.vault import ConceptVault


def open_concept_graph(settings: Settings) -> ConceptGraph:
    """The graph of concepts: on a Neo4j server if one is named, else in a file."""
    neo4j = settings.concepts.neo4j
    if neo4j.uri is None:
        from studium.stores.concepts.sqlite import SqliteConceptGraph

        return SqliteConceptGraph(settings.home / "concepts.sqlite")
    from studium.stores.concepts.neo4j import Neo4jConceptGraph
    from studium.stores.concepts.neo4jserver import Neo4jAddress

    password = neo4j.password.get_secret_value() if neo4j.password else ""
    register_secret(password)
    user = neo4j.user if password else ""
    address = Neo4jAddress(uri=neo4j.uri, user=user, password=password, database=neo4j.database)
    return Neo4jConceptGraph(address, dimensions=neo4j.dimensions)


@contextmanager
def concept_graph(settings: Settings) -> Iterator[ConceptGraph]:
    """The graph of concepts, for a while."""
    graph = open_concept_graph(settings)
    try:
        yield graph
    finally:
        graph.close()


def concept_desk(house: House, graph: Callable[[], ConceptGraph]) -> Desk:
    """What the steps of the concepts faculty work with."""
    settings = house.settings.concepts
    return Desk(
        mind=house.mind,
        open_graph=graph,
        embed=house.understanding,
        commit=lambda approved: _journal(house, graph()).commit(approved),
        publish=partial(_publish, house, graph),
        policy=ConceptPolicy(threshold=settings.threshold),
        **(_encyclopedia(settings.encyclopedia) if settings.online else {}),
    )


def concept_vault(house: House, graph: ConceptGraph, folder: Path) -> "ConceptVault":
    """The notes of concepts in a folder."""
    from studium.running.concepts.vault import ConceptVault

    concepts = house.settings.concepts
    return ConceptVault(
        folder=folder, graph=graph, ledger=house.ledger, language=concepts.language, cards=concepts.cards
    )


@asynccontextmanager
async def concept_extraction(house: House, graph: ConceptGraph) -> "AsyncIterator[Extraction]":
    """Books, ready to be worked on."""
    from studium.core.runs.checkpoints import open_checkpoints
    from studium.running.concepts.extraction import Extraction
    from studium.workflows.concepts.concept_extract import create_concept_extract_graph
    from studium.workflows.concepts.sameness.pairs import SameConcept
    from studium.workflows.concepts.state import CHECKPOINTED

    settings = house.settings
    async with open_checkpoints(settings.checkpoints_url, CHECKPOINTED, only_latest=True) as checkpoints:
        desk = concept_desk(house, lambda: graph)
        compiled = create_concept_extract_graph(desk, SameConcept(house.understanding), checkpoints)
        yield Extraction(house.ledger, house.runner(), compiled, settings.home / "locks")


def undo_commit(house: House, graph: ConceptGraph, run: str) -> Sequence[Finding]:
    """Take back what a run committed, in the graph and in the vault."""
    touched = _journal(house, graph).undo(run)
    folder = house.settings.concepts.vault
    return concept_vault(house, graph, folder).withdraw(touched).findings if folder else ()


def _journal(house: House, graph: ConceptGraph) -> Any:
    from studium.running.concepts.journal import Journal

    return Journal(house.ledger, graph)


def _publish(house: House, graph: Callable[[], ConceptGraph], concepts: Sequence[str]) -> Sequence[Finding]:
    folder = house.settings.concepts.vault
    return concept_vault(house, graph(), folder).publish(concepts).findings if folder else ()


def _encyclopedia(address: str) -> dict[str, Any]:
    from studium.stores.encyclopedia.wikipedia import Encyclopedia

    return {"pages": Encyclopedia(address).pages}
