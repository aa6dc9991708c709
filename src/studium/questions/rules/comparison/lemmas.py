"""How alike two words are in meaning: by base form, derivation, and the tables of synonyms and opposites."""

import re
from decimal import Decimal
from functools import lru_cache

from studium.core.text.english.tree import Word
from studium.core.text.stems import stem
from studium.core.text.stop_words import function_words, question_words
from studium.questions.rules.comparison import synonym_tables
from studium.questions.rules.comparison.quantities import numbers_in
from studium.questions.rules.comparison.words import group_stems, opposites, synonyms

SYNONYM, DERIVED = 0.9, 0.85
_STEM_LENGTH = 4
_SYNONYMS, _OPPOSITES = (
    group_stems(table.strip().splitlines()) for table in (synonym_tables.SAME, synonym_tables.OPPOSITE)
)
# `in` and others precede many words without negating them (`side`, `form`): only long words count.
_NEGATING_PREFIXES = (
    ("un", 4),
    ("non", 4),
    ("dis", 4),
    ("anti", 4),
    ("in", 6),
    ("im", 6),
    ("ir", 6),
    ("il", 5),
    ("a", 7),
)
_ENDING = re.compile(
    "(?:er|or|(?:at|it|t)?ion|at(?:e|ed|ing|or)|ment|[ae]nce|[ae]nt|i?al|ic|ical|ing|ed|ure|y|ive|[ai]ble|ly|ist|istry|ity"
    "|ness|e?s|i?ous|ary?|ry|i[sz]ation|i[sz]e)?"
)
_AMERICAN = {"is": "iz", "our": "or", "tr": "ter", "enc": "ens", "ogu": "og", "ys": "yz"}
_SPELLING = re.compile(r"(?<=\w{3})(?:is(?=ation$|$|ing$)|our$|tr$|enc$|ogu$|ys(?=$|ing$))")
_CONTENT = ("NOUN", "PROPN", "VERB", "ADJ", "NUM", "ADV", "X", "SYM")
_EMPTY = (function_words("en") | question_words("en")) - {"before", "after", "above", "below", "own", "under", "over"}
_VOLUNTARY = frozenset({"optional", "voluntary", "unnecessary", "needless"})
_OBLIGATORY = frozenset({"obligatory", "mandatory", "compulsory", "required", "necessary", "essential"})
_PATH = re.compile(r"(?=.*[a-zA-Z])[\w~-]*(?:[/_.][\w.+~*-]+)+/?(?:\(\))?|\w+\(\)")
_CODE = re.compile(r"(?=.*\d)\w[\w.-]*|[A-Z]{2,}s?")


def key_of(word: Word) -> str:
    """The stem of a word, as the index has it."""
    return stem(word.text, "en")


def is_content(word: Word) -> bool:
    """Whether a word of a sentence says something of the matter."""
    if is_path(word.text):
        return True
    if word.pos not in _CONTENT or word.is_("aux", "cop", "case", "mark", "cc", "punct"):
        return False
    return word.pos in ("PROPN", "NUM") or _is_code(word.text) or word.lower not in _EMPTY


def is_path(text: str) -> bool:
    """`/etc/hosts`, `read_lines`, `README.gz`, `main()`: the parser often takes them for something else."""
    return bool(_PATH.fullmatch(text))


def likeness(one: Word, other: Word) -> float:
    """How alike two words are, from 0 to 1; names, codes and numbers are the same or not."""
    return _likeness(one.text, one.lemma, _is_name(one), other.text, other.lemma, _is_name(other))


@lru_cache(maxsize=200_000)
def _likeness(one: str, lemma: str, named: bool, other: str, other_lemma: str, other_named: bool) -> float:
    if one.casefold() == other.casefold():
        return 1.0
    if "/" in one or "/" in other:
        part = min(one, other, key=len)
        return SYNONYM * (is_path(part) and part in max(one, other, key=len).split("/"))
    if _is_code(one) or _is_code(other):
        return float(_is_same_code(one, other))
    if lemma == other_lemma or stem(one, "en") == stem(other, "en"):
        return 1.0
    both_numbers = number_value(one) is not None and number_value(other) is not None
    return (
        0.0 if named or other_named or both_numbers else _likeness_of_stems(stem(lemma, "en"), stem(other_lemma, "en"))
    )


def _is_same_code(one: str, other: str) -> bool:
    value = number_value(one)
    plural = one.removesuffix("s") == other.removesuffix("s") and not one[0].isdigit()
    return plural or (value is not None and value == number_value(other))


def _likeness_of_stems(one: str, other: str) -> float:
    if one == other:
        return 1.0
    if are_listed(one, other):
        return SYNONYM
    return DERIVED if _one_root(one, other) else 0.0


def opposed(one: Word, other: Word) -> bool:
    """Whether two words are opposites."""
    return are_opposites(stem(one.lemma, "en"), stem(other.lemma, "en"))


def are_contrary(one: Word, other: Word) -> bool:
    """Whether one word says the opposite of the other: `optional` and `mandatory`, `open` and `closed`."""
    kinds = [{one.lemma, one.lower}, {other.lemma, other.lower}]
    duty = any(a & _VOLUNTARY and b & _OBLIGATORY for a, b in (kinds, kinds[::-1]))
    return duty or opposed(one, other)


@lru_cache(maxsize=20_000)
def number_value(word: str) -> Decimal | None:
    """The value of a word that is a number."""
    numbers = numbers_in(word, "en")
    return numbers[0].value if len(numbers) == 1 and numbers[0].end - numbers[0].start == len(word) else None


def are_synonyms(one: str, other: str) -> bool:
    """Whether two stems are interchangeable in a question."""
    one, other = _SPELLING.sub(_american_spelling, one), _SPELLING.sub(_american_spelling, other)
    return one == other or are_listed(one, other) or _one_root(one, other)


def are_listed(one: str, other: str) -> bool:
    """Whether two stems are in the same line of a table of synonyms."""
    return other in _SYNONYMS.get(one, ()) or other in synonyms(one)


def are_opposites(one: str, other: str) -> bool:
    """Whether two stems are opposites."""
    if one == other:
        return False
    if other in _OPPOSITES.get(one, ()) or other in opposites(one):
        return True
    shorter, longer = sorted((one, other), key=len)
    return any(longer == prefix + shorter and len(shorter) >= length for prefix, length in _NEGATING_PREFIXES)


def _one_root(one: str, other: str) -> bool:
    differ = (index for index, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs)
    shared = next(differ, min(len(one), len(other)))
    return any(_ENDING.fullmatch(one, cut) and _ENDING.fullmatch(other, cut) for cut in range(_STEM_LENGTH, shared + 1))


def _american_spelling(british: re.Match[str]) -> str:
    return _AMERICAN[british[0]]


def _is_name(word: Word) -> bool:
    return word.pos == "PROPN" and word.text[:1].isupper()


def _is_code(text: str) -> bool:
    """`HTTPS`, `X2`, `802.1Q`: `HTTPS` is not the plural of `HTTP`, but `NICUs` of `NICU`."""
    return bool(_CODE.fullmatch(text)) and (len(text) > 1 or text.isdigit())
