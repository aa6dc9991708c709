"""The graphs, as others serve and look at them."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.cards.setup import card_policy
from studium.cards.state import CardPolicy
from studium.core.app import App, open_app
from studium.core.config import load_settings
from studium.core.documents.document_cache import DocumentCache
from studium.core.llm.models import RulesModel
from studium.questions.domain import GenerationPolicy
from studium.questions.setup import question_policy
from studium.vocabulary.rules import CheckedClaim
from studium.vocabulary.setup import lyrics_finder

if TYPE_CHECKING:
    from studium.cards.graph import RenderCard
    from studium.concepts.dependencies import Dependencies
    from studium.concepts.domain import ConceptGraph
    from studium.vocabulary.domain import Lyrics, VocabularyItem
    from studium.vocabulary.skills import Claim


class _NoWords:
    """A lexicon for graphs that are only looked at."""

    def items_in(self, _lyrics: "Lyrics") -> "Sequence[VocabularyItem]":
        """None."""
        return ()

    def check(self, _claim: "Claim", _items: "Sequence[VocabularyItem]") -> CheckedClaim:
        """Unknown."""
        return CheckedClaim(None)


def graphs_to_draw() -> dict[str, Any]:
    """Every graph by the name it is served under, to be looked at; nothing is opened for it."""
    from studium.cards.graph import create_card_graph
    from studium.concepts.concept_extract import create_concept_extract_graph
    from studium.concepts.quote_parse import create_quote_parse_graph
    from studium.questions.graph import create_question_graph
    from studium.tutor.tutor import create_tutoring_graph
    from studium.vocabulary.graph import create_vocabulary_graph
    from studium.vocabulary.lyrics.online import lookup_disabled

    nobody, document = RulesModel({}), DocumentCache().document
    return {
        "cards": create_card_graph(nobody, document, CardPolicy(), render=_render_anywhere()),
        "questions": create_question_graph(nobody, document, GenerationPolicy()),
        "vocabulary": create_vocabulary_graph(nobody, _NoWords(), lookup_disabled),
        "quote_parse": create_quote_parse_graph(_empty_desk()),
        "concept_extract": create_concept_extract_graph(_empty_desk(), lambda _one, _other: False),
        "tutor": create_tutoring_graph().compile(name="tutor"),
    }


@asynccontextmanager
async def cards() -> AsyncIterator[Any]:
    """The card graph as configured; `langgraph.json` serves it."""
    from studium.cards.graph import create_card_graph

    async with _app() as app:
        policy = card_policy(app.settings)
        yield create_card_graph(app.model, DocumentCache().document, policy, render=_render_anywhere())


@asynccontextmanager
async def questions() -> AsyncIterator[Any]:
    """The question graph as configured; `langgraph.json` serves it."""
    from studium.questions.graph import create_question_graph

    async with _app() as app:
        yield create_question_graph(app.model, DocumentCache().document, question_policy(app.settings))


@asynccontextmanager
async def vocabulary() -> AsyncIterator[Any]:
    """The vocabulary graph as configured; `langgraph.json` serves it."""
    from studium.vocabulary.graph import create_vocabulary_graph

    async with _app() as app:
        lexicon = await asyncio.to_thread(app.lexicon)
        yield create_vocabulary_graph(app.model, lexicon, lyrics_finder(app.settings))


@asynccontextmanager
async def quote_parse() -> AsyncIterator[Any]:
    """The graph from a file of quotes to a book, as configured; `langgraph.json` serves it."""
    from studium.concepts.quote_parse import create_quote_parse_graph

    async with _app() as app, _concept_desk(app) as desk:
        yield create_quote_parse_graph(desk)


@asynccontextmanager
async def concept_extract() -> AsyncIterator[Any]:
    """The graph from a book's quotes to concepts, as configured; `langgraph.json` serves it."""
    from studium.concepts.concept_extract import create_concept_extract_graph
    from studium.concepts.duplicate_detection.compare import SameConcept

    async with _app() as app, _concept_desk(app) as desk:
        yield create_concept_extract_graph(desk, SameConcept(app.understanding))


@asynccontextmanager
async def tutor() -> AsyncIterator[Any]:
    """The tutor's graph as configured; `langgraph.json` serves it."""
    from studium.tutor.setup import tutor_dependencies
    from studium.tutor.tutor import create_tutoring_graph

    async with _app() as app:
        desk = await asyncio.to_thread(tutor_dependencies, app)
        yield create_tutoring_graph(desk).compile(name="tutor")


def _empty_desk() -> "Dependencies":
    """A desk for graphs that are only looked at."""
    from studium.concepts.dependencies import Dependencies

    def nowhere() -> "ConceptGraph":
        raise LookupError("this graph is only looked at")

    return Dependencies(RulesModel({}), nowhere, lambda _texts: None, lambda _approved: "", lambda _concepts: ())


def _render_anywhere() -> "RenderCard":
    """Renders a card outside any vault: links and pictures lead nowhere."""
    from studium.cards.rendering import CardRenderer
    from studium.core.documents.vault import Vault

    renderer = CardRenderer(Vault(Path(), "", ()))
    return lambda card, note, heading, card_id: renderer.render(card, note_path=note, heading=heading, card_id=card_id)


@asynccontextmanager
async def _app() -> AsyncIterator[App]:
    """The app for one run of a graph that others serve."""
    async with open_app(await asyncio.to_thread(load_settings)) as app:
        yield app


@asynccontextmanager
async def _concept_desk(app: App) -> "AsyncIterator[Dependencies]":
    """The desk over the graph of concepts; opening that takes long enough to hold up the runs of others."""
    from studium.concepts.setup import concept_dependencies, open_concept_graph

    graph = await asyncio.to_thread(open_concept_graph, app.settings)
    try:
        yield concept_dependencies(app, lambda: graph)
    finally:
        await asyncio.to_thread(graph.close)
