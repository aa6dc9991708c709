"""Chooses the sense of a Japanese word in its line, by part of speech, particle and neighbouring words."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from studium.vocabulary.dictionary.headword import (
    Headword,
    Sense,
    WordForm,
    gloss_key,
    in_hiragana,
    informative_words,
    preferred_gloss,
    rarity,
    short_gloss,
    usefulness,
)
from studium.vocabulary.domain import PartOfSpeech, WordToken

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
    return _KANA.sub("", in_hiragana(text))


def _spelling(word: Headword, lemma: str) -> float:
    """Score the spelling: as in the entry, or in kana if that is usual."""
    for place, form in enumerate(word.written):
        if form.text == lemma:
            return 6 - min(place, 4) * 0.5 - (2 if form.is_irregular else 0)
    if without_kana(lemma):
        return 3.0 if any(in_hiragana(form.text) == in_hiragana(lemma) for form in word.written) else 0.0
    exact = 1.0 if any(form.text == lemma for form in word.read) else 0.0
    return exact + (5.0 if word.is_usually_kana else 2.0)


def _reading(word: Headword, lemma: str, reading: str | None) -> float:
    if reading is None:
        return 0.0
    wanted = in_hiragana(reading)
    for place, form in enumerate(word.readings_of(lemma)):
        if in_hiragana(form.text) == wanted:
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
