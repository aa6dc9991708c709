"""The graphs, as others serve and look at them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.bootstrap.cards import card_policy
from studium.bootstrap.house import House, build_house, open_ledger
from studium.bootstrap.minds import check_roles
from studium.bootstrap.questions import question_policy
from studium.bootstrap.vocabulary import lyrics_finder
from studium.minds.rules import RulesMind
from studium.running.documents import Documents
from studium.settings import load_settings
from studium.workflows.cards.state import CardPolicy
from studium.workflows.questions.policy import QuestionPolicy
from studium.workflows.vocabulary.lexicon import Checked

if TYPE_CHECKING:
    from studium.domain.ports import ConceptGraph
    from studium.domain.word import Lyrics, VocabularyItem
    from studium.workflows.cards.graph import Render
    from studium.workflows.concepts.desk import Desk
    from studium.workflows.vocabulary.skills import Claim


class _NoWords:
    """A lexicon for graphs that are only looked at."""

    def items_in(self, _lyrics: "Lyrics") -> "Sequence[VocabularyItem]":
        """None."""
        return ()

    def check(self, _claim: "Claim", _items: "Sequence[VocabularyItem]") -> Checked:
        """Unknown."""
        return Checked(None)


def graphs() -> dict[str, Any]:
    """Every graph by the name it is served under, to be looked at; nothing is opened for it."""
    from studium.running.vocabulary.looking import not_looking
    from studium.workflows.cards.graph import create_card_graph
    from studium.workflows.concepts.concept_extract import create_concept_extract_graph
    from studium.workflows.concepts.quote_parse import create_quote_parse_graph
    from studium.workflows.questions.graph import create_question_graph
    from studium.workflows.vocabulary.graph import create_vocabulary_graph

    nobody, document = RulesMind({}), Documents().document
    return {
        "cards": create_card_graph(nobody, document, CardPolicy(), render=_render_anywhere()),
        "questions": create_question_graph(nobody, document, QuestionPolicy()),
        "vocabulary": create_vocabulary_graph(nobody, _NoWords(), not_looking),
        "quote_parse": create_quote_parse_graph(_empty_desk()),
        "concept_extract": create_concept_extract_graph(_empty_desk(), lambda _one, _other: False),
    }


def cards() -> Any:
    """The card graph as configured; `langgraph.json` serves it."""
    from studium.workflows.cards.graph import create_card_graph

    house = _standing_house()
    return create_card_graph(house.mind, Documents().document, card_policy(house.settings), render=_render_anywhere())


def questions() -> Any:
    """The question graph as configured; `langgraph.json` serves it."""
    from studium.workflows.questions.graph import create_question_graph

    house = _standing_house()
    return create_question_graph(house.mind, Documents().document, question_policy(house.settings))


def vocabulary() -> Any:
    """The vocabulary graph as configured; `langgraph.json` serves it."""
    from studium.workflows.vocabulary.graph import create_vocabulary_graph

    house = _standing_house()
    return create_vocabulary_graph(house.mind, house.lexicon(), lyrics_finder(house.settings))


def quote_parse() -> Any:
    """The graph from a file of quotes to a book, as configured; `langgraph.json` serves it."""
    from studium.bootstrap.concepts import concept_desk, standing_graph
    from studium.workflows.concepts.quote_parse import create_quote_parse_graph

    house = _standing_house()
    return create_quote_parse_graph(concept_desk(house, standing_graph(house.settings)))


def concept_extract() -> Any:
    """The graph from a book's quotes to concepts, as configured; `langgraph.json` serves it."""
    from studium.bootstrap.concepts import concept_desk, standing_graph
    from studium.workflows.concepts.concept_extract import create_concept_extract_graph
    from studium.workflows.concepts.sameness.pairs import SameConcept

    house = _standing_house()
    desk = concept_desk(house, standing_graph(house.settings))
    return create_concept_extract_graph(desk, SameConcept(house.likeness.vectors))


def _empty_desk() -> "Desk":
    """A desk for graphs that are only looked at."""
    from studium.workflows.concepts.desk import Desk

    def nowhere() -> "ConceptGraph":
        raise LookupError("this graph is only looked at")

    return Desk(RulesMind({}), nowhere, lambda _texts: None, lambda _approved: None, lambda _concepts: ())


def _render_anywhere() -> "Render":
    """Renders a card outside any vault: links and pictures lead nowhere."""
    from studium.domain.vault import Vault
    from studium.stores.anki.rendering.renderer import Renderer

    renderer = Renderer(Vault(Path(), "", ()))
    return lambda card, note, heading, card_id: renderer.render(card, note_path=note, heading=heading, card_id=card_id)


def _standing_house() -> House:
    """A house that lives as long as the process, for graphs that others run."""
    settings = load_settings()
    check_roles(settings)
    return build_house(settings, open_ledger(settings))
