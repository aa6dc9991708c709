"""JMdict, the dictionary of Japanese; of several senses of a word, the one that fits its line is chosen.

It is chosen by part of speech, particle and neighbouring words.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Self

from studium.core.domain.errors import NotFound, StorageFailed
from studium.vocabulary.dictionary import jmdict_build
from studium.vocabulary.dictionary.headword import (
    Headword,
    Sense,
    WordForm,
    fold_kana,
    gloss_key,
    informative_words,
    preferred_gloss,
    preferred_translation,
    rarity,
    short_gloss,
    unpack_headword,
    usefulness,
)
from studium.vocabulary.domain import DictionaryEntry, Gloss, PartOfSpeech, WordToken

_KANA = re.compile(r"[ぁ-ゖー]+")

# Parts of speech that Sudachi and JMdict distinguish differently.
_NEAR: dict[PartOfSpeech, frozenset[PartOfSpeech]] = {
    "noun": frozenset({"na-adjective", "pronoun", "counter", "number", "suffix", "adverb"}),
    "na-adjective": frozenset({"noun"}),
    "i-adjective": frozenset({"na-adjective", "auxiliary"}),
    "pronoun": frozenset({"noun"}),
    "adverb": frozenset({"noun", "na-adjective", "expression"}),
    "verb": frozenset({"expression", "auxiliary"}),
    "suffix": frozenset({"noun", "counter"}),
    "prefix": frozenset({"noun", "other"}),
    "interjection": frozenset({"expression", "noun"}),
    "expression": frozenset({"noun", "verb", "adverb", "interjection"}),
    "conjunction": frozenset({"adverb", "expression"}),
    "other": frozenset({"expression", "adverb"}),
}


def pos_agreement(kinds: frozenset[PartOfSpeech], pos: PartOfSpeech | None) -> float:
    """Score how well parts of speech fit the observed one: 1, 0.5 or 0."""
    if pos is None or pos in kinds:
        return 1.0
    return 0.5 if _NEAR.get(pos, frozenset()) & kinds else 0.0


def headword_fit(word: Headword, lemma: str, reading: str | None, pos: PartOfSpeech | None) -> float:
    """Score how well a headword fits a word as it was found."""
    worth = usefulness(word)
    return (
        _spelling(word, lemma)
        + _reading(word, lemma, reading)
        + 5 * pos_agreement(word.kinds, pos)
        + 0.5 * worth
        - 0.7 * min(rarity(sense) for sense in word.senses)
    )


def without_kana(text: str) -> str:
    """Remove the kana from a word; 立ち上がる and 立上がる become the same."""
    return _KANA.sub("", fold_kana(text))


def _spelling(word: Headword, lemma: str) -> float:
    """Score the spelling: as in the entry, or in kana if that is usual."""
    for place, form in enumerate(word.written):
        if form.text == lemma:
            return 6 - min(place, 4) * 0.5 - (2 if form.is_irregular else 0)
    if without_kana(lemma):
        return 3.0 if any(fold_kana(form.text) == fold_kana(lemma) for form in word.written) else 0.0
    exact = 1.0 if any(form.text == lemma for form in word.read) else 0.0
    return exact + (5.0 if word.is_usually_kana else 2.0)


def _reading(word: Headword, lemma: str, reading: str | None) -> float:
    if reading is None:
        return 0.0
    wanted = fold_kana(reading)
    for place, form in enumerate(word.readings_of(lemma)):
        if fold_kana(form.text) == wanted:
            return 8 - min(place, 4) * 0.4 - (2 if form.is_irregular else 0)
    return 0.0


def usual_form(forms: tuple[WordForm, ...]) -> WordForm:
    """Return the first form that is not irregular."""
    return next((form for form in forms if not form.is_irregular), forms[0])


_RUN = re.compile(r"[一-鿿々〆ヶ]+|[ァ-ヺー]{2,}")
_PARTICLES = "をがにでへとはもの"
_LONGEST = 6
# The sense of a noun hardly depends on its neighbours.
_NEED_CONTEXT = frozenset({"verb", "i-adjective", "na-adjective", "adverb"})
_NEIGHBOUR_SENSES = 2
_PREFERRED = 12.0


@dataclass(frozen=True)
class Neighbour:
    """Another noun of the line, its position, and what it may mean."""

    start: int
    end: int
    meanings: frozenset[str]


@dataclass(frozen=True)
class ChosenSense:
    """The sense of a word in its line, how well it fits, and its short gloss."""

    score: float
    headword: Headword
    sense: int
    english: str


def find_neighbours(line: str, headwords: Callable[[str], Sequence[Headword]]) -> tuple[Neighbour, ...]:
    """Find the longest words of a line in kanji or katakana that the dictionary has."""
    found: list[Neighbour] = []
    for run in _RUN.finditer(line):
        start = run.start()
        while start < run.end():
            end = min(run.end(), start + _LONGEST)
            while end > start and not headwords(line[start:end]):
                end -= 1
            if end > start:
                found.append(Neighbour(start, end, _meanings(headwords(line[start:end]))))
            start = max(end, start + 1)
    return tuple(found)


def choose_sense(
    word: WordToken, line: str, candidates: Iterable[tuple[float, Headword]], around: tuple[Neighbour, ...]
) -> ChosenSense | None:
    """Return the sense that fits best, the first of equals."""
    start = line.find(word.surface)
    end = start + len(word.surface)
    beside = _beside(start, end, line, around) if start >= 0 and word.part_of_speech in _NEED_CONTEXT else {}
    particle = line[start - 1] if start > 0 else ""
    preferred = preferred_gloss(word, line)
    best: ChosenSense | None = None
    for fit, headword in candidates:
        for number, sense in enumerate(headword.senses):
            if not _applies(sense, word):
                continue
            wanted = [gloss for gloss in sense.glosses if gloss_key(gloss) == preferred]
            score = (
                fit + _likelihood(sense, number, word) + _transitivity(sense, particle) + _context_score(sense, beside)
            )
            score += _PREFERRED if wanted else 0
            if best is None or score > best.score:
                best = ChosenSense(score, headword, number, short_gloss((*wanted, *sense.glosses)))
    return best


def _likelihood(sense: Sense, number: int, word: WordToken) -> float:
    in_kana = not without_kana(word.lemma)
    spelling = 0.8 if in_kana and "kana" in sense.marks else 0.0
    return (
        5 * pos_agreement(frozenset(sense.kinds), word.part_of_speech) - 0.6 * min(number, 6) - rarity(sense) + spelling
    )


def _transitivity(sense: Sense, particle: str) -> float:
    """Score transitivity: `を` before a verb needs a transitive one, `が` an intransitive one."""
    takes, takes_not = "transitive" in sense.marks, "intransitive" in sense.marks
    if particle == "を":
        return 1.5 * (takes - takes_not)
    if particle == "が":
        return 1.0 * (takes_not - takes)
    return 0.0


def _context_score(sense: Sense, beside: dict[frozenset[str], float]) -> float:
    """Score whether a sense mentions neighbouring words, as `to put up (an umbrella)` does with 傘."""
    mentioned = informative_words(" ".join((*sense.glosses, sense.note)))
    return max((weight for meanings, weight in beside.items() if meanings & mentioned), default=0.0)


def _beside(start: int, end: int, line: str, around: tuple[Neighbour, ...]) -> dict[frozenset[str], float]:
    """Weigh the meanings of the other words: most for one that is next to the word or joined by a particle."""
    weights: dict[frozenset[str], float] = {}
    for other in around:
        if other.start < end and other.end > start:
            continue
        between = line[other.end : start] if other.end <= start else line[end : other.start]
        is_joined = not between or (len(between) == 1 and between in _PARTICLES)
        weights[other.meanings] = max(weights.get(other.meanings, 0), 3.0 if is_joined else 0.6)
    return weights


def _applies(sense: Sense, word: WordToken) -> bool:
    return not sense.belongs_to or word.lemma in sense.belongs_to or word.lemma_reading in sense.belongs_to


def _meanings(words: Sequence[Headword]) -> frozenset[str]:
    likeliest = max(words, key=usefulness)
    senses = likeliest.senses[:_NEIGHBOUR_SENSES]
    return frozenset().union(*(informative_words(gloss_key(g)) for sense in senses for g in sense.glosses))


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
            "SELECT id, data FROM form JOIN headword ON id = headword WHERE text = ?", (fold_kana(text),)
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
    wanted = fold_kana(reading or lemma)
    read = next((form for form in readings if fold_kana(form.text) == wanted), usual_form(readings))
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
