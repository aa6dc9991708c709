"""The languages to learn, each built from its analyser, its script and its dictionary."""

from functools import cache, lru_cache
from pathlib import Path

from studium.vocabulary.dictionary.freedict import FreeDict
from studium.vocabulary.dictionary.jmdict import JMdict
from studium.vocabulary.domain import Part
from studium.vocabulary.english import english_words
from studium.vocabulary.german import GermanAnalyser, is_german
from studium.vocabulary.japanese.analyser import JapaneseAnalyser
from studium.vocabulary.japanese.kana import count_japanese_characters, hiragana
from studium.vocabulary.japanese.speech import pitch_accent, pronounce, synthesise
from studium.vocabulary.japanese.transcription import furigana, romaji, ruby, word_parts
from studium.vocabulary.lexicon import Language, SongLexicon
from studium.vocabulary.song_report import Pronunciation

_CACHED_SOUNDS = 200
"""Each sound has about 100 kB."""


def japanese_lexicon(folder: Path) -> SongLexicon:
    """Build Japanese from SudachiPy, pyopenjtalk and JMdict; the dictionary is prepared in the folder if necessary."""
    dictionary = _jmdict(folder)

    def parts_of(written: str, reading: str) -> tuple[Part, ...]:
        return word_parts(written, reading, dictionary.kanji_readings)

    def readings_of(written: str) -> set[str]:
        return {entry.reading for entry in dictionary.look_up(written)}

    language = Language(
        words=JapaneseAnalyser(readings_of).words,
        is_written_in=lambda text: count_japanese_characters(text) > 0,
        romaji=romaji,
        parts=parts_of,
        accent=pitch_accent,
    )
    return SongLexicon(language, dictionary, english_words)


def japanese_pronunciation(folder: Path) -> Pronunciation:
    """Build the pronunciation of Japanese: kana above kanji, and speech."""
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


@lru_cache(_CACHED_SOUNDS)
def speak_japanese(word: str, reading: str) -> bytes:
    """Speak a Japanese word: as written, with its pitch accent, if that gives the right reading, else its kana."""
    spoken = "".join(hiragana(piece.reading) for piece in pronounce(word))
    return synthesise(word if not reading or spoken == hiragana(reading) else reading)


@cache
def _jmdict(folder: Path) -> JMdict:
    return JMdict.open(folder)


def german_lexicon(folder: Path) -> SongLexicon:
    """Build German from FreeDict; words are read as they are written."""
    dictionary = FreeDict(folder)
    language = Language(
        words=GermanAnalyser(dictionary).words,
        is_written_in=is_german,
        romaji=lambda written, _reading: written,
        parts=lambda _written, _reading: (),
        accent=lambda _written, _reading: None,
    )
    return SongLexicon(language, dictionary, english_words)
