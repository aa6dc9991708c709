"""Facts: what a document says that can be asked about, with the question, the answer and the proof."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

_OPENING = re.compile(r"\b(?:in which year|when|who or what|who|what|which|where|how \w+)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_UNTELLING = re.compile(r"(?:an?|the|of|is|are|was|were|do|does|did|have|has|had|in|for|according|to)")
_ALIKE = {"in which year": "when", "which": "what", "who or what": "what"}
_LOWER = re.compile(r"(?<![.!?:] )(?<!^)\b[^\W\d_A-Z\u0410-\u042fЁÄÖÜÀ-ÖØ-Þ][^\W\d_]*(?:[-'’][^\W\d_]+)*", re.MULTILINE)


class Family(StrEnum):
    """The kinds of question, in the words with which they are reported."""

    ENTRY = "labelled values"
    TABLE = "tables"
    NUMBER = "numbers"
    DATE = "dates"
    NAME = "names and places"
    PROPERTY = "properties"
    LIST = "lists"
    ABBREVIATION = "abbreviations"
    DEFINITION = "definitions"
    PURPOSE = "purposes"


@dataclass(frozen=True)
class Draft:
    """A question and its answer as a pattern makes them of one sentence.

    A draft that is not `complete` is understood only together with the heading that the sentence stands under.
    """

    family: Family
    question: str
    answer: str
    complete: bool = True


@dataclass(frozen=True)
class Fact:
    """A question, its answer, and the quotes that prove it; `line` is where it stands."""

    family: Family
    question: str
    answer: str
    quotes: tuple[str, ...]
    line: int

    @cached_property
    def matter(self) -> frozenset[str]:
        """What it asks about."""
        return subject_matter(self.question)


def subject_matter(question: str) -> frozenset[str]:
    """What a question asks about, however it is worded: two questions with the same are one."""
    opening = _OPENING.search(question)
    asks = opening[0].lower() if opening else ""
    rest = question.replace(opening[0], " ", 1) if opening else question
    return frozenset({*words_of(rest), f"{_ALIKE.get(asks, asks)}?"})


def words_of(text: str) -> set[str]:
    """The words and numbers of a text that tell something."""
    return {word for word in _WORD.findall(text.casefold()) if not _UNTELLING.fullmatch(word)}


@dataclass(frozen=True)
class Vocabulary:
    """Which words a document writes in lower case within a sentence, and before which it puts `the`."""

    texts: tuple[str, ...]

    def common(self, word: str) -> bool:
        """Whether a capitalised word at the start of a sentence is an ordinary one."""
        return word.lower() in self._lower or word.lower().removesuffix("s") in self._lower

    def takes_article(self, name: str) -> bool:
        """Whether the document speaks of `the goblin` rather than of `Goblin`."""
        return self._with_article[name.casefold()] > 0

    @cached_property
    def _lower(self) -> frozenset[str]:
        return frozenset(word for text in self.texts for word in _LOWER.findall(text))

    @cached_property
    def _with_article(self) -> Counter[str]:
        phrases = (phrase for text in self.texts for phrase in _articled(text))
        return Counter(phrases)


def _articled(text: str) -> Iterator[str]:
    """What follows each `the`, in one, two and three words."""
    words = text.casefold().split()
    for at, word in enumerate(words):
        if word == "the":
            yield from (" ".join(words[at + 1 : at + 1 + size]).strip(".,;:'’s") for size in (1, 2, 3))
