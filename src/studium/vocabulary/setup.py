"""The vocabulary feature, as the settings want it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium import __version__
from studium.core.config import Settings
from studium.core.features import FeatureGraph
from studium.vocabulary import skills as vocabulary_skills

if TYPE_CHECKING:
    from studium.core.app import App
    from studium.core.llm.models import Rule
    from studium.vocabulary.domain import FindLyrics, Lyrics, VocabularyItem
    from studium.vocabulary.lexicon import CheckedClaim, SongLexicon
    from studium.vocabulary.runs import VocabularyGenerator
    from studium.vocabulary.skills import Claim
    from studium.vocabulary.song_report import Pronunciation


def lexicon(app: "App") -> "SongLexicon":
    """The words of the language that is learnt, loaded once an app."""
    return app.once(_app_lexicon)


def _app_lexicon(app: "App") -> "SongLexicon":
    return build_lexicon(app.settings)


def build_lexicon(settings: Settings) -> "SongLexicon":
    """The words of the language that is learnt; its dictionary is prepared if it was not yet."""
    from studium.vocabulary.languages import german_lexicon, japanese_lexicon

    if settings.vocabulary.language == "de":
        return german_lexicon(settings.vocabulary.freedict)
    return japanese_lexicon(settings.home / "dictionary")


def prepare_dictionary(settings: Settings, tell: Callable[[int, int], None]) -> None:
    """Prepare the Japanese dictionary if it was not yet; `tell` hears how many words are done, and of how many."""
    if settings.vocabulary.language == "ja":
        from studium.vocabulary.dictionary.jmdict_build import build_dictionary

        build_dictionary(settings.home / "dictionary", tell)


def lyrics_finder(settings: Settings) -> "FindLyrics":
    """How the lyrics of a song are found, where looking up is switched on."""
    from studium.vocabulary.lyrics.online import lookup_disabled, online_finder

    return online_finder(settings.vocabulary.timeout) if settings.vocabulary.online else lookup_disabled


def build_pronunciation(settings: Settings) -> "Pronunciation":
    """How the language that is learnt is annotated and spoken."""
    from studium.vocabulary.languages import japanese_pronunciation
    from studium.vocabulary.song_report import Pronunciation

    return (
        Pronunciation("de")
        if settings.vocabulary.language == "de"
        else japanese_pronunciation(settings.home / "dictionary")
    )


def vocabulary_generator(app: "App") -> "VocabularyGenerator":
    """Songs, ready to be asked for their words."""
    from studium.vocabulary.runs import VocabularyGenerator
    from studium.vocabulary.song_repository import SongRepository

    vocabulary = app.settings.vocabulary
    roles = [app.settings.role(skill.role) for skill in vocabulary_skills.SKILLS]
    return VocabularyGenerator(
        kept=SongRepository(app.database.transactions),
        runner=app.runner(),
        model=app.model,
        lexicon=lexicon(app),
        find_lyrics=lyrics_finder(app.settings),
        stamp=f"{__version__} {vocabulary.language} {roles}",
        keep_lyrics=vocabulary.keep_lyrics,
    )


def load_known_words(settings: Settings, known: str) -> set[str]:
    """The words that a learner knows: from a list, a collection file, or the running Anki (`anki`)."""
    from studium.anki.destination import COLLECTION_SUFFIXES, anki_openers
    from studium.vocabulary.known_words import read_anki_words, read_word_list

    path = Path(known)
    if known != "anki" and path.suffix not in COLLECTION_SUFFIXES:
        return read_word_list(path)
    openers = anki_openers(settings)
    store = openers.connect() if known == "anki" else openers.collection(path)
    try:
        return read_anki_words(store)
    finally:
        store.close()


def count_songs(app: "App") -> int:
    """How many songs are saved."""
    from studium.vocabulary.song_repository import SongRepository

    return len(SongRepository(app.database.transactions).all())


def vocabulary_rules(app: "App") -> "Mapping[str, Rule]":
    """The rules that answer the skills of the vocabulary feature."""
    from studium.vocabulary.rules import rules

    return rules(lambda: lexicon(app))


class _NoWords:
    """An empty lexicon, for a graph that is only drawn."""

    def items_in(self, _lyrics: "Lyrics") -> "Sequence[VocabularyItem]":
        return ()

    def check(self, _claim: "Claim", _items: "Sequence[VocabularyItem]") -> "CheckedClaim":
        from studium.vocabulary.lexicon import CheckedClaim

        return CheckedClaim(None)


def _draw_graph() -> Any:
    from studium.core.llm.models import RulesModel
    from studium.vocabulary.graph import create_vocabulary_graph
    from studium.vocabulary.lyrics.online import lookup_disabled

    return create_vocabulary_graph(RulesModel({}), _NoWords(), lookup_disabled)


@asynccontextmanager
async def _open_graph(app: "App") -> AsyncIterator[Any]:
    from studium.vocabulary.graph import create_vocabulary_graph

    words = await asyncio.to_thread(lexicon, app)
    yield create_vocabulary_graph(app.model, words, lyrics_finder(app.settings))


GRAPHS = (FeatureGraph("vocabulary", _draw_graph, _open_graph),)
