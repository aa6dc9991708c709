"""The languages that can be learnt, each put together from its words, its script and its dictionary."""

from functools import cache, lru_cache
from pathlib import Path

from studium.domain.word import Part
from studium.languages.german.words import GermanWords, is_german
from studium.languages.japanese.accents import accent
from studium.languages.japanese.furigana import furigana, parts, romaji, ruby
from studium.languages.japanese.kana import hiragana, japanese_signs
from studium.languages.japanese.speaking import pieces, speak
from studium.languages.japanese.words import WordFinder
from studium.running.vocabulary.learning import Voice
from studium.stores.dictionary.jmdict import JMdict
from studium.stores.dictionary_freedict.freedict import FreeDict
from studium.vocabulary.english.analyser import english_words
from studium.workflows.vocabulary.songlexicon import SongLexicon, Tongue

_SOUNDS = 200
"""So many words are remembered as they sound; each has some 100 kB."""


def japanese_lexicon(folder: Path) -> SongLexicon:
    """Japanese by SudachiPy, pyopenjtalk and JMdict; the dictionary is prepared in the folder if it was not yet."""
    dictionary = _jmdict(folder)

    def parts_of(written: str, reading: str) -> tuple[Part, ...]:
        return parts(written, reading, dictionary.kanji_readings)

    def readings_of(written: str) -> set[str]:
        return {entry.reading for entry in dictionary.look_up(written)}

    tongue = Tongue(
        words=WordFinder(readings_of).words,
        is_written_in=lambda text: japanese_signs(text) > 0,
        romaji=romaji,
        parts=parts_of,
        accent=accent,
    )
    return SongLexicon(tongue, dictionary, english_words)


def japanese_voice(folder: Path) -> Voice:
    """Kana over kanji, and a voice."""
    dictionary = _jmdict(folder)

    def readings(written: str, reading: str) -> tuple[str, ...]:
        entries = (*dictionary.look_up(written, reading), *dictionary.look_up(written))
        return tuple(dict.fromkeys(hiragana(entry.reading) for entry in entries))

    return Voice(
        "ja",
        annotate=lambda written, reading: furigana(written, reading, dictionary.kanji_readings),
        speak=lambda item: say(item.kanji, item.reading),
        ruby=lambda written, reading: ruby(written, reading, dictionary.kanji_readings),
        readings=readings,
    )


@lru_cache(_SOUNDS)
def say(word: str, reading: str) -> bytes:
    """A Japanese word, spoken as it is written if the voice reads it so, for then it has its melody; else its kana."""
    heard = "".join(hiragana(piece.reading) for piece in pieces(word))
    return speak(word if not reading or heard == hiragana(reading) else reading)


@cache
def _jmdict(folder: Path) -> JMdict:
    return JMdict.open(folder)


def german_lexicon(folder: Path) -> SongLexicon:
    """German by FreeDict; a word is read as it is written."""
    dictionary = FreeDict(folder)
    tongue = Tongue(
        words=GermanWords(dictionary).words,
        is_written_in=is_german,
        romaji=lambda written, _reading: written,
        parts=lambda _written, _reading: (),
        accent=lambda _written, _reading: None,
    )
    return SongLexicon(tongue, dictionary, english_words)
