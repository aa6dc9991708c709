"""Words of questions: which say the same, which say the opposite, and which say nothing about the matter."""

import re

from studium.workflows.questions.comparing import meanings
from studium.workflows.questions.comparing.stems import stem
from studium.workflows.questions.sameness import tables

# `in` and its like stand before too many words that they do not turn (`side`, `form`): only before long ones.
_TURNING = (("un", 4), ("non", 4), ("dis", 4), ("anti", 4), ("in", 6), ("im", 6), ("ir", 6), ("il", 5), ("a", 7))
_ENDING = re.compile(
    "(?:er|or|(?:at|it|t)?ion|at(?:e|ed|ing|or)|ment|[ae]nce|[ae]nt|i?al|ic|ical|ing|ed|ure|y|ive|[ai]ble|ly|ist|istry|ity"
    "|ness|e?s|i?ous|ary?|ry|i[sz]ation|i[sz]e)?"
)
_STEM_LENGTH = 4


def _groups(table: str) -> dict[str, frozenset[str]]:
    known: dict[str, frozenset[str]] = {}
    for line in table.strip().splitlines():
        group = frozenset(map(stem, line.split()))
        for word in group:
            known[word] = known.get(word, frozenset()) | group
    return known


_SYNONYMS, _OPPOSITES = _groups(tables.SAME), _groups(tables.OPPOSITE)
EMPTY, LIGHT = (frozenset(map(stem, words.split())) for words in (tables.EMPTY, tables.LIGHT))
_AMERICAN = {"is": "iz", "our": "or", "tr": "ter", "enc": "ens", "ogu": "og", "ys": "yz"}
_SPELLING = re.compile(r"(?<=\w{3})(?:is(?=ation$|$|ing$)|our$|tr$|enc$|ogu$|ys(?=$|ing$))")


def _spelled(british: re.Match[str]) -> str:
    return _AMERICAN[british[0]]


def say_the_same(one: str, other: str) -> bool:
    """Whether two stems can stand for each other in a question."""
    one, other = _SPELLING.sub(_spelled, one), _SPELLING.sub(_spelled, other)
    if one == other or other in _SYNONYMS.get(one, ()) or other in meanings.synonyms(one):
        return True
    shared = _shared_beginning(one, other)
    return any(_ENDING.fullmatch(one, cut) and _ENDING.fullmatch(other, cut) for cut in range(_STEM_LENGTH, shared + 1))


def say_the_opposite(one: str, other: str) -> bool:
    """Whether two stems exclude each other."""
    if one == other:
        return False
    if other in _OPPOSITES.get(one, ()) or other in meanings.opposites(one):
        return True
    shorter, longer = sorted((one, other), key=len)
    return any(longer == prefix + shorter and len(shorter) >= length for prefix, length in _TURNING)


def _shared_beginning(one: str, other: str) -> int:
    differ = (index for index, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs)
    return next(differ, min(len(one), len(other)))
