"""The languages that can be learnt, each put together from its words, its script and its dictionary."""

from functools import cache, lru_cache
from pathlib import Path

from studium.vocabulary.dictionary.freedict import FreeDict
from studium.vocabulary.dictionary.jmdict import JMdict
from studium.vocabulary.domain import Part
from studium.vocabulary.english.analyser import english_words
from studium.vocabulary.german.analyser import GermanAnalyser, is_german
from studium.vocabulary.japanese.analyser import JapaneseAnalyser
from studium.vocabulary.japanese.kana import count_japanese_characters, hiragana
from studium.vocabulary.japanese.speech import pitch_accent, pronounce, synthesise
from studium.vocabulary.japanese.transcription import furigana, romaji, ruby, word_parts
from studium.vocabulary.lexicon import Language, SongLexicon
from studium.vocabulary.song_report import Pronunciation

_SOUNDS = 200
"""So many words are remembered as they sound; each has some 100 kB."""


def japanese_lexicon(folder: Path) -> SongLexicon:
    """Japanese by SudachiPy, pyopenjtalk and JMdict; the dictionary is prepared in the folder if it was not yet."""
    dictionary = _jmdict(folder)

    def parts_of(written: str, reading: str) -> tuple[Part, ...]:
        return word_parts(written, reading, dictionary.kanji_readings)

    def readings_of(written: str) -> set[str]:
        return {entry.reading for entry in dictionary.look_up(written)}

    tongue = Language(
        words=JapaneseAnalyser(readings_of).words,
        is_written_in=lambda text: count_japanese_characters(text) > 0,
        romaji=romaji,
        parts=parts_of,
        accent=pitch_accent,
    )
    return SongLexicon(tongue, dictionary, english_words)


def japanese_pronunciation(folder: Path) -> Pronunciation:
    """Kana over kanji, and a voice."""
    dictionary = _jmdict(folder)

    def readings(written: str, reading: str) -> tuple[str, ...]:
        entries = (*dictionary.look_up(written, reading), *dictionary.look_up(written))
        return tuple(dict.fromkeys(hiragana(entry.reading) for entry in entries))

    return Pronunciation(
        "ja",
        annotate=lambda written, reading: furigana(written, reading, dictionary.kanji_readings),
        speak=lambda item: speak_japanese(item.kanji, item.reading),
        ruby=lambda written, reading: ruby(written, reading, dictionary.kanji_readings),
        readings=readings,
    )


@lru_cache(_SOUNDS)
def speak_japanese(word: str, reading: str) -> bytes:
    """A Japanese word, spoken as it is written if the voice reads it so, for then it has its melody; else its kana."""
    heard = "".join(hiragana(piece.reading) for piece in pronounce(word))
    return synthesise(word if not reading or heard == hiragana(reading) else reading)


@cache
def _jmdict(folder: Path) -> JMdict:
    return JMdict.open(folder)


def german_lexicon(folder: Path) -> SongLexicon:
    """German by FreeDict; a word is read as it is written."""
    dictionary = FreeDict(folder)
    tongue = Language(
        words=GermanAnalyser(dictionary).words,
        is_written_in=is_german,
        romaji=lambda written, _reading: written,
        parts=lambda _written, _reading: (),
        accent=lambda _written, _reading: None,
    )
    return SongLexicon(tongue, dictionary, english_words)
