"""The vocabulary faculty, as the settings want it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from studium.core.config import Settings

if TYPE_CHECKING:
    from studium.running.vocabulary.learning import Voice
    from studium.workflows.vocabulary.songlexicon import SongLexicon
    from studium.workflows.vocabulary.tools import FindLyrics


def build_lexicon(settings: Settings) -> "SongLexicon":
    """The words of the language that is learnt; its dictionary is prepared if it was not yet."""
    from studium.running.vocabulary.lexicons import german_lexicon, japanese_lexicon

    if settings.vocabulary.language == "de":
        return german_lexicon(settings.vocabulary.freedict)
    return japanese_lexicon(settings.home / "dictionary")


def prepare_dictionary(settings: Settings, tell: Callable[[int, int], None]) -> None:
    """Prepare the Japanese dictionary if it was not yet; `tell` hears how many words are done, and of how many."""
    if settings.vocabulary.language == "ja":
        from studium.stores.dictionary.preparing import prepare

        prepare(settings.home / "dictionary", tell)


def lyrics_finder(settings: Settings) -> "FindLyrics":
    """How the lyrics of a song are found, where looking up is switched on."""
    from studium.running.vocabulary.looking import finder, not_looking

    return finder(settings.vocabulary.timeout) if settings.vocabulary.online else not_looking


def song_voice(settings: Settings) -> "Voice":
    """How the language that is learnt is annotated and spoken."""
    from studium.running.vocabulary.learning import Voice
    from studium.running.vocabulary.lexicons import japanese_voice

    return Voice("de") if settings.vocabulary.language == "de" else japanese_voice(settings.home / "dictionary")
