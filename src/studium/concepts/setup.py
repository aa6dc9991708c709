"""Builds the parts of the concepts feature from the settings."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.concepts.dependencies import AuthorLookup, ConceptPolicy, Dependencies, no_lookup
from studium.concepts.domain import ConceptGraph
from studium.core.app import App
from studium.core.config import Settings
from studium.core.domain.finding import Finding
from studium.core.features import FeatureGraph
from studium.core.redaction import register_secret

if TYPE_CHECKING:
    from studium.concepts.dependencies import Embed
    from studium.concepts.notes.vault import ConceptVault
    from studium.concepts.runs import ExtractionRunner
    from studium.core.llm.models import Rule


def concept_embedder(app: App) -> "Embed":
    """How concepts and quotes become vectors."""
    return app.once(_app_embedder)


def _app_embedder(app: App) -> "Embed":
    # The embedded MiniLM knows English alone.
    if app.settings.embedder != "minilm":
        return app.similarity.vectors
    from studium.concepts.rules.spanish_gloss import embed_with_gloss

    return embed_with_gloss(app.similarity.vectors)


def open_concept_graph(settings: Settings) -> ConceptGraph:
    """Open the concept graph: on a Neo4j server if one is configured, else in a file."""
    neo4j = settings.concepts.neo4j
    if neo4j.uri is None:
        from studium.concepts.graph_store.sqlite import SqliteConceptGraph

        return SqliteConceptGraph(settings.home / "concepts.sqlite")
    from studium.concepts.graph_store.neo4j import Neo4jAddress, Neo4jConceptGraph

    password = neo4j.password.get_secret_value() if neo4j.password else ""
    register_secret(password)
    user = neo4j.user if password else ""
    address = Neo4jAddress(uri=neo4j.uri, user=user, password=password, database=neo4j.database)
    return Neo4jConceptGraph(address, dimensions=neo4j.dimensions)


@contextmanager
def concept_graph(settings: Settings) -> Iterator[ConceptGraph]:
    """Open the concept graph, and close it afterwards."""
    graph = open_concept_graph(settings)
    try:
        yield graph
    finally:
        graph.close()


def concept_dependencies(app: App, graph: Callable[[], ConceptGraph]) -> Dependencies:
    """The dependencies of the graph nodes."""
    settings = app.settings.concepts
    return Dependencies(
        model=app.model,
        open_graph_store=graph,
        embed=concept_embedder(app),
        commit=lambda approved: _journal(app, graph()).commit(approved),
        publish=partial(_publish, app, graph),
        policy=ConceptPolicy(threshold=settings.threshold),
        author_lookup=_encyclopedia(settings.encyclopedia) if settings.online else no_lookup,
    )


def concept_vault(app: App, graph: ConceptGraph, folder: Path) -> "ConceptVault":
    """The notes of concepts in a folder."""
    from studium.concepts.notes.vault import ConceptVault

    concepts = app.settings.concepts
    return ConceptVault(
        folder=folder, graph=graph, database=app.database, language=concepts.language, cards=concepts.cards
    )


@asynccontextmanager
async def open_extraction(app: App, graph: ConceptGraph) -> "AsyncIterator[ExtractionRunner]":
    """Open the runner for extractions."""
    from studium.concepts.concept_extract import create_concept_extract_graph
    from studium.concepts.rules.duplicate_detection import SameConcept
    from studium.concepts.runs import ExtractionRunner
    from studium.concepts.state import CHECKPOINTED
    from studium.core.runs.checkpoints import open_checkpoints

    settings = app.settings
    async with open_checkpoints(settings.checkpoints_url, CHECKPOINTED, only_latest=True) as checkpoints:
        deps = concept_dependencies(app, lambda: graph)
        compiled = create_concept_extract_graph(deps, SameConcept(concept_embedder(app)), checkpoints)
        yield ExtractionRunner(app.database, app.runner(), compiled, settings.home / "locks")


def undo_commit(app: App, graph: ConceptGraph, run: str) -> Sequence[Finding]:
    """Undo what a run committed, in the graph and in the vault."""
    touched = _journal(app, graph).undo(run)
    folder = app.settings.concepts.vault
    return concept_vault(app, graph, folder).update_or_remove(touched).findings if folder else ()


def _journal(app: App, graph: ConceptGraph) -> Any:
    from studium.concepts.commits import CommitJournal

    return CommitJournal(app.database, graph)


def _publish(app: App, graph: Callable[[], ConceptGraph], concepts: Sequence[str]) -> Sequence[Finding]:
    folder = app.settings.concepts.vault
    return concept_vault(app, graph(), folder).publish(concepts).findings if folder else ()


def _encyclopedia(address: str) -> AuthorLookup:
    from studium.concepts.wikipedia import Encyclopedia

    return Encyclopedia(address).pages


def concept_rules(app: App) -> "Mapping[str, Rule]":
    """The rules that answer the skills of the concepts feature."""
    from studium.concepts.rules.skill_rules import rules

    return rules(concept_embedder(app))


def _draw_quote_parse() -> Any:
    from studium.concepts.quote_parse import create_quote_parse_graph

    return create_quote_parse_graph(_no_dependencies())


def _draw_concept_extract() -> Any:
    from studium.concepts.concept_extract import create_concept_extract_graph

    return create_concept_extract_graph(_no_dependencies(), lambda _one, _other: False)


def _no_dependencies() -> Dependencies:
    """Dependencies for a graph that is only drawn."""
    from studium.core.llm.models import RulesModel

    def no_graph() -> ConceptGraph:
        raise LookupError("this graph is only drawn")

    return Dependencies(RulesModel({}), no_graph, lambda _texts: None, lambda _approved: "", lambda _concepts: ())


@asynccontextmanager
async def _open_quote_parse(app: App) -> AsyncIterator[Any]:
    from studium.concepts.quote_parse import create_quote_parse_graph

    async with _graph_in_thread(app.settings) as graph:
        yield create_quote_parse_graph(concept_dependencies(app, lambda: graph))


@asynccontextmanager
async def _open_concept_extract(app: App) -> AsyncIterator[Any]:
    from studium.concepts.concept_extract import create_concept_extract_graph
    from studium.concepts.rules.duplicate_detection import SameConcept

    async with _graph_in_thread(app.settings) as graph:
        dependencies = concept_dependencies(app, lambda: graph)
        yield create_concept_extract_graph(dependencies, SameConcept(concept_embedder(app)))


@asynccontextmanager
async def _graph_in_thread(settings: Settings) -> AsyncIterator[ConceptGraph]:
    """The graph of concepts, opened and closed without blocking the event loop."""
    graph = await asyncio.to_thread(open_concept_graph, settings)
    try:
        yield graph
    finally:
        await asyncio.to_thread(graph.close)


GRAPHS = (
    FeatureGraph("quote_parse", _draw_quote_parse, _open_quote_parse),
    FeatureGraph("concept_extract", _draw_concept_extract, _open_concept_extract),
)
