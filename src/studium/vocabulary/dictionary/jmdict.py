"""JMdict, the dictionary of Japanese."""

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Self

from studium.core.domain.errors import NotFound, StorageFailed
from studium.vocabulary.dictionary import jmdict_build
from studium.vocabulary.dictionary.disambiguation import (
    choose_sense,
    find_neighbours,
    headword_fit,
    pos_agreement,
    usual_form,
    without_kana,
)
from studium.vocabulary.dictionary.headword import (
    Headword,
    gloss_key,
    in_hiragana,
    preferred_translation,
    unpack_headword,
)
from studium.vocabulary.domain import DictionaryEntry, Gloss, PartOfSpeech, WordToken

_CACHED = 50_000
_ANSWERS = 12
_CANDIDATES = 80
_NEAR_THE_BEST = 8.0
_ADJECTIVES: tuple[PartOfSpeech, ...] = ("i-adjective", "na-adjective")


class JMdict:
    """JMdict, KANJIDIC2, JLPT levels and word frequencies, in one read-only file."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
            self._file.execute("SELECT 1 FROM headword LIMIT 1")
        except sqlite3.Error as error:
            remedy = f"Delete {path}; it is built again on next use."
            raise StorageFailed(f"The dictionary {path} cannot be read: {error}", remedy=remedy) from error
        self._spelt = lru_cache(_CACHED)(self._read_spelt)
        self._ranked = lru_cache(_CACHED)(self._rank)
        self._entries = lru_cache(_CACHED)(self._make_entries)
        self._translations = lru_cache(_CACHED)(self._translate)
        self._kanji = lru_cache(_CACHED)(self._read_kanji)
        self._neighbours = lru_cache(_CACHED)(lambda line: find_neighbours(line, self._spelt))

    @classmethod
    def open(cls, folder: Path, *, prepare: bool = True, on_progress: jmdict_build.BuildProgress | None = None) -> Self:
        """Open the dictionary in a folder; if it is missing, it is built first (about half a minute)."""
        path = jmdict_build.dictionary_path(folder.resolve())
        if not prepare and not path.exists():
            raise NotFound(f"There is no dictionary in {folder}.", remedy="Any `studium vocab` command prepares it.")
        return cls(jmdict_build.build_dictionary(folder.resolve(), on_progress))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def look_up(
        self, lemma: str, reading: str | None = None, pos: PartOfSpeech | None = None
    ) -> Sequence[DictionaryEntry]:
        """Return the entries of a word, most likely first."""
        return self._entries(lemma, reading, pos)

    def gloss(self, word: WordToken, line: str) -> Gloss | None:
        """Return what a word means in its line, or `None` if the dictionary does not have it."""
        ranked = self._ranked(word.lemma, word.lemma_reading or None, word.part_of_speech)
        near = [(score, found) for score, found in ranked if score > ranked[0][0] - _NEAR_THE_BEST]
        chosen = choose_sense(word, line, near, self._neighbours(line))
        if chosen is None:
            return None
        glosses = chosen.headword.senses[chosen.sense].glosses
        return Gloss(chosen.english, glosses, str(chosen.headword.id), chosen.sense)

    def reverse(self, english: str, pos: PartOfSpeech | None = None) -> Sequence[DictionaryEntry]:
        """Return the translations of an English word, most useful to a learner first."""
        return self._translations(english, pos)

    def kanji_readings(self, kanji: str) -> Sequence[str]:
        """Return the readings of a kanji as in KANJIDIC2 (`ガク`, `まな.ぶ`); empty for other characters."""
        return self._kanji(kanji)

    def _read_spelt(self, text: str) -> tuple[Headword, ...]:
        """Return the headwords with a spelling or reading, in either kana."""
        found = self._file.execute(
            "SELECT id, data FROM form JOIN headword ON id = headword WHERE text = ?", (in_hiragana(text),)
        )
        return tuple(unpack_headword(id_, data) for id_, data in found)

    def _rank(self, lemma: str, reading: str | None, pos: PartOfSpeech | None) -> tuple[tuple[float, Headword], ...]:
        words = self._spelt(lemma) or self._respelt(lemma, reading)
        ranked = [(headword_fit(word, lemma, reading, pos), word) for word in words]
        return tuple(sorted(ranked, key=lambda pair: (-pair[0], pair[1].id)))

    def _respelt(self, lemma: str, reading: str | None) -> tuple[Headword, ...]:
        """Return the words with this reading that share kanji with the lemma, but have other okurigana or kanji."""
        signs = without_kana(lemma)
        alike = self._spelt(reading) if reading and signs else ()
        same = tuple(word for word in alike if any(without_kana(form.text) == signs for form in word.written))
        return same or tuple(word for word in alike if any(set(form.text) & set(signs) for form in word.written))

    def _make_entries(self, lemma: str, reading: str | None, pos: PartOfSpeech | None) -> tuple[DictionaryEntry, ...]:
        return tuple(_entry(word, lemma, reading) for _, word in self._ranked(lemma, reading, pos))

    def _translate(self, english: str, pos: PartOfSpeech | None) -> tuple[DictionaryEntry, ...]:
        wanted = gloss_key(english)
        rows = self._file.execute(
            "SELECT id, data, sense, score FROM english JOIN headword ON id = headword WHERE key = ? "
            "ORDER BY score DESC LIMIT ?",
            (wanted, _CANDIDATES),
        ).fetchall()
        ranked: list[tuple[float, Headword, int]] = []
        for id_, data, number, score in rows:
            word = unpack_headword(id_, data)
            ranked.append((score + 3 * _pos_score(word, number, pos), word, number))
        ranked.sort(key=lambda answer: (-answer[0], answer[1].id))
        answers = [_answer(word, number) for _, word, number in ranked[:_ANSWERS]]
        best = preferred_translation(wanted, pos)
        if best is None:
            return tuple(answers)
        first = _answer(self._ranked(*best, None)[0][1], 0)
        return (first, *(answer for answer in answers if answer.id != first.id))

    def _read_kanji(self, kanji: str) -> tuple[str, ...]:
        found = self._file.execute("SELECT readings FROM kanji WHERE sign = ?", (kanji,)).fetchone()
        return tuple(found[0].split()) if found else ()


def _pos_score(word: Headword, number: int, pos: PartOfSpeech | None) -> float:
    """Score a sense as a translation: adjectives may be nouns with の, verbs nouns with する."""
    sense = word.senses[number]
    kinds = frozenset(sense.kinds)
    if pos in _ADJECTIVES:
        return 1.0 if kinds.intersection(_ADJECTIVES) else 0.7 if "attributive" in sense.marks else 0.4
    if pos == "verb" and "suru" in sense.marks:
        return 0.4
    return 1.0 if pos in kinds else 0.3 * pos_agreement(kinds, pos)


def _entry(word: Headword, lemma: str, reading: str | None) -> DictionaryEntry:
    readings = word.readings_of(lemma)
    wanted = in_hiragana(reading or lemma)
    read = next((form for form in readings if in_hiragana(form.text) == wanted), usual_form(readings))
    return DictionaryEntry(
        id=str(word.id),
        written=read.text
        if word.is_usually_kana and not without_kana(lemma)
        else usual_form(word.written or (read,)).text,
        reading=read.text,
        part_of_speech=word.senses[0].kinds[0] if word.senses[0].kinds else "other",
        glosses=tuple(gloss for sense in word.senses for gloss in sense.glosses),
        jlpt=word.jlpt,
        frequency=word.frequency,
    )


def _answer(word: Headword, number: int) -> DictionaryEntry:
    sense = word.senses[number]
    written = usual_form(word.read if word.is_usually_kana else word.written)
    return DictionaryEntry(
        id=str(word.id),
        written=written.text,
        reading=usual_form(word.readings_of(written.text)).text,
        part_of_speech=sense.kinds[0] if sense.kinds else "other",
        glosses=sense.glosses,
        jlpt=word.jlpt,
        frequency=word.frequency,
    )
