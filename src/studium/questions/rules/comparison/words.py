"""The words of questions and answers: stem, whether they carry a fact or negate, synonyms and opposites."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from studium.core.text import language_detection, stems
from studium.core.text.stop_words import function_words, is_negation, question_words
from studium.core.text.tokens import HIRAGANA, find_words
from studium.core.text.word_lists import load_word_table

RULES = "studium.questions.rules"
LANGUAGES = ("en", "de", "es", "fr", "ru", "ja")
_SINGLE_LETTER = re.compile(r"\b[a-zA-Z]\b")
_ONLY_HIRAGANA = re.compile(f"[{HIRAGANA}]+")


@dataclass(frozen=True)
class Lexicon:
    """A `words.yaml`: the words or wordings of each concept by language."""

    concepts: dict[str, Any]

    def by_language(self, concept: str) -> dict[str, frozenset[str]]:
        """The single words of a concept in each language."""
        return {language: frozenset(listed.split()) for language, listed in self.concepts[concept].items()}

    def words(self, concept: str) -> frozenset[str]:
        """The single words of a concept in all languages."""
        return frozenset(word for listed in self.concepts[concept].values() for word in listed.split())

    def stems(self, concept: str) -> frozenset[str]:
        """The stems of the single words of a concept, each in its own language."""
        listed = self.by_language(concept).items()
        return frozenset(stem for language, words in listed for stem in stems_of(words, _own(language)))

    def any_of(self, concept: str) -> str:
        """A pattern for any of the wordings of a concept."""
        return "|".join(self.wordings(concept))

    def wordings(self, concept: str) -> Iterable[str]:
        """The wordings of a concept in all languages; each is a pattern."""
        return [wording for listed in self.concepts[concept].values() for wording in listed.split(" / ")]


@cache
def load_lexicon(folder: str) -> Lexicon:
    """The `words.yaml` in a folder of the rules."""
    return Lexicon(load_word_table(f"{RULES}.{folder}", "words.yaml"))


class Word(NamedTuple):
    """A word with its place; `key` is the stem that it is compared by, `is_content` whether it carries a fact."""

    text: str
    key: str
    is_content: bool
    negation: bool
    start: int
    end: int

    @property
    def capital(self) -> bool:
        """Whether it is written with a capital or a digit, as names and codes are."""
        return self.text[:1].isupper() or any(char.isdigit() for char in self.text)


def words_in(text: str, language: str | None = None) -> list[Word]:
    """The words of a text, in order; Han, katakana and hiragana runs are words."""
    code = language or guess_language(text)
    tokens = find_words(text, unspaced="runs", elided="dropped" if code == "fr" else "kept")
    return [Word(token.text, *_analyse(token.text, code), token.start, token.end) for token in tokens]


def guess_language(text: str) -> str:
    """The likeliest of the known languages of a short text; English by default."""
    # Units such as `s` and `l` look like the small words of French and Spanish.
    return language_detection.guess_language(_SINGLE_LETTER.sub(" ", text), LANGUAGES, "en")


def stems_of(words: Iterable[str], languages: Iterable[str] = LANGUAGES) -> frozenset[str]:
    """The stems of listed words in each of some languages."""
    return frozenset(stems.stem(word, language) for word in words for language in languages)


def group_stems(lines: Iterable[str], languages: Iterable[str] = LANGUAGES) -> dict[str, frozenset[str]]:
    """For each stem in a table, the stems of the words in the same line."""
    groups: dict[str, frozenset[str]] = {}
    for line in lines:
        group = stems_of(line.split(), languages)
        for word in group:
            groups[word] = groups.get(word, frozenset()) | group
    return groups


def synonyms(key: str) -> frozenset[str]:
    """The stems that mean the same as this stem, itself included."""
    return _SYNONYMS.get(key, frozenset((key,)))


def opposites(key: str) -> frozenset[str]:
    """The stems that mean the opposite of this stem."""
    return _OPPOSITES.get(key, frozenset()) - {key}


@lru_cache(maxsize=100_000)
def _analyse(word: str, language: str) -> tuple[str, bool, bool]:
    """The stem of a word, whether it carries a fact, and whether it negates."""
    negation = is_negation(word, language)
    is_empty = word.casefold() in _empty_words(language) or bool(_ONLY_HIRAGANA.fullmatch(word))
    is_acronym = len(word) > 1 and word.isupper() and language != "de"
    return stems.stem(word, language), (not is_empty or is_acronym) and not negation, negation


@cache
def _empty_words(language: str) -> frozenset[str]:
    """The words that carry no fact: `before` and `below` do in an answer, `the` and `which` do not."""
    return (function_words(language) | question_words(language)) - load_lexicon("comparison").words("factual_words")


def _own(language: str) -> tuple[str, ...]:
    """The language of a list, or all where it is not for one."""
    return (language,) if language in LANGUAGES else LANGUAGES


def _related(concept: str) -> dict[str, frozenset[str]]:
    groups: dict[str, frozenset[str]] = {}
    for language, listed in load_lexicon("comparison").concepts[concept].items():
        for key, group in group_stems(listed.split(" / "), _own(language)).items():
            groups[key] = groups.get(key, frozenset()) | group
    return groups


_SYNONYMS = _related("same")
_OPPOSITES = _related("opposite")
