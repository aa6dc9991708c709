"""Which English sentences are worth reading, what a document is about, and which questions fit what was asked for."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log

from studium.core.text.english.tree import Word
from studium.core.text.stop_words import stop_words
from studium.core.text.tokens import split_words
from studium.questions.difficulty import difficulty_of
from studium.questions.rules.generation.facts import Fact, QuestionFamily
from studium.questions.skills import GenerateInput, QuestionContext

_OFTEN = 6
_SHORTEST_TOPIC = 3
_NO_SOURCE = re.compile(
    r"[{}<>|\\=@\u2022\ufffd]|https?:|www\.|copyright|all rights reserved|\bwarrant(?:y|ies)\b|permission is"
    r"|licensed under|\[\d|\b(?:fig|figure|table|section|chapter|appendix|listing|equation|eq)\.? \d"
    r"|\bsee (?:also|the|section)\b|\w{35}",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[a-zA-Z0-9)%\"'\u201d\u2019][.!]?[.!][\"'\u201d\u2019)]?$")
_LETTERS = 0.74
_SENTENCE_WORDS = range(6, 46)


@dataclass(frozen=True)
class Topics:
    """The words that a document is about, by how often it says them and whether its headings do."""

    texts: tuple[str, ...]
    headings: tuple[str, ...]

    @cached_property
    def counts(self) -> Counter[str]:
        """How often the document says each content word."""
        empty = stop_words("en")
        return Counter(
            word
            for text in self.texts
            for word in split_words(text.lower())
            if word not in empty and len(word) >= _SHORTEST_TOPIC
        )

    @cached_property
    def _headed(self) -> frozenset[str]:
        return frozenset(word for heading in set(self.headings) for word in split_words(heading.lower()))

    @cached_property
    def _often(self) -> float:
        return log(2 + max(self.counts.values(), default=0))

    def weight(self, text: str) -> float:
        """How much a text is about what the document is about, from 0 to about 1."""
        words = [word for word in split_words(text.lower()) if word in self.counts]
        if not words:
            return 0.0
        said = sum(log(1 + self.counts[word]) for word in words) / len(words) / self._often
        return said + 0.3 * sum(word in self._headed for word in words) / len(words)

    def is_often_said(self, word: Word) -> bool:
        """Whether the document says a noun so often, or in a heading, that readers know which one is meant."""
        return (
            word.lower in self._headed
            or self.counts[word.lower] + (self.counts[word.lemma] if word.lemma != word.lower else 0) >= _OFTEN
        )


def is_source(text: str) -> bool:
    """Whether a sentence is prose that questions may be asked about."""
    if (
        len(text.split()) not in _SENTENCE_WORDS
        or not _ENDS.search(text)
        or not (text[0].isupper() or text[0] in "\"\u201c'")
    ):
        return False
    spaceless = text.replace(" ", "")
    letters = sum(sign.isalpha() for sign in spaceless)
    capitals = sum(word[0].isupper() for word in text.split())
    return letters >= _LETTERS * len(spaceless) and capitals <= 0.6 * len(text.split()) and not _NO_SOURCE.search(text)


def most_telling(texts: Sequence[str], topics: Topics, most: int) -> list[int]:
    """The places of the sentences to look at first: about the document's topics, and from all of its parts."""
    if len(texts) <= most:
        return list(range(len(texts)))
    parts = max(1, most // 10)
    size = -(-len(texts) // parts)
    chosen: list[int] = []
    for start in range(0, len(texts), size):
        part = range(start, min(start + size, len(texts)))
        chosen += sorted(part, key=lambda at: -_promise(texts[at], topics))[: -(-most // parts)]
    return sorted(chosen)


def _promise(text: str, topics: Topics) -> float:
    words = len(text.split())
    return (
        topics.weight(text)
        - abs(words - 16) * 0.02
        + 0.3 * bool(re.search(r"\b(?:because|so that|in order to|by \w+ing|if|must|when)\b", text))
    )


_NAMED, _WANTED = 1.5, 1.5
SHORT, LONG = 9, 15
_FAMILIES = {
    r"definition|\bterms?\b|terminolog|concept|glossary": {QuestionFamily.DEFINITION, QuestionFamily.ABBREVIATION},
    r"number|figures?\b|quantit|statistic|amount|how many|how much|measure": {QuestionFamily.NUMBER},
    r"\bdates?\b|\byears?\b|\bwhen\b|timeline|chronolog|histor": {QuestionFamily.DATE, QuestionFamily.TIME},
    r"\bwho\b|person|people|\bnames?\b": {QuestionFamily.NAME},
    r"\bwhy\b|reason|cause|understand|understood|explain|analys": {
        QuestionFamily.REASON,
        QuestionFamily.PURPOSE,
        QuestionFamily.CONSEQUENCE,
    },
    r"\bhow (?:do|does|to|can)\b|procedure|\bsteps?\b|instruction|how-to|task": {
        QuestionFamily.WAY,
        QuestionFamily.INSTRUCTION,
    },
    r"\bwhere\b|place|location": {QuestionFamily.PLACE},
    r"tables?\b|stat block|specification|data sheet|values?\b": {QuestionFamily.TABLE, QuestionFamily.ENTRY},
    r"\bmust\b|duty|duties|obligation|requirement|polic(?:y|ies)|compliance": {QuestionFamily.DUTY},
}
_USUAL = QuestionContext().scenario


@lru_cache(maxsize=64)
def named_families(scenario: str) -> frozenset[QuestionFamily]:
    """The families of facts that the description of a scenario names."""
    if scenario == _USUAL:
        return frozenset()
    named = (families for words, families in _FAMILIES.items() if re.search(words, scenario, re.IGNORECASE))
    return frozenset(family for families in named for family in families)


def preference(fact: Fact, given: GenerateInput, counts: Mapping[str, int]) -> float:
    """How much better a fact is than others for this request."""
    wanted = _NAMED * (fact.family in named_families(given.scenario))
    if given.length != "any":
        wanted += _WANTED * (length_of(fact.question) == given.length)
    if given.difficulty != "any":
        found = difficulty_of(given.kind, fact.question, fact.answer, fact.quotes, counts)
        wanted += _WANTED * (found == given.difficulty)
    return wanted


def length_of(question: str) -> str:
    """Short up to 8 words, long from 15 words on."""
    words = len(question.split())
    return "short" if words < SHORT else "medium" if words < LONG else "long"
