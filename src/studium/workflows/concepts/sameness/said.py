"""A concept as it is compared: the words that its title and its text say, in order, and which of them it denies."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from studium.workflows.concepts.sameness.glossing import gloss, is_spanish
from studium.workflows.concepts.sameness.lists import word_lists
from studium.workflows.concepts.sameness.stems import english_stem, fold

_WORD = re.compile(r"[^\W\d_]+(?:'t)?|\d+(?:[.,]\d+)*|[.;:!?]")
# Here `not` denies nothing; the third is how `sin embargo` is glossed.
_NO_DENIAL = re.compile(r"\b(?:not (?:only|just|merely|simply)|no (?:matter|doubt)|without however)\b")
_REACH = 3  # how many words about the matter a `not` turns


@dataclass(frozen=True)
class Words:
    """The words of a text about the matter, in their order, their stems, and the stems of those that it denies."""

    words: tuple[str, ...]
    ordered: tuple[str, ...]
    denied: frozenset[str]

    def spelled(self, stem: str) -> str:
        """A word of the text with this stem."""
        return self.words[self.ordered.index(stem)]

    @cached_property
    def all(self) -> frozenset[str]:
        """What it speaks of."""
        return frozenset(self.ordered)

    @cached_property
    def affirmed(self) -> frozenset[str]:
        """What it speaks of and does not deny."""
        return self.all - self.denied

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers in it."""
        return frozenset(word for word in self.ordered if word[0].isdigit())


@dataclass(frozen=True)
class Said:
    """What a concept says, in English as far as we know it, and whether that was glossed from another language."""

    title: Words
    text: Words
    glossed: bool


@dataclass(frozen=True)
class _Lexicon:
    empty: frozenset[str]
    turning: frozenset[str]
    opposites: dict[str, frozenset[str]]


@lru_cache(maxsize=20_000)
def read(title: str, text: str) -> Said:
    """A concept, by its title and its text; one that has no text says what its title says."""
    text = text.strip() or title
    spanish = is_spanish(f"{title} {text}")
    if spanish:
        title, text = gloss(title), gloss(text)
    return Said(_words(title), _words(text), spanish)


def shared(one: Words, other: Words) -> float:
    """Which share of their words two texts have in common, from 0 to 1."""
    return 2 * len(one.all & other.all) / ((len(one.all) + len(other.all)) or 1)


def denied_by_one(one: Words, other: Words) -> str | None:
    """A word that one affirms and the other denies."""
    return min(one.affirmed & other.denied - other.affirmed | other.affirmed & one.denied - one.affirmed, default=None)


def opposed(one: Words, other: Words) -> tuple[str, str] | None:
    """Two words, one of each text, of which one says the opposite of the other."""
    opposites = _lexicon().opposites
    for word in sorted(one.all - other.all):
        against = opposites.get(word, frozenset()) & (other.all - one.all)
        if against:
            return word, min(against)
    return None


def _words(text: str) -> Words:
    lexicon = _lexicon()
    words: list[str] = []
    denied: set[str] = set()
    turned = 0
    for word in _WORD.findall(_NO_DENIAL.sub(" ", fold(text).replace("’", "'"))):
        if word in lexicon.turning:
            turned = _REACH
        elif not word[0].isalnum():
            turned = 0
        elif word not in lexicon.empty:
            words.append(word)
            if turned:
                denied.add(english_stem(word))
            turned = max(0, turned - 1)
    return Words(tuple(words), tuple(map(english_stem, words)), frozenset(denied))


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    listed = word_lists()
    opposites: dict[str, frozenset[str]] = {}
    for sides in listed["opposites"]:
        one, other = (frozenset(map(english_stem, side.split())) for side in sides)
        for side, against in ((one, other), (other, one)):
            opposites |= {word: opposites.get(word, frozenset()) | against for word in side}
    return _Lexicon(frozenset(listed["empty"].split()), frozenset(listed["turning"].split()), opposites)
