"""The graphs, as others serve and look at them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.bootstrap import RULES, House, build_house, check_roles, lyrics_finder, open_ledger
from studium.minds.rules import RulesMind
from studium.running.documents import Documents
from studium.settings import load_settings
from studium.workflows.cards.state import CardPolicy
from studium.workflows.questions.policy import QuestionPolicy
from studium.workflows.vocabulary.lexicon import Checked

if TYPE_CHECKING:
    from studium.domain.word import Lyrics, VocabularyItem
    from studium.workflows.cards.graph import Render
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
    from studium.workflows.questions.graph import create_question_graph
    from studium.workflows.vocabulary.graph import create_vocabulary_graph

    rules, document = RulesMind(RULES), Documents().document
    return {
        "cards": create_card_graph(rules, document, CardPolicy(), render=_render_anywhere()),
        "questions": create_question_graph(rules, document, QuestionPolicy()),
        "vocabulary": create_vocabulary_graph(rules, _NoWords(), not_looking),
    }


def cards() -> Any:
    """The card graph as configured; `langgraph.json` serves it."""
    from studium.workflows.cards.graph import create_card_graph

    house = _standing_house()
    return create_card_graph(house.mind, Documents().document, house.card_policy, render=_render_anywhere())


def questions() -> Any:
    """The question graph as configured; `langgraph.json` serves it."""
    from studium.workflows.questions.graph import create_question_graph

    house = _standing_house()
    return create_question_graph(house.mind, Documents().document, house.question_policy)


def vocabulary() -> Any:
    """The vocabulary graph as configured; `langgraph.json` serves it."""
    from studium.workflows.vocabulary.graph import create_vocabulary_graph

    house = _standing_house()
    return create_vocabulary_graph(house.mind, house.lexicon(), lyrics_finder(house.settings))


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
