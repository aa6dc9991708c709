"""The validator of the rules: answer a question from the document alone."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from studium.core.domain.skill import Tool
from studium.questions.rules.comparison.answers import gives_answer_away, items_of, same_answer
from studium.questions.rules.comparison.quantities import dates_in, quantities_in
from studium.questions.rules.parsed_document import ParsedDocument, read_parsed_document
from studium.questions.rules.validation.clauses import announced_clauses, fill_gap, find_agent, outcomes
from studium.questions.rules.validation.definitions import appositions, attributes, definitions, expansions, subjects
from studium.questions.rules.validation.document_index import NamedValue, index_document
from studium.questions.rules.validation.grammar import grammar_answers, yes_or_no
from studium.questions.rules.validation.lookup import FoundAnswer, LineMatch, QuestionLookup
from studium.questions.rules.validation.question_analysis import (
    LEXICON,
    AnswerType,
    ParsedQuestion,
    parse_question,
    search_keys,
)
from studium.questions.rules.validation.spans import choose_spans, find_spans
from studium.questions.skills import ValidateInput, ValidationResult

_HEAD = re.compile(r"^(?P<head>[^:–—]{2,60}?)\s*(?::|\s[–—-])\s+\S")
_OPENS = re.compile(rf":\s+|\b(?:{LEXICON.any_of('list_openings')})\s+", re.IGNORECASE)


def answers_from_lists(lookup: QuestionLookup) -> Iterator[FoundAnswer]:
    """Answers that are a whole list."""
    for each in lookup.lists():
        items = tuple(_head(item) for item in each.items) if all(map(_HEAD.match, each.items)) else each.items
        if lookup.question.count in (None, len(items)):
            own = [bool(forms & each.keys) for forms in lookup.forms.values()]
            yield FoundAnswer(", ".join(items), each.quote, sum(1.0 if here else 0.8 for here in own) / len(own))


def answers_from_enumerations(lookup: QuestionLookup, match: LineMatch) -> Iterator[FoundAnswer]:
    """Answers that a sentence enumerates after the topic of the question."""
    text = match.line.text.rstrip(" .。")
    for opening in reversed(list(_OPENS.finditer(text))):
        items = items_of(text[opening.end() :], lookup.question.language)
        before = [word for word in match.line.words if word.is_content and word.start < opening.start()]
        if len(items) > 1 and any(map(match.is_said, before)) and lookup.question.count in (None, len(items)):
            yield FoundAnswer(text[opening.end() :], match.line.quote, match.fit)
            return


def _head(item: str) -> str:
    found = _HEAD.match(item)
    return found["head"] if found else item


_ANSWERED: frozenset[AnswerType] = frozenset(
    ("quantity", "date", "year", "definition", "person", "place", "thing", "purpose")
)
SPARE_COST = 0.13  # each more than RIVAL_MARGIN
LOOSE_COST = 0.13
NAMED = 0.5


def answers_from_named_values(lookup: QuestionLookup) -> Iterator[FoundAnswer]:
    """Values whose name and owner are in the question."""
    if lookup.question.kind not in _ANSWERED:
        return
    for entry in lookup.entries():
        fit = _fit(lookup, entry)
        if fit is not None and _has_type(lookup.question, entry.value):
            yield FoundAnswer(_value(lookup.question, entry.value), entry.quote, fit)


def _fit(lookup: QuestionLookup, entry: NamedValue) -> float | None:
    """How well the question names this value and its owner; None if it does not."""
    asked = lookup.all_forms | lookup.question.small
    if any(len(keys & asked) < NAMED * len(keys) for keys in (entry.name, entry.of if entry.beside else frozenset())):
        return None
    if any(heads and not heads & asked for heads in entry.heads):
        return None
    own = entry.name | entry.of
    loose = [key for key, forms in lookup.forms.items() if not forms & own]
    if entry.beside and not _names_row(lookup, entry):
        return None
    besides = sum(not lookup.forms[key] & entry.beside for key in loose)
    spare = len(entry.name - asked) + (len(entry.of - asked) if entry.of & asked else 1)
    return 1.0 - LOOSE_COST * besides - SPARE_COST * (spare if entry.of else len(entry.name - asked))


def _names_row(lookup: QuestionLookup, entry: NamedValue) -> bool:
    """Whether the question has a word of this row other than the name of its column."""
    rest = [forms for forms in lookup.forms.values() if not forms & entry.name]
    return any(forms & (entry.of | entry.beside) for forms in rest)


def _has_type(asked: ParsedQuestion, value: str) -> bool:
    if asked.kind in ("date", "year"):
        return bool(dates_in(value))
    if asked.kind != "quantity":
        return True
    measured = {quantity.measures for quantity in quantities_in(value, asked.language)} - {""}
    return any(map(str.isdigit, value)) and not (asked.measures and measured and not measured & asked.measures)


def _value(asked: ParsedQuestion, value: str) -> str:
    years = [date.year for date in dates_in(value) if date.year is not None]
    return str(years[0]) if asked.kind == "year" and len(years) == 1 else value


_KNOWN = re.compile(LEXICON.any_of("known_to_all"), re.IGNORECASE)


def needs_no_document(question: str) -> bool:
    """Whether common knowledge answers it: calendars, clocks and sums."""
    return bool(_KNOWN.search(question))


_YES_NO = {
    "en": ("Yes", "No"),
    "de": ("Ja", "Nein"),
    "es": ("Sí", "No"),
    "fr": ("Oui", "Non"),
    "ru": ("Да", "Нет"),
    "ja": ("はい", "いいえ"),
}


def state_or_deny(lookup: QuestionLookup, match: LineMatch) -> FoundAnswer | None:
    """Yes if the line states what is asked, no if it denies it."""
    denied = any(word.negation for word in match.line.words) != bool(lookup.question.negations)
    return FoundAnswer(_YES_NO[lookup.question.language][denied], match.line.quote, match.fit)


def choose_offered(lookup: QuestionLookup, match: LineMatch) -> FoundAnswer | None:
    """The offered answer that the line contains, if it contains only one."""
    language = lookup.question.language
    there = [offer for offer in lookup.question.offered if search_keys(offer, language) <= match.line.keys]
    denied = any(word.negation for word in match.line.words)
    return FoundAnswer(there[0], match.line.quote, match.fit) if len(there) == 1 and not denied else None


RIVAL_MARGIN = 0.12  # an answer that fits worse by more than this is ignored
GRAMMAR_MARGIN = 0.04
MAX_MATCHES = 40


async def validate(given: ValidateInput, tools: Sequence[Tool]) -> ValidationResult:
    """Answer the question from the document."""
    return answer_question(given.question, await read_parsed_document(given.document, tools))


def answer_question(question: str, source: ParsedDocument) -> ValidationResult:
    """Find the answer that fits best; another answer that fits about as well makes the question ambiguous."""
    if needs_no_document(question):
        return ValidationResult(answerable=True, trivial=True, detail="It can be answered without the document.")
    lookup = QuestionLookup(parse_question(question), index_document(source))
    found = sorted(_all_answers(lookup), key=lambda each: -each.fit)
    if not found:
        return ValidationResult(answerable=False, detail=_missing(lookup))
    best = found[0]
    margin = GRAMMAR_MARGIN if lookup.question.language == "en" else RIVAL_MARGIN
    near = [each for each in found[1:] if each.fit >= best.fit - margin]
    rival = next((each for each in near if not same_answer(best.answer, each.answer)), None)
    return ValidationResult(
        answerable=True,
        answer=best.answer,
        quotes=(best.quote,) if rival is None else (best.quote, rival.quote),
        ambiguous=rival is not None,
        trivial=_is_trivial(lookup, best),
        detail="" if rival is None else f"The document says {best.answer!r} and {rival.answer!r}.",
    )


def _all_answers(lookup: QuestionLookup) -> list[FoundAnswer]:
    """The answers by grammar beside those of tables and lists; where there are none, all that patterns find."""
    asked = lookup.question
    if asked.language == "en" and asked.kind == "polar" and not asked.offered:
        return yes_or_no(lookup)
    if asked.language == "en" and asked.kind not in ("polar", "expansion"):
        found = grammar_answers(lookup)
        if found:
            return [*found, *answers_from_named_values(lookup), *(answers_from_lists(lookup) if asked.listed else ())]
    return list(_answers(lookup))


def _answers(lookup: QuestionLookup) -> Iterator[FoundAnswer]:
    """All answers that the document offers."""
    asked = lookup.question
    if asked.kind == "expansion":
        yield from expansions(lookup)
        return
    if asked.kind != "polar":
        yield from answers_from_named_values(lookup)
    if asked.listed:
        yield from answers_from_lists(lookup)
    matches = lookup.matches() or ([] if asked.language == "en" else lookup.loose_matches())
    for match in matches[:MAX_MATCHES]:
        yield from _in_line(lookup, match)


def _in_line(lookup: QuestionLookup, match: LineMatch) -> Iterator[FoundAnswer]:
    """The answers in one line."""
    asked = lookup.question
    if asked.kind == "polar":
        found = choose_offered(lookup, match) if asked.offered else state_or_deny(lookup, match)
    elif asked.kind in ("reason", "purpose", "manner"):
        yield from announced_clauses(asked.kind, match)
        return
    elif asked.kind in ("quantity", "date", "year", "person", "place"):
        yield from _typed(lookup, match)
        return
    elif asked.listed:
        yield from answers_from_enumerations(lookup, match)
        return
    elif asked.kind == "definition":
        yield from definitions(lookup, match)
        yield from appositions(lookup, match)
        yield from attributes(lookup, match)
        yield from subjects(lookup, match)
        if asked.measures:
            yield from _typed(lookup, match)
        return
    else:
        yield from _open_end(lookup, match)
        return
    if found:
        yield found


def _open_end(lookup: QuestionLookup, match: LineMatch) -> Iterator[FoundAnswer]:
    """What the line has in place of the question's `what`, by the first method that succeeds."""
    ways = (outcomes(lookup.question.text, match), subjects(lookup, match), appositions(lookup, match))
    first = next(chain.from_iterable(ways), None) or fill_gap(lookup.question, match)
    if first:
        yield first


def _typed(lookup: QuestionLookup, match: LineMatch) -> Iterator[FoundAnswer]:
    if lookup.question.kind == "person" and (by := find_agent(match)) and any(map(str.isupper, by)):
        yield FoundAnswer(by, match.line.quote, match.fit)
        return
    spans = find_spans(lookup.question, match)
    for span, cost in choose_spans(match, spans):
        yield FoundAnswer(span.answer, match.line.quote, match.fit - cost)
    if not spans and lookup.question.kind == "person" and (found := fill_gap(lookup.question, match)):
        yield found
    if not spans and lookup.question.kind == "date":
        yield from announced_clauses("date", match)


def _is_trivial(lookup: QuestionLookup, found: FoundAnswer) -> bool:
    return gives_answer_away(lookup.question.text, found.answer)


def _missing(lookup: QuestionLookup) -> str:
    if not lookup.forms:
        return "The question does not say what it is about."
    if lookup.unknown:
        return f"The document does not mention: {', '.join(lookup.unknown)}."
    return "No sentence, list or table of the document answers it."
