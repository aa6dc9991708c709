"""Parse a question for comparison: what it asks for (a person, a time, a place …), its frame and its content."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from studium.questions.rules.comparison.answers import Statement, parse_statement
from studium.questions.rules.comparison.words import Word, guess_language, words_in

THING, WHETHER = "thing", "whether"

_TIMES = "years?|dates?|days?|months?|century|decade|deadline"
_PERSONS = (
    "persons?|people|man|woman|individual|lawyers?|attorneys?|counsel|scientists?|researchers?|authors?|company"
    "|companies|organi[sz]ations?|firm|team|party|authority"
)
_PLACES = "city|cities|town|country|countries|place|location|site|venue"
_METHODS = "process|procedure|method|way|steps?|technique|formula|approach"
_AUXILIARIES = "is|are|was|were|do|does|did|has|have|had|can|could|will|would|must|may|should"
_IS = r"(?:['’]s| (?:is|was|are|were))(?: the)?(?: (?:exact|precise|name of the))?"
_WHAT = "(?:what|which)"

# The first match in the question decides, and of two that start together the longer one.
_ENGLISH = (
    ("count", f"how many|{_WHAT}{_IS} (?:total )?(?:number|count|quantity) of"),
    ("reason", f"why|how come|for what reason|{_WHAT}{_IS} (?:reason|cause)s?(?: (?:for|of|that|why))?"),
    ("reason", f"{_WHAT} (?:causes?|caused|prompted|led to|triggered)"),
    ("reason", f"{_WHAT}{_IS}(?= (?:purpose|rationale|motivation|point) (?:of|for|behind))"),
    ("time", f"(?:by |until )?when|{_WHAT} (?:time|{_TIMES})|{_WHAT}{_IS} (?:{_TIMES})(?: (?:of|for|when))?"),
    ("time", rf"{_WHAT}{_IS}(?= \w+ (?:{_TIMES})\b)"),
    ("object", "(?:to |for |with |from |(?<!by ))whom|who (?:did|does|do)"),
    ("person", rf"by whom|who(?:se|['’]s)?|{_WHAT} (?:{_PERSONS})|name the(?= \w+(?:or|er)\b)"),
    ("person", rf"{_WHAT} (?:is|was) the name of the(?= \w+(?:or|er|ist)\b)"),
    ("person", f"{_WHAT} (?:is|was) the (?:name of the )?(?:person|man|woman) (?:who|that)"),
    ("place", f"where|{_WHAT} (?:{_PLACES})|{_WHAT}{_IS} (?:{_PLACES})(?: (?:of|where))?"),
    ("manner", f"in {_WHAT} way|{_WHAT}{_IS} (?:{_METHODS}) (?:for|of|to)"),
    ("manner", f"{_WHAT} (?:{_METHODS}) (?:is|are|was|were) used (?:for|to)"),
    ("manner", f"{_WHAT} (?:can|must|should|has to) be done to|how(?= (?:{_AUXILIARIES}|to|the|an?)\\b)"),
    ("measure", r"how(?= \w)"),
    (THING, f"{_WHAT}(?:['’]s)?"),
)
_GERMAN_SPANISH_RUSSIAN = (
    ("count", "wie viele|cuánt[oa]s|сколько|каково (?:число|количество)"),
    ("reason", "warum|weshalb|wieso|aus welchem grund|por qué|cuál (?:es|fue|era) la (?:razón|causa)(?: de)?"),
    ("reason", "почему|зачем|по какой причине"),
    ("time", "(?:seit )?wann|welche[mnrs]? (?:jahr|datum|tag)|cuándo|qué (?:año|fecha|día)"),
    ("time", "когда|(?:каком|какой|какое) (?:году|год|день|дата)"),
    ("object", "wen|wem|кого|кому"),
    ("person", "wer|quién(?:es)?|кто|кем"),
    ("place", "wo(?:her|hin)?|welche[mnrs]? (?:stadt|land|ort)|d[oó]nde|qué (?:ciudad|país|lugar)"),
    ("place", "где|(?:каком|какой|какое) (?:городе|город|стране|страна|месте|место)"),
    ("measure", r"wie(?= \w+ (?:ist|sind|war)\b)|cuánt[oa]"),
)
_JAPANESE = (
    ("count", "いくつ|何(?:人|個|本|回|台|枚|件)"),
    ("reason", "なぜ|どうして"),
    ("time", "いつ|何(?:年|月|日|時)"),
    ("object", "誰[をに]"),
    ("person", "誰|だれ"),
    ("place", "どこ|何処"),
    ("measure", "どのくらい|どれくらい|いくら"),
)
# Only English yes-or-no questions show in their first word; the German `was` asks for a thing.
_GERMAN_WAS = r"was(?! (?:bedeutet|macht|passiert|geschieht|bewirkt|enthält|ist)\b)"
_YES_OR_NO = re.compile(rf"^\W*(?:{_AUXILIARIES.replace('was', _GERMAN_WAS)})\b", re.IGNORECASE)
_KINDS = (
    *(
        (kind, re.compile(rf"(?<!\w)(?:{way})(?!\w)", re.IGNORECASE))
        for kind, way in _ENGLISH + _GERMAN_SPANISH_RUSSIAN
    ),
    *((kind, re.compile(way)) for kind, way in _JAPANESE),
)
# `Which city …?` may be answered by what answers `What …?`; `Where …?` may not.
_BARE = re.compile(
    r"(?:\w+ )?(?:when|where|who|why|wann|wo|wer|warum|cuándo|dónde|quién|когда|где|кто|почему)(?!\w)", re.IGNORECASE
)
_NOUN = re.compile(rf"{_WHAT} (?!(?:{_AUXILIARIES})\b)(\w+)", re.IGNORECASE)
_DOER = re.compile(rf"^\W*(?!(?:{_AUXILIARIES})\b)\w+ (?!(?:{_AUXILIARIES})\b)\w", re.IGNORECASE)
_DONE = re.compile(r"^\W*(?:do|does|did|can|could|will|would|has|have|had)\b", re.IGNORECASE)


class QuestionType(NamedTuple):
    """What a question asks for, whether a single question word does so (`bare`), and the rest of the question.

    `noun` is the noun after `which` or `what` (`Which actor …?`).
    """

    name: str
    bare: bool
    rest: str
    noun: str = ""


def question_type(question: str, language: str) -> QuestionType:
    """The type of a question."""
    if language == "en" and (yes_or_no := _YES_OR_NO.match(question)):
        return QuestionType(WHETHER, bare=False, rest=question[yes_or_no.end() :])
    found = [(match, name) for name, way in _KINDS if (match := way.search(question))]
    if not found:
        return QuestionType(THING, bare=False, rest=question)
    asking, name = min(found, key=lambda each: (each[0].start(), -each[0].end()))
    rest = f"{question[: asking.start()]} {question[asking.end() :]}"
    noun = _NOUN.match(question, asking.start()) if name == THING else None
    return QuestionType(name, bool(_BARE.match(asking[0])), rest, noun[1] if noun else "")


def compatible_types(one: QuestionType, other: QuestionType) -> bool:
    """Whether the same answer could fit both types."""
    if one.name == other.name:
        return True
    names = {one.name, other.name}
    if WHETHER in names or THING not in names:
        return names == {"measure", "count"}
    thing, special = (one, other) if one.name == THING else (other, one)
    if special.bare:
        return special.name == "person" and bool(_DOER.match(thing.rest))
    # `What did they find?` does not ask for a number, `What is the size?` may.
    return special.name == "manner" or bool(thing.noun) or not _DONE.match(thing.rest)


_ACRONYM = re.compile(r"\b[A-Z]{2,6}\b")
_ROMAN = {"II": "2", "III": "3", "IV": "4", "VI": "6", "VII": "7", "VIII": "8", "IX": "9", "XI": "11", "XII": "12"}
_ROMAN_NUMBER = re.compile(rf"\b(?:{'|'.join(_ROMAN)})\b|(?<=War )I\b")
# The length of a list adds nothing to a question about the list.
_COUNT = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b", re.IGNORECASE)
_LIST_LENGTH = re.compile(rf"\b((?:what|which)(?: (?:are|were))?(?: the)?) {_COUNT.pattern}", re.IGNORECASE)
_POLITE = (
    "(?:please|(?:can|could|would) you|do you know|tell me|i(?: would|['’]d) like to know"
    "|(?:explain|describe)(?= (?:what|why|how|when|where|who)))"
)
# One wording for several that mean the same.
_REWORDINGS = tuple(
    (re.compile(rf"\b(?:{said})(?!\w)", re.IGNORECASE), meant)
    for said, meant in (
        (rf"{_POLITE}(?: {_POLITE})*", ""),
        (r"(?:according to|in|from|by) (?:the|this) (?:document|text|article|paper|passage|report)", ""),
        (r"(?-i:U\.S\.(?:A\.)?|USA?)|United States(?: of America)?", "America"),
        (r"(?-i:U\.K\.|UK)|United Kingdom", "Britain"),
        ("WW ?(?:II|2)", "World War 2"),
        ("WW ?(?:I|1)", "World War 1"),
        (r"how many times (?:an?|per|each|every) (?:minute|hour|day|week|month|year)", "how often"),
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
class ComparedQuestion:
    """A parsed question: its type, and the statement in the rest of it."""

    text: str
    language: str
    type: QuestionType
    statement: Statement

    @property
    def words(self) -> tuple[Word, ...]:
        """The content words."""
        return self.statement.words

    @cached_property
    def frame(self) -> tuple[str, ...]:
        """The function words in order: questions with the same frame differ only in content."""
        words = [(word.is_content, word.text.casefold()) for word in words_in(self.type.rest, self.language)]
        small = [word for is_content, word in words if not is_content or word in _PREPOSITIONS.split()]
        return tuple(_FORMS.get(word, word) for word in small if word not in _NO_FRAME.split())

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all words but the question words."""
        return frozenset(word.key for word in words_in(self.type.rest, self.language))


@lru_cache(maxsize=4096)
def parse_question(text: str, beside: str = "") -> ComparedQuestion:
    """Parse a question; `beside` is the question it is compared with, which may spell out an acronym."""
    plain = _short_forms(" ".join(text.split()), f"{text} {beside}")
    for pattern, words in _REWORDINGS:
        plain = pattern.sub(words, plain)
    if beside and not _COUNT.search(beside):
        plain = _LIST_LENGTH.sub(r"\1", plain)
    plain = _ROMAN_NUMBER.sub(lambda number: _ROMAN.get(number[0], "1"), plain)
    language = guess_language(text)
    kind = question_type(plain, language)
    return ComparedQuestion(text, language, kind, parse_statement(kind.rest, language))


def _short_forms(text: str, both: str) -> str:
    """The text with `Open Shortest Path First` as `OSPF`, where either question has the acronym."""
    for acronym in set(_ACRONYM.findall(both)):
        long_form = r"[\s-]+(?:(?:of|the|and|for)\s+)?".join(rf"{letter}\w+" for letter in acronym)
        text = re.sub(rf"\b{long_form}\b", acronym, text, flags=re.IGNORECASE)
    return text
