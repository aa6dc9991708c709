"""A German song through the same pipeline as a Japanese one."""

import pytest

from studium.vocabulary.domain import LyricLine, Lyrics
from studium.vocabulary.german import is_german
from studium.vocabulary.lexicon import Language, SongLexicon

pytestmark = pytest.mark.part("freedict")

SONG = Lyrics(
    (
        LyricLine("[Strophe 1]", 1, is_sung=False),
        LyricLine("Der Mond ist aufgegangen", 2),
        LyricLine("Die goldnen Sterne prangen", 3),
        LyricLine("Am Himmel hell und klar, die Sterne", 4),
    )
)


@pytest.fixture
def lexicon(german, freedict):
    tongue = Language(
        words=german.words,
        is_written_in=is_german,
        romaji=lambda written, _: written,
        parts=lambda *_: (),
        accent=lambda *_: None,
    )
    return SongLexicon(tongue, freedict, lambda _: [])


def test_a_german_song_gives_words_to_learn(lexicon):
    items = {item.kanji: item for item in lexicon.items_in(SONG)}
    assert items.keys() >= {"Mond", "Stern", "Himmel", "hell", "aufgehen"}
    star = items["Stern"]
    assert (star.reading, star.english, star.sung, star.count) == ("der Stern", "star", "Sterne", 2)
    assert (star.romaji, star.parts, star.pitch, star.jlpt) == ("Stern", (), None, None)
    assert (star.line, star.line_number) == ("Die goldnen Sterne prangen", 3)
