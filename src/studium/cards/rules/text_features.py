"""What the checks count in a text: content words, numbers, negations, scripts."""

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from studium.core.text.language_detection import detect_language, guess_language
from studium.core.text.stop_words import is_negation, stop_words
from studium.core.text.tokens import CYRILLIC, LATIN, has_signs, share_of_signs, split_words

CYRILLIC_LANGUAGES = frozenset({"ru", "uk", "bg", "be", "sr", "mk"})
"""Languages written in Cyrillic."""

STEM_LENGTH = 6
"""Words are compared by their first letters: summaries are chosen better by them than by the stems of `core.text`."""

_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_NOT_PROSE = re.compile(
    r"`[^`\n]+`|\$\$.{0,2000}?\$\$|\$[^$\n]{1,500}\$|!?\[\[[^\]\n]{0,500}\]\]|\]\([^)\s]{0,1000}\)|https?://\S+|<[^<>\n]+>|\{\{c\d+::|\}\}",
    re.DOTALL,
)
_IDENTIFIER = re.compile(r"\b(?=\w*[a-z\d][A-Z_])\w+|\b[A-Z][A-Z\d]+\b|\b\w+(?:\(\)|\.\w+)+")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,:/]\d+)*(?![\w])%?")
_LIST_NUMBER = re.compile(r"^[ \t]*\d{1,9}[.)](?=\s)", re.MULTILINE)
_RUSSIAN_ONLY, _NOT_RUSSIAN = (
    re.compile("[\u044b\u044d\u0451]"),
    re.compile("[\u0456\u0457\u0454\u045e\u0458\u0459\u045a]"),
)
_EMPTY_WORDS = frozenset({"use", "used", "uses", "using"})
_MIN_LENGTH = 3
_MIN_STOP_WORD_SHARE = 4


@dataclass(frozen=True)
class TextFeatures:
    """A piece of Markdown and its features, each computed once; get it from `text_features`."""

    markdown: str

    @cached_property
    def uncoded(self) -> str:
        """The text without its code blocks."""
        return _FENCED.sub(" ", self.markdown) if "```" in self.markdown or "~~~" in self.markdown else self.markdown

    @cached_property
    def prose(self) -> str:
        """The text without code, formulas, links, tags and identifiers."""
        return _IDENTIFIER.sub(" ", _NOT_PROSE.sub(" ", self.uncoded))

    @cached_property
    def words(self) -> list[str]:
        """Every word outside code blocks, in lower case."""
        return _split(self.uncoded)

    @cached_property
    def content(self) -> set[str]:
        """The stems of the content words outside code blocks."""
        return _stems(self.words)

    @cached_property
    def everything(self) -> set[str]:
        """The stems of all content words, also of those in code blocks."""
        if self.uncoded is self.markdown:
            return self.content
        return _stems(_split(self.markdown))

    @cached_property
    def numbers(self) -> set[str]:
        """The numbers outside code blocks, without the numbers of list items."""
        return set(_NUMBER.findall(_LIST_NUMBER.sub("", self.uncoded)))

    @cached_property
    def negations(self) -> int:
        """The number of negations."""
        return sum(is_negation(word, "en") or is_negation(word, "ru") for word in self.words)

    @cached_property
    def cyrillic(self) -> float:
        """The share of Cyrillic in the prose, from 0 to 1."""
        return share_of_signs(self.prose, CYRILLIC, LATIN) if has_signs(self.uncoded, CYRILLIC) else 0.0

    @property
    def is_cyrillic(self) -> bool:
        """Whether most of the prose is in Cyrillic."""
        return self.cyrillic > 1 / 2

    @cached_property
    def english_words(self) -> int:
        """The number of English stop words."""
        return sum(map(stop_words("en").__contains__, self.words))

    @cached_property
    def language(self) -> str:
        """The language, from letters and stop words if they are clear, else from the statistical model."""
        if self.is_cyrillic and _RUSSIAN_ONLY.search(self.prose) and not _NOT_RUSSIAN.search(self.prose):
            return "ru"
        is_likely_english = self.english_words * _MIN_STOP_WORD_SHARE > len(self.words) > _MIN_LENGTH
        if not self.cyrillic and is_likely_english and guess_language(self.prose) == "en":
            return "en"
        return detect_language(self.markdown).code


def _stems(words: list[str]) -> set[str]:
    """The stems of the content words; the shortest Cyrillic words are not content."""
    stops = _stop_words()
    return {
        word[:STEM_LENGTH]
        for word in words
        if word not in stops and not ("\u0400" <= word <= "\u052f" and len(word) < _MIN_LENGTH)
    }


def _split(text: str) -> list[str]:
    return split_words(text.casefold().replace("\u2019", "'"), symbols=True)


@cache
def _stop_words() -> frozenset[str]:
    return stop_words("en") | stop_words("ru") | _EMPTY_WORDS


@lru_cache(maxsize=256)
def text_features(markdown: str) -> TextFeatures:
    """The features of a text, cached for all checks."""
    return TextFeatures(markdown)


def coverage(part: set[str], whole: set[str]) -> float:
    """The share of `part` that is in `whole`; 1 if `part` is empty."""
    return len(part & whole) / len(part) if part else 1.0
