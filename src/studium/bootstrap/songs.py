"""Songs and the words that a learner knows, as the settings want them."""

from pathlib import Path
from typing import TYPE_CHECKING

from studium import __version__
from studium.bootstrap.vocabulary import lyrics_finder
from studium.core.config import Settings
from studium.workflows.vocabulary import skills as vocabulary_skills

if TYPE_CHECKING:
    from studium.bootstrap.house import House
    from studium.running.vocabulary.songs import Songs


def songs(house: "House") -> "Songs":
    """Songs, ready to be asked for their words."""
    from studium.running.vocabulary.songs import Songs
    from studium.vocabulary.song_repository import SongRepository

    vocabulary = house.settings.vocabulary
    roles = [house.settings.role(skill.role) for skill in vocabulary_skills.SKILLS]
    return Songs(
        kept=SongRepository(house.ledger.transactions),
        runner=house.runner(),
        mind=house.mind,
        lexicon=house.lexicon(),
        find_lyrics=lyrics_finder(house.settings),
        stamp=f"{__version__} {vocabulary.language} {roles}",
        keep_lyrics=vocabulary.keep_lyrics,
    )


def known_words(settings: Settings, known: str) -> set[str]:
    """The words that a learner knows: from a list, a collection file, or the running Anki (`anki`)."""
    from studium.anki.destination import COLLECTION_SUFFIXES, anki_openers
    from studium.stores.known_words import words_of_anki, words_of_file

    path = Path(known)
    if known != "anki" and path.suffix not in COLLECTION_SUFFIXES:
        return words_of_file(path)
    openers = anki_openers(settings)
    store = openers.connect() if known == "anki" else openers.collection(path)
    try:
        return words_of_anki(store)
    finally:
        store.close()
