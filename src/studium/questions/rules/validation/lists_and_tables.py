"""Lists as answers: those that stand as lists, and those within a sentence."""

import re
from collections.abc import Iterator

from studium.questions.rules.comparison.quantities import dates_in, quantities_in
from studium.questions.rules.comparison.statements import items_of
from studium.questions.rules.validation.document_index import NamedValue
from studium.questions.rules.validation.lookup import FoundAnswer, LineMatch, QuestionLookup
from studium.questions.rules.validation.question_analysis import LEXICON, AnswerType, ParsedQuestion

_HEAD = re.compile(r"^(?P<head>[^:–—]{2,60}?)\s*(?::|\s[–—-])\s+\S")
_OPENS = re.compile(rf":\s+|\b(?:{LEXICON.any_of('list_openings')})\s+", re.IGNORECASE)


def answers_from_lists(lookup: QuestionLookup) -> Iterator[FoundAnswer]:
    """The lists that the question asks for."""
    for each in lookup.lists():
        items = tuple(_head(item) for item in each.items) if all(map(_HEAD.match, each.items)) else each.items
        if lookup.asked.count in (None, len(items)):
            own = [bool(forms & each.keys) for forms in lookup.forms.values()]
            yield FoundAnswer(", ".join(items), each.quote, sum(1.0 if here else 0.8 for here in own) / len(own))


def answers_from_enumerations(lookup: QuestionLookup, match: LineMatch) -> Iterator[FoundAnswer]:
    """The things that a sentence enumerates behind what the question asks about."""
    text = match.line.text.rstrip(" .。")
    for opening in reversed(list(_OPENS.finditer(text))):
        items = items_of(text[opening.end() :], lookup.asked.language)
        before = [word for word in match.line.words if word.telling and word.start < opening.start()]
        if len(items) > 1 and any(map(match.is_said, before)) and lookup.asked.count in (None, len(items)):
            yield FoundAnswer(text[opening.end() :], match.line.quote, match.fit)
            return


def _head(item: str) -> str:
    found = _HEAD.match(item)
    return found["head"] if found else item


_ANSWERED: frozenset[AnswerType] = frozenset(
    ("quantity", "date", "year", "definition", "person", "place", "thing", "purpose")
)
SPARE_COST = 0.13  # each more than what makes a rival
LOOSE_COST = 0.13
NAMED = 0.5


def answers_from_named_values(lookup: QuestionLookup) -> Iterator[FoundAnswer]:
    """The values whose name and owner the question tells."""
    if lookup.asked.kind not in _ANSWERED:
        return
    for entry in lookup.entries():
        fit = _fit_of(lookup, entry)
        if fit is not None and _of_kind(lookup.asked, entry.value):
            yield FoundAnswer(_value(lookup.asked, entry.value), entry.quote, fit)


def _fit_of(lookup: QuestionLookup, entry: NamedValue) -> float | None:
    """How well the question names this value: by its name and its owner, with little left on either side."""
    asked = lookup.all_forms | lookup.asked.small
    if any(len(keys & asked) < NAMED * len(keys) for keys in (entry.name, entry.of if entry.beside else frozenset())):
        return None
    if any(heads and not heads & asked for heads in entry.heads):
        return None
    own = entry.name | entry.of
    loose = [key for key, forms in lookup.forms.items() if not forms & own]
    if entry.beside and not _row_is_told(lookup, entry):
        return None
    besides = sum(not lookup.forms[key] & entry.beside for key in loose)
    spare = len(entry.name - asked) + (len(entry.of - asked) if entry.of & asked else 1)
    return 1.0 - LOOSE_COST * besides - SPARE_COST * (spare if entry.of else len(entry.name - asked))


def _row_is_told(lookup: QuestionLookup, entry: NamedValue) -> bool:
    """Whether the question has a word of this row that is not just the name of its column."""
    rest = [forms for forms in lookup.forms.values() if not forms & entry.name]
    return any(forms & (entry.of | entry.beside) for forms in rest)


def _of_kind(asked: ParsedQuestion, value: str) -> bool:
    if asked.kind in ("date", "year"):
        return bool(dates_in(value))
    if asked.kind != "quantity":
        return True
    measured = {quantity.measures for quantity in quantities_in(value, asked.language)} - {""}
    return any(map(str.isdigit, value)) and not (asked.measures and measured and not measured & asked.measures)


def _value(asked: ParsedQuestion, value: str) -> str:
    years = [date.year for date in dates_in(value) if date.year is not None]
    return str(years[0]) if asked.kind == "year" and len(years) == 1 else value
