"""Which sense of a word a line of a song means: by its part of speech, its particle and the words beside it."""

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

# Parts of speech that analysers and JMdict tell apart differently.
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
    """How well an entry's or a sense's parts of speech fit the one that was seen: 1, a half, or 0."""
    if pos is None or pos in kinds:
        return 1.0
    return 0.5 if _NEAR.get(pos, frozenset()) & kinds else 0.0


def headword_fit(word: Headword, lemma: str, reading: str | None, pos: PartOfSpeech | None) -> float:
    """How well a headword answers to a word as it was seen."""
    worth = usefulness(word)
    return (
        _spelling(word, lemma)
        + _reading(word, lemma, reading)
        + 5 * pos_agreement(word.kinds, pos)
        + 0.5 * worth
        - 0.7 * min(rarity(sense) for sense in word.senses)
    )


def without_kana(text: str) -> str:
    """A word without its kana: what 立ち上がる and 立上がる have in common."""
    return _KANA.sub("", in_hiragana(text))


def _spelling(word: Headword, lemma: str) -> float:
    """Written as the entry writes it; in kana, as only some words usually are."""
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
    """The form a learner meets: the first one that is not irregular."""
    return next((form for form in forms if not form.is_irregular), forms[0])


_RUN = re.compile(r"[一-鿿々〆ヶ]+|[ァ-ヺー]{2,}")
_PARTICLES = "をがにでへとはもの"
_LONGEST = 6
# What a noun means hardly depends on the words beside it.
_NEED_COMPANY = frozenset({"verb", "i-adjective", "na-adjective", "adverb"})
_TELLING_SENSES = 2
_PREFERRED = 12.0


@dataclass(frozen=True)
class Neighbour:
    """A noun that stands in the same line, where it stands, and what it may mean."""

    start: int
    end: int
    meanings: frozenset[str]


@dataclass(frozen=True)
class ChosenSense:
    """A sense that a word may have in its line, how well it fits, and how it is said shortly."""

    score: float
    headword: Headword
    sense: int
    english: str


def find_neighbours(line: str, headwords: Callable[[str], Sequence[Headword]]) -> tuple[Neighbour, ...]:
    """The words of a line that are written in kanji or katakana, the longest first, found by the dictionary alone."""
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
    """The sense that fits best; of equals, the one the dictionary names first."""
    start = line.find(word.surface)
    end = start + len(word.surface)
    beside = _beside(start, end, line, around) if start >= 0 and word.part_of_speech in _NEED_COMPANY else {}
    particle = line[start - 1] if start > 0 else ""
    preferred = preferred_gloss(word, line)
    best: ChosenSense | None = None
    for fit, headword in candidates:
        for number, sense in enumerate(headword.senses):
            if not _applies(sense, word):
                continue
            wanted = [gloss for gloss in sense.glosses if gloss_key(gloss) == preferred]
            score = fit + _likelihood(sense, number, word) + _transitivity(sense, particle) + _company(sense, beside)
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
    """`を` before a verb asks for one that takes an object, `が` for one that does not."""
    takes, takes_not = "transitive" in sense.marks, "intransitive" in sense.marks
    if particle == "を":
        return 1.5 * (takes - takes_not)
    if particle == "が":
        return 1.0 * (takes_not - takes)
    return 0.0


def _company(sense: Sense, beside: dict[frozenset[str], float]) -> float:
    """How far a sense speaks of the words beside it, as `to put up (an umbrella)` does of 傘."""
    told = informative_words(" ".join((*sense.glosses, sense.note)))
    return max((weight for meanings, weight in beside.items() if meanings & told), default=0.0)


def _beside(start: int, end: int, line: str, around: tuple[Neighbour, ...]) -> dict[frozenset[str], float]:
    """What the other words mean, and how much each tells: most the one a particle ties to the word."""
    weights: dict[frozenset[str], float] = {}
    for other in around:
        if other.start < end and other.end > start:
            continue
        between = line[other.end : start] if other.end <= start else line[end : other.start]
        tied = not between or (len(between) == 1 and between in _PARTICLES)
        weights[other.meanings] = max(weights.get(other.meanings, 0), 3.0 if tied else 0.6)
    return weights


def _applies(sense: Sense, word: WordToken) -> bool:
    return not sense.belongs_to or word.lemma in sense.belongs_to or word.lemma_reading in sense.belongs_to


def _meanings(words: Sequence[Headword]) -> frozenset[str]:
    likeliest = max(words, key=usefulness)
    senses = likeliest.senses[:_TELLING_SENSES]
    return frozenset().union(*(informative_words(gloss_key(g)) for sense in senses for g in sense.glosses))
