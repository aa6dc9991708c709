"""What kind of thing a question asks for: a person, a time, a place, a reason or a number."""

import re
from typing import NamedTuple

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

# What stands first in the question asks; the longer of two that begin together. It says nothing about the matter.
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
# Only English says by its first word that yes or no is the answer; in German `was` asks for a thing.
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


class Kind(NamedTuple):
    """What is asked for, whether one word alone asks for it, and what remains of the question.

    `noun` is what `which` or `what` stands before (`Which actor …?`).
    """

    name: str
    bare: bool
    rest: str
    noun: str = ""


def kind_of(question: str, language: str) -> Kind:
    """The kind of a question."""
    if language == "en" and (yes_or_no := _YES_OR_NO.match(question)):
        return Kind(WHETHER, bare=False, rest=question[yes_or_no.end() :])
    found = [(match, name) for name, way in _KINDS if (match := way.search(question))]
    if not found:
        return Kind(THING, bare=False, rest=question)
    asking, name = min(found, key=lambda each: (each[0].start(), -each[0].end()))
    rest = f"{question[: asking.start()]} {question[asking.end() :]}"
    noun = _NOUN.match(question, asking.start()) if name == THING else None
    return Kind(name, bool(_BARE.match(asking[0])), rest, noun[1] if noun else "")


def compatible(one: Kind, other: Kind) -> bool:
    """Whether one answer could serve both."""
    if one.name == other.name:
        return True
    names = {one.name, other.name}
    if WHETHER in names or THING not in names:
        return names == {"measure", "count"}
    thing, special = (one, other) if one.name == THING else (other, one)
    if special.bare:
        return special.name == "person" and bool(_DOER.match(thing.rest))
    # `What did they find?` is no question for a number, `What is the size?` may be one.
    return special.name == "manner" or bool(thing.noun) or not _DONE.match(thing.rest)
