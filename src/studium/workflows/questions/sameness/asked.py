"""A question as it is compared: what it asks for, the words about the matter, and its facts."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from studium.workflows.questions.comparing.language import language_of
from studium.workflows.questions.comparing.statement import Statement, states
from studium.workflows.questions.comparing.words import Word, words_in
from studium.workflows.questions.sameness.kinds import Kind, kind_of

_ACRONYM = re.compile(r"\b[A-Z]{2,6}\b")
_ROMAN = {"II": "2", "III": "3", "IV": "4", "VI": "6", "VII": "7", "VIII": "8", "IX": "9", "XI": "11", "XII": "12"}
_ROMAN_NUMBER = re.compile(rf"\b(?:{'|'.join(_ROMAN)})\b|(?<=War )I\b")
# How many there are in a list says nothing more than the question for the list.
_COUNT = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b", re.IGNORECASE)
_LIST_LENGTH = re.compile(rf"\b((?:what|which)(?: (?:are|were))?(?: the)?) {_COUNT.pattern}", re.IGNORECASE)
_POLITE = (
    "(?:please|(?:can|could|would) you|do you know|tell me|i(?: would|['’]d) like to know"
    "|(?:explain|describe)(?= (?:what|why|how|when|where|who)))"
)
# One word that says what others say in several.
_SPELLED_OUT = tuple(
    (re.compile(rf"\b(?:{said})(?!\w)", re.IGNORECASE), meant)
    for said, meant in (
        (rf"{_POLITE}(?: {_POLITE})*", ""),
        (r"(?:according to|in|from|by) (?:the|this) (?:document|text|article|paper|passage|report)", ""),
        (r"(?-i:U\.S\.(?:A\.)?|USA?)|United States(?: of America)?", "America"),
        (r"(?-i:U\.K\.|UK)|United Kingdom", "Britain"),
        ("WW ?(?:II|2)", "World War 2"),
        ("WW ?(?:I|1)", "World War 1"),
        ("birthplace", "place born"),
        ("population", "people live"),
        ("attendance", "people attended"),
        ("at most", "maximum"),
        ("at (?:the )?least", "minimum"),
        ("stands? for", "meaning"),
        ("by default", "default"),
        (r"used for(?=\W*$)", "purpose"),
        ("(?:made|composed|consists?|built) (?:up )?(?:of|from)", "material"),
        ("responsible for", ""),
        (r"(should|can|does|must|may|do) one", r"\1"),
        ("(boiling|melting|freezing) point", r"\1 temperature"),
        (r"(what does .+) do(?=\W*$)", r"\1 work"),
    )
)
_NO_FRAME = "a an the s all each any both only also der die das den dem des ein eine el la los las un una"
_PREPOSITIONS = "against before after since until across along behind toward towards despite without"
_FORMS = dict.fromkeys(("is", "are", "was", "were", "be", "been"), "be") | dict.fromkeys(("do", "does", "did"), "do")


@dataclass(frozen=True)
class Asked:
    """One question."""

    text: str
    language: str
    kind: Kind
    said: Statement

    @property
    def words(self) -> tuple[Word, ...]:
        """The words about the matter."""
        return self.said.words

    @cached_property
    def frame(self) -> tuple[str, ...]:
        """The small words in their order: questions with the same frame differ by what stands in it."""
        words = [(word.telling, word.text.casefold()) for word in words_in(self.kind.rest, self.language)]
        small = [word for telling, word in words if not telling or word in _PREPOSITIONS.split()]
        return tuple(_FORMS.get(word, word) for word in small if word not in _NO_FRAME.split())

    @cached_property
    def stems(self) -> frozenset[str]:
        """All its words but those that ask."""
        return frozenset(word.key for word in words_in(self.kind.rest, self.language))


@lru_cache(maxsize=4096)
def read_question(text: str, beside: str = "") -> Asked:
    """Read a question; `beside` is the question it is compared with, which may tell what an acronym stands for."""
    plain = _short_forms(" ".join(text.split()), f"{text} {beside}")
    for pattern, words in _SPELLED_OUT:
        plain = pattern.sub(words, plain)
    if beside and not _COUNT.search(beside):
        plain = _LIST_LENGTH.sub(r"\1", plain)
    plain = _ROMAN_NUMBER.sub(lambda number: _ROMAN.get(number[0], "1"), plain)
    language = language_of(text)
    kind = kind_of(plain, language)
    return Asked(text, language, kind, states(kind.rest, language))


def _short_forms(text: str, both: str) -> str:
    """The text with `Open Shortest Path First` as `OSPF`, where either question has the acronym."""
    for acronym in set(_ACRONYM.findall(both)):
        long_form = r"[\s-]+(?:(?:of|the|and|for)\s+)?".join(rf"{letter}\w+" for letter in acronym)
        text = re.sub(rf"\b{long_form}\b", acronym, text, flags=re.IGNORECASE)
    return text
