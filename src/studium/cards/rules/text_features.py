"""What the checks count in a text: content words, numbers, negations, scripts."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from studium.core.text.language_detection import detect_language

CYRILLIC = frozenset({"ru", "uk", "bg", "be", "sr", "mk"})
"""Languages written in Cyrillic."""

STEM_LENGTH = 6
"""Words are compared by their first letters, which ignores most inflection in English and Russian."""

_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+(?:[+#]+(?!\w))?")
_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_NOT_PROSE = re.compile(
    r"`[^`\n]+`|\$\$.*?\$\$|\$[^$\n]+\$|!?\[\[[^\]\n]*\]\]|\]\([^)\s]*\)|https?://\S+|<[^>\n]+>|\{\{c\d+::|\}\}",
    re.DOTALL,
)
_IDENTIFIER = re.compile(r"\b(?=\w*[a-z\d][A-Z_])\w+|\b[A-Z][A-Z\d]+\b|\b\w+(?:\(\)|\.\w+)+")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,:/]\d+)*(?![\w])%?")
_LIST_NUMBER = re.compile(r"^[ \t]*\d{1,9}[.)](?=\s)", re.MULTILINE)
_RUSSIAN_ONLY, _NOT_RUSSIAN = (
    re.compile("[\u044b\u044d\u0451]"),
    re.compile("[\u0456\u0457\u0454\u045e\u0458\u0459\u045a]"),
)
_CYRILLIC, _LATIN = re.compile("[\u0400-\u052f]"), re.compile("[A-Za-z\xc0-\u024f]")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nor|neither|without|cannot|\w+n['\u2019]t|"
    r"\u043d\u0435|\u043d\u0435\u0442|\u043d\u0438\u043a\u043e\u0433\u0434\u0430|\u0431\u0435\u0437|\u043d\u0435\u043b\u044c\u0437\u044f|\u043d\u0438)\b",
    re.IGNORECASE,
)

ENGLISH = frozenset(
    re.findall(
        r"\w+",
        """a an and any are as at be been but by can could did do does for from had has have how i if in into is it its
        may me more most must my of on one only or our should so some such than that the their them then there these
        they this those to up use used uses using was we were what when where which while who whom whose why will with
        would you your""",
    )
)
RUSSIAN = frozenset(
    re.findall(
        r"\w+",
        """без был была были было быть вот все всё где для если есть ещё зачем или как какая какие какими каким какое
        какой какую когда которая которое которые который кто между над него нет них один она они оно под почему при
        про сколько так такое также там того тоже только том тот уже чего чем что чтобы эта эти это этого этот
        \u0435\u0433\u043e""",
    )
)
_STOP = ENGLISH | RUSSIAN
_MIN_LENGTH = 3
_MIN_FUNCTION_SHARE = 4


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
        return _WORD.findall(self.uncoded.casefold())

    @cached_property
    def content(self) -> set[str]:
        """The stems of the content words outside code blocks."""
        return _stems(self.words)

    @cached_property
    def everything(self) -> set[str]:
        """The stems of all content words, also of those in code blocks."""
        if self.uncoded is self.markdown:
            return self.content
        return _stems(_WORD.findall(self.markdown.casefold()))

    @cached_property
    def numbers(self) -> set[str]:
        """The numbers outside code blocks, without the numbers of list items."""
        return set(_NUMBER.findall(_LIST_NUMBER.sub("", self.uncoded)))

    @cached_property
    def negations(self) -> int:
        """The number of negations."""
        return len(_NEGATION.findall(self.uncoded))

    @cached_property
    def cyrillic(self) -> float:
        """The share of Cyrillic in the prose, from 0 to 1."""
        if not _CYRILLIC.search(self.uncoded):
            return 0.0
        cyrillic, latin = len(_CYRILLIC.findall(self.prose)), len(_LATIN.findall(self.prose))
        return cyrillic / (cyrillic + latin or 1)

    @property
    def is_cyrillic(self) -> bool:
        """Whether most of the prose is in Cyrillic."""
        return self.cyrillic > 1 / 2

    @cached_property
    def english_words(self) -> int:
        """The number of English function words."""
        return sum(map(ENGLISH.__contains__, self.words))

    @cached_property
    def language(self) -> str:
        """The language, from letters and function words if they are clear, else from the statistical model."""
        if self.is_cyrillic and _RUSSIAN_ONLY.search(self.prose) and not _NOT_RUSSIAN.search(self.prose):
            return "ru"
        if not self.cyrillic and self.english_words * _MIN_FUNCTION_SHARE > len(self.words) > _MIN_LENGTH:
            return "en"
        return detect_language(self.markdown).code


def _stems(words: list[str]) -> set[str]:
    """The stems of the content words; the shortest Cyrillic words are not content."""
    return {
        word[:STEM_LENGTH]
        for word in words
        if word not in _STOP and not ("\u0400" <= word <= "\u052f" and len(word) < _MIN_LENGTH)
    }


@lru_cache(maxsize=256)
def text_features(markdown: str) -> TextFeatures:
    """The features of a text, cached for all checks."""
    return TextFeatures(markdown)


def coverage(part: set[str], whole: set[str]) -> float:
    """The share of `part` that is in `whole`; 1 if `part` is empty."""
    return len(part & whole) / len(part) if part else 1.0
