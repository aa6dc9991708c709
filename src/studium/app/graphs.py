"""The workflow graphs: to look at, and to serve under the names of `langgraph.json`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from studium.core.app import open_app
from studium.core.config import load_settings
from studium.core.features import FeatureGraph, all_features, find_feature


def graphs_to_draw() -> dict[str, Any]:
    """Every graph by the name it is served under; nothing is opened for it."""
    return {graph.name: graph.draw() for feature in all_features() for graph in feature.graphs.load()}


def graph_diagrams() -> dict[str, str]:
    """Every graph by its name, as a Mermaid diagram."""
    return {name: to_mermaid(graph) for name, graph in graphs_to_draw().items()}


def to_mermaid(graph: Any) -> str:
    """A graph as a Mermaid diagram."""
    diagram: str = graph.get_graph().draw_mermaid()
    return diagram


def cards() -> AbstractAsyncContextManager[Any]:
    """The card graph."""
    return _served("cards", "cards")


def questions() -> AbstractAsyncContextManager[Any]:
    """The question graph."""
    return _served("questions", "questions")


def vocabulary() -> AbstractAsyncContextManager[Any]:
    """The vocabulary graph."""
    return _served("vocabulary", "vocabulary")


def quote_parse() -> AbstractAsyncContextManager[Any]:
    """The graph from a file of quotes to a book."""
    return _served("concepts", "quote_parse")


def concept_extract() -> AbstractAsyncContextManager[Any]:
    """The graph from the quotes of a book to concepts."""
    return _served("concepts", "concept_extract")


def tutor() -> AbstractAsyncContextManager[Any]:
    """The graph of the tutor."""
    return _served("tutor", "tutor")


@asynccontextmanager
async def _served(feature: str, name: str) -> AsyncIterator[Any]:
    """A graph as the settings say, for one run of it."""
    graphs = await asyncio.to_thread(find_feature(feature).graphs.load)
    found: FeatureGraph = next(graph for graph in graphs if graph.name == name)
    async with open_app(await asyncio.to_thread(load_settings)) as app, found.open(app) as graph:
        yield graph
