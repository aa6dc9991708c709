"""Decides whether two concepts are the same, related, or different; it merges nothing.

The similarity of the texts decides most cases. The others are decided by their structure: one may deny what the other
says, or say something else about the same subject (`Inflation hurts savers`, `Inflation helps debtors`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from studium.concepts.dependencies import Embed
from studium.concepts.rules.spanish_gloss import gloss, is_spanish, word_lists
from studium.concepts.skills import Comparison, ConceptView, Duplicates, DuplicatesInput
from studium.core.domain.skill import Tool
from studium.core.llm.models import Rule
from studium.core.text.normal_form import fold
from studium.core.text.stems import stem
from studium.core.text.stop_words import negations, stop_words
from studium.core.text.tokens import split_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


UNRELATED = 0.04  # the cosine of unrelated texts by the embedder that our thresholds are set for


def similarities(embed: Embed, one: str, others: Sequence[str]) -> list[float | None]:
    """How similar the others are to one, on our scale; None for each if there is no embedder."""
    vectors = embed([one, *others])
    if vectors is None:
        return [None] * len(others)
    return [normalize_cosine(embed, float(cosine)) for cosine in vectors[1:] @ vectors[0]]


def normalize_cosine(embed: Embed, cosine: float) -> float:
    """A cosine of this embedder on our scale."""
    unrelated = _unrelated(embed)
    return cosine if unrelated is None else 1 - (1 - cosine) * (1 - UNRELATED) / (1 - unrelated)


@lru_cache(maxsize=8)
def _unrelated(embed: Embed) -> float | None:
    """The mean cosine that this embedder gives unrelated texts."""
    vectors = embed(word_lists()["unrelated"])
    if vectors is None:
        return None
    count = len(vectors)
    return float((vectors @ vectors.T).sum() - count) / (count * (count - 1))


# Here `not` denies nothing; the third is how `sin embargo` is glossed.
_NO_DENIAL = re.compile(r"\b(?:not (?:only|just|merely|simply)|no (?:matter|doubt)|without however)\b")
_REACH = 3  # how many content words a `not` negates


@dataclass(frozen=True)
class WordSequence:
    """The content words of a text in order, their stems, and the stems of those that are negated."""

    words: tuple[str, ...]
    ordered: tuple[str, ...]
    denied: frozenset[str]

    def spelled(self, stem: str) -> str:
        """A word of the text with this stem."""
        return self.words[self.ordered.index(stem)]

    @cached_property
    def all(self) -> frozenset[str]:
        """The stems of its content words."""
        return frozenset(self.ordered)

    @cached_property
    def affirmed(self) -> frozenset[str]:
        """The stems of its content words that are not negated."""
        return self.all - self.denied

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers in it."""
        return frozenset(word for word in self.ordered if word[0].isdigit())


@dataclass(frozen=True)
class Statement:
    """What a concept says, in English as far as we know it, and whether that was glossed from another language."""

    title: WordSequence
    text: WordSequence
    glossed: bool


@dataclass(frozen=True)
class _Lexicon:
    empty: frozenset[str]
    turning: frozenset[str]
    opposites: dict[str, frozenset[str]]


@lru_cache(maxsize=20_000)
def read_statement(title: str, text: str) -> Statement:
    """A concept by its title and its text, or by its title alone if it has no text."""
    text = text.strip() or title
    spanish = is_spanish(f"{title} {text}")
    if spanish:
        title, text = gloss(title), gloss(text)
    return Statement(_words(title), _words(text), spanish)


def word_overlap(one: WordSequence, other: WordSequence) -> float:
    """The share of words that two texts have in common, from 0 to 1."""
    return 2 * len(one.all & other.all) / ((len(one.all) + len(other.all)) or 1)


def contradicted_word(one: WordSequence, other: WordSequence) -> str | None:
    """A word that one affirms and the other denies."""
    return min(one.affirmed & other.denied - other.affirmed | other.affirmed & one.denied - one.affirmed, default=None)


def opposite_words(one: WordSequence, other: WordSequence) -> tuple[str, str] | None:
    """Two words, one of each text, that are opposites."""
    opposites = _lexicon().opposites
    for word in sorted(one.all - other.all):
        against = opposites.get(word, frozenset()) & (other.all - one.all)
        if against:
            return word, min(against)
    return None


def _words(text: str) -> WordSequence:
    lexicon = _lexicon()
    words: list[str] = []
    denied: set[str] = set()
    turned = 0
    plain = _NO_DENIAL.sub(" ", fold(text, accents=False, marks=False))
    for word in split_words(plain, numbers=True, marks=".;:!?", unspaced="whole"):
        if word in lexicon.turning:
            turned = _REACH
        elif not word[0].isalnum():
            turned = 0
        elif word not in lexicon.empty:
            words.append(word)
            if turned:
                denied.add(stem(word, "en"))
            turned = max(0, turned - 1)
    return WordSequence(tuple(words), tuple(stem(word, "en") for word in words), frozenset(denied))


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    listed = word_lists()
    opposites: dict[str, frozenset[str]] = {}
    for sides in listed["opposites"]:
        one, other = (frozenset(stem(word, "en") for word in side.split()) for side in sides)
        for side, against in ((one, other), (other, one)):
            opposites |= {word: opposites.get(word, frozenset()) | against for word in side}
    turning = negations("en").union(listed["turning"].split())
    empty = stop_words("en").union(listed["empty"].split()) - turning - frozenset(listed["kept"].split())
    return _Lexicon(empty, turning, opposites)


