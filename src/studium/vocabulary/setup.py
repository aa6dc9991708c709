"""Builds the parts of the vocabulary feature from the settings."""

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
    from studium.vocabulary.lexicon import SongLexicon
    from studium.vocabulary.runs import VocabularyGenerator
    from studium.vocabulary.song_report import Pronunciation


def lexicon(app: "App") -> "SongLexicon":
    """Return the lexicon of the language being learned, built once per app."""
    return app.once(_app_lexicon)


def _app_lexicon(app: "App") -> "SongLexicon":
    return build_lexicon(app.settings)


def build_lexicon(settings: Settings) -> "SongLexicon":
    """Build the lexicon of the language being learned; its dictionary is prepared if necessary."""
    from studium.vocabulary.languages import german_lexicon, japanese_lexicon

    if settings.vocabulary.language == "de":
        return german_lexicon(settings.vocabulary.freedict)
    return japanese_lexicon(settings.home / "dictionary")


def is_dictionary_ready(settings: Settings) -> bool:
    """Tell whether the dictionary is prepared."""
    from studium.vocabulary.dictionary.jmdict_build import dictionary_path

    return settings.vocabulary.language != "ja" or dictionary_path(settings.home / "dictionary").exists()


def prepare_dictionary(settings: Settings, on_progress: Callable[[int, int], None]) -> None:
    """Prepare the Japanese dictionary if necessary; `on_progress` gets the words done and the total."""
    if settings.vocabulary.language == "ja":
        from studium.vocabulary.dictionary.jmdict_build import build_dictionary

        build_dictionary(settings.home / "dictionary", on_progress)


def lyrics_finder(settings: Settings) -> "FindLyrics":
    """Build the search for lyrics, or one that says it is disabled."""
    from studium.vocabulary.lyrics.online import lookup_disabled, online_finder

    return online_finder(settings.vocabulary.timeout) if settings.vocabulary.online else lookup_disabled


def build_pronunciation(settings: Settings) -> "Pronunciation":
    """Build the pronunciation of the language being learned: furigana and speech."""
    from studium.vocabulary.languages import japanese_pronunciation
    from studium.vocabulary.song_report import Pronunciation

    if settings.vocabulary.language == "de":
        return Pronunciation("de")
    return japanese_pronunciation(settings.home / "dictionary")


def vocabulary_generator(app: "App") -> "VocabularyGenerator":
    """Build the generator that turns songs into words."""
    from studium.vocabulary.runs import VocabularyGenerator
    from studium.vocabulary.song_repository import SongRepository

    vocabulary = app.settings.vocabulary
    roles = [app.settings.role(skill.role) for skill in vocabulary_skills.SKILLS]
    return VocabularyGenerator(
        songs=SongRepository(app.database.transactions),
        runner=app.runner(),
        model=app.model,
        lexicon=lexicon(app),
        find_lyrics=lyrics_finder(app.settings),
        stamp=f"{__version__} {vocabulary.language} {roles}",
        keep_lyrics=vocabulary.keep_lyrics,
    )


def load_known_words(settings: Settings, known: str) -> set[str]:
    """Load the words that a learner knows: from a list, a collection file, or the running Anki (`anki`)."""
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
    """Count the saved songs."""
    from studium.vocabulary.song_repository import SongRepository

    return len(SongRepository(app.database.transactions).all())


def vocabulary_rules(app: "App") -> "Mapping[str, Rule]":
    """Return the rules that answer the skills of vocabulary."""
    from studium.vocabulary.rules import rules

    return rules(lambda: lexicon(app))


class _NoWords:
    """An empty lexicon, for a graph that is only drawn."""

    def items_in(self, _lyrics: "Lyrics") -> "Sequence[VocabularyItem]":
        return ()


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
