"""Questions that need no document."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from studium.core.domain.skill import Tool
from studium.questions.rules.comparison.answers import gives_answer_away, same_answer
from studium.questions.rules.parsed_document import ParsedDocument, read_parsed_document
from studium.questions.rules.validation.clauses import announced_clauses, fill_gap, find_agent, outcomes
from studium.questions.rules.validation.definitions import appositions, attributes, definitions, expansions, subjects
from studium.questions.rules.validation.document_index import index_document
from studium.questions.rules.validation.lists_and_tables import (
    answers_from_enumerations,
    answers_from_lists,
    answers_from_named_values,
)
from studium.questions.rules.validation.lookup import FoundAnswer, LineMatch, QuestionLookup
from studium.questions.rules.validation.question_analysis import LEXICON, parse_question, search_keys
from studium.questions.rules.validation.spans import choose_spans, find_spans
from studium.questions.skills import ValidateInput, ValidationResult

_KNOWN = re.compile(LEXICON.any_of("known_to_all"), re.IGNORECASE)


def needs_no_document(question: str) -> bool:
    """Whether anyone can answer it: calendars, clocks and sums."""
    return bool(_KNOWN.search(question))


_YES_NO = {
    "en": ("Yes", "No"),
    "de": ("Ja", "Nein"),
    "es": ("Sí", "No"),
    "fr": ("Oui", "Non"),
    "ru": ("Да", "Нет"),
    "ja": ("はい", "いいえ"),
}


def yes_or_no(lookup: QuestionLookup, match: LineMatch) -> FoundAnswer | None:
    """Yes where the line says all that is asked; no where it denies it."""
    denied = any(word.negation for word in match.line.words) != bool(lookup.asked.negations)
    return FoundAnswer(_YES_NO[lookup.asked.language][denied], match.line.quote, match.fit)


def choose_offered(lookup: QuestionLookup, match: LineMatch) -> FoundAnswer | None:
    """The one of the offered answers that the line has, if it has not both."""
    language = lookup.asked.language
    there = [offer for offer in lookup.asked.offered if search_keys(offer, language) <= match.line.keys]
    denied = any(word.negation for word in match.line.words)
    return FoundAnswer(there[0], match.line.quote, match.fit) if len(there) == 1 and not denied else None


RIVALS = 0.12  # an answer whose place fits this much worse is no rival
MOST_MATCHES = 40


async def validate(given: ValidateInput, tools: Sequence[Tool]) -> ValidationResult:
    """Answer the question from the document."""
    return answer_question(given.question, await read_parsed_document(given.document, tools))


def answer_question(question: str, source: ParsedDocument) -> ValidationResult:
    """Look the question up, take the answer from where it fits best, and weigh what else the document says."""
    if needs_no_document(question):
        return ValidationResult(answerable=True, trivial=True, detail="Anyone can answer it without the document.")
    lookup = QuestionLookup(parse_question(question), index_document(source))
    found = sorted(_answers(lookup), key=lambda each: -each.fit)
    if not found:
        return ValidationResult(answerable=False, detail=_missing(lookup))
    best = found[0]
    near = [each for each in found[1:] if each.fit >= best.fit - RIVALS]
    rival = next((each for each in near if not same_answer(best.answer, each.answer)), None)
    return ValidationResult(
        answerable=True,
        answer=best.answer,
        quotes=(best.quote,) if rival is None else (best.quote, rival.quote),
        ambiguous=rival is not None,
        trivial=_says_itself(lookup, best),
        detail="" if rival is None else f"The document says {best.answer!r} and {rival.answer!r}.",
    )


def _answers(lookup: QuestionLookup) -> Iterator[FoundAnswer]:
    """Every answer that the document has to offer."""
    asked = lookup.asked
    if asked.kind == "expansion":
        yield from expansions(lookup)
        return
    if asked.kind != "polar":
        yield from answers_from_named_values(lookup)
    if asked.listed:
        yield from answers_from_lists(lookup)
    matches = lookup.matches() or lookup.loose_matches()
    for match in matches[:MOST_MATCHES]:
        yield from _in_line(lookup, match)


def _in_line(lookup: QuestionLookup, match: LineMatch) -> Iterator[FoundAnswer]:
    """What one line answers."""
    asked = lookup.asked
    if asked.kind == "polar":
        found = choose_offered(lookup, match) if asked.offered else yes_or_no(lookup, match)
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
    """What the line has where the question has `what`, by the first way of reading it that succeeds."""
    ways = (outcomes(lookup.asked.text, match), subjects(lookup, match), appositions(lookup, match))
    first = next(chain.from_iterable(ways), None) or fill_gap(lookup.asked, match)
    if first:
        yield first


def _typed(lookup: QuestionLookup, match: LineMatch) -> Iterator[FoundAnswer]:
    if lookup.asked.kind == "person" and (by := find_agent(match)) and any(map(str.isupper, by)):
        yield FoundAnswer(by, match.line.quote, match.fit)
        return
    spans = find_spans(lookup.asked, match)
    for span, cost in choose_spans(match, spans):
        yield FoundAnswer(span.answer, match.line.quote, match.fit - cost)
    if not spans and lookup.asked.kind == "person" and (found := fill_gap(lookup.asked, match)):
        yield found
    if not spans and lookup.asked.kind == "date":
        yield from announced_clauses("date", match)


def _says_itself(lookup: QuestionLookup, found: FoundAnswer) -> bool:
    agreed = (
        lookup.asked.kind == "polar" and not lookup.asked.offered and found.answer in ("Yes", "Ja", "Sí", "Oui", "Да")
    )
    return agreed or gives_answer_away(lookup.asked.text, found.answer)


def _missing(lookup: QuestionLookup) -> str:
    if not lookup.forms:
        return "The question does not say what it is about."
    if lookup.unknown:
        return f"The document does not mention: {', '.join(lookup.unknown)}."
    return "No sentence, list or table of the document answers it."