SAME = 0.34  # cosine of title and text from which on they may be one idea
RELATED = 0.25  # cosine below which they have nothing to do with each other
SAME_BY_WORDS = 0.12  # share of words, where there is no embedder
LITERAL = 0.7  # share of words from which on two texts are the same with small changes
PARALLEL = 0.5  # share of words from which on one opposite word makes the whole text an opposite
SURELY = 0.85  # cosine from which on only a contradiction makes them different
OPENING = 2  # how many first words must be the same in texts of the same structure

Verdict = Literal["same", "related", "different"]
_SEEN: dict[Verdict, str] = {
    "same": "They say the same in different words",
    "related": "They share something, but are not the same idea",
    "different": "They have little in common",
}


class Judgement(NamedTuple):
    """How two concepts compare, and why."""

    verdict: Verdict
    reasoning: str


def compare_concepts(one: ConceptView, other: ConceptView, similarity: float | None) -> Judgement:
    """How two concepts compare; `similarity` is the cosine of their whole texts."""
    first, second = read_statement(one.title, one.concept), read_statement(other.title, other.concept)
    words = word_overlap(first.text, second.text)
    near = f"{words:.0%} of their words shared" if similarity is None else f"similarity {similarity:.2f}"
    verdict = _by_similarity(words, similarity)
    contradiction = _contradiction(first, second) if verdict != "different" else None
    if contradiction:
        return Judgement("related", f"They speak of one thing, but {contradiction} ({near}).")
    if max(words / LITERAL, (similarity or 0) / SURELY) >= 1:
        return Judgement("same", f"They say it in nearly the same words ({near}).")
    point = _another_point(first, second) if verdict == "same" and first.glossed == second.glossed else None
    if point:
        return Judgement("related", f"{point} ({near}).")
    return Judgement(verdict, f"{_SEEN[verdict]} ({near}).")


def _by_similarity(words: float, similarity: float | None) -> Verdict:
    if similarity is None:
        return "same" if words >= SAME_BY_WORDS else "different"
    return "same" if similarity >= SAME else "related" if similarity >= RELATED else "different"


def full_text(idea: ConceptView) -> str:
    """The text of a concept as it is embedded."""
    return f"{idea.title}. {idea.concept}"


def duplicates_rule(embed: Embed) -> Rule:
    """The rule that compares a candidate with the others; without an embedder, words decide."""

    def duplicates(given: DuplicatesInput, _tools: Sequence[Tool]) -> Duplicates:
        nearness = similarities(embed, full_text(given.candidate), [full_text(other) for other in given.others])
        judged = (
            (other, compare_concepts(given.candidate, other, near))
            for other, near in zip(given.others, nearness, strict=True)
        )
        return Duplicates(
            compared=tuple(
                Comparison(other=other.key, verdict=verdict, reasoning=reasoning)
                for other, (verdict, reasoning) in judged
            )
        )

    return duplicates


def _contradiction(one: Statement, other: Statement) -> str | None:
    """What one denies or reverses that the other affirms: about the titles' subject, or in otherwise parallel texts."""
    titles_meet = bool(one.title.all & other.title.all)
    texts_parallel = word_overlap(one.text, other.text) >= PARALLEL
    for mine, theirs, meet in ((one.title, other.title, titles_meet), (one.text, other.text, texts_parallel)):
        found = _turned(mine, theirs) if meet else None
        if found:
            return found
    return None


def _turned(one: WordSequence, other: WordSequence) -> str | None:
    denied = contradicted_word(one, other)
    if denied:
        return f"one denies what the other says of “{one.spelled(denied)}”"
    opposites = opposite_words(one, other)
    if opposites:
        return f"one says “{one.spelled(opposites[0])}” where the other says “{other.spelled(opposites[1])}”"
    if one.numbers and other.numbers and one.numbers != other.numbers:
        return f"one says {', '.join(sorted(one.numbers))} and the other {', '.join(sorted(other.numbers))}"
    return None


def _another_point(one: Statement, other: Statement) -> str | None:
    """Why two concepts in one language make two points about one subject."""
    if _opening(one.title, other.title):
        return f"They say different things of “{one.title.words[0]}”"
    if _opening(one.text, other.text) >= OPENING:
        return f"They begin alike (“{' '.join(one.text.words[:OPENING])}”) and continue differently"
    return None


def _opening(one: WordSequence, other: WordSequence) -> int:
    """How many first words two texts have in common."""
    pairs = enumerate(zip(one.ordered, other.ordered, strict=False))
    return next((index for index, (mine, theirs) in pairs if mine != theirs), 0)


SURELY_SAME = 0.65  # cosine below which we are not


class SameConcept:
    """Compares concepts by their texts; each text is embedded once."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._vectors: dict[str, NDArray[np.float32] | None] = {}

    def __call__(self, one: ConceptView, other: ConceptView) -> bool:
        """Whether they are certainly the same idea."""
        first, second = self._vector(one), self._vector(other)
        if first is None or second is None:
            return one.concept == other.concept
        cosine = normalize_cosine(self._embed, float(first @ second))
        return cosine >= SURELY_SAME and compare_concepts(one, other, cosine).verdict == "same"

    def _vector(self, idea: ConceptView) -> "NDArray[np.float32] | None":
        text = full_text(idea)
        if text not in self._vectors:
            rows = self._embed([text])
            self._vectors[text] = None if rows is None else rows[0]
        return self._vectors[text]
