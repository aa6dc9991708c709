"""Named values as answers: lines such as `Armor Class: 14`, and the cells of tables."""

from collections.abc import Iterator

from studium.workflows.questions.answering.kinds import Kind
from studium.workflows.questions.answering.lookup import Found, Lookup
from studium.workflows.questions.answering.question import Asked
from studium.workflows.questions.answering.values import Entry
from studium.workflows.questions.comparing.dates import dates_in
from studium.workflows.questions.comparing.quantities import quantities_in

_ANSWERED: frozenset[Kind] = frozenset(
    ("quantity", "date", "year", "definition", "person", "place", "thing", "purpose")
)
SPARE_COST = 0.13  # each more than what makes a rival
LOOSE_COST = 0.13
NAMED = 0.5


def named_values(lookup: Lookup) -> Iterator[Found]:
    """The values whose name and owner the question tells."""
    if lookup.asked.kind not in _ANSWERED:
        return
    for entry in lookup.entries():
        fit = _fit(lookup, entry)
        if fit is not None and _of_kind(lookup.asked, entry.value):
            yield Found(_value(lookup.asked, entry.value), entry.quote, fit)


def _fit(lookup: Lookup, entry: Entry) -> float | None:
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


def _row_is_told(lookup: Lookup, entry: Entry) -> bool:
    """Whether the question has a word of this row that is not just the name of its column."""
    rest = [forms for forms in lookup.forms.values() if not forms & entry.name]
    return any(forms & (entry.of | entry.beside) for forms in rest)


def _of_kind(asked: Asked, value: str) -> bool:
    if asked.kind in ("date", "year"):
        return bool(dates_in(value))
    if asked.kind != "quantity":
        return True
    measured = {quantity.measures for quantity in quantities_in(value, asked.language)} - {""}
    return any(map(str.isdigit, value)) and not (asked.measures and measured and not measured & asked.measures)


def _value(asked: Asked, value: str) -> str:
    years = [date.year for date in dates_in(value) if date.year is not None]
    return str(years[0]) if asked.kind == "year" and len(years) == 1 else value
