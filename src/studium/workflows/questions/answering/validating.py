"""The validator of the rules: it answers a question from the document alone, or says why it cannot be asked so."""

from collections.abc import Iterator, Sequence
from itertools import chain

from studium.core.domain.skill import Tool
from studium.workflows.questions.answering.clauses import clauses, outcomes
from studium.workflows.questions.answering.definitions import appositions, attributes, definitions, subjects
from studium.workflows.questions.answering.entries import named_values
from studium.workflows.questions.answering.expansions import expansions
from studium.workflows.questions.answering.gaps import agent, gap
from studium.workflows.questions.answering.listing import enumerations, listings
from studium.workflows.questions.answering.lookup import Found, Lookup, Match
from studium.workflows.questions.answering.polar import chosen, yes_or_no
from studium.workflows.questions.answering.question import understand
from studium.workflows.questions.answering.reading import read
from studium.workflows.questions.answering.segments import choose
from studium.workflows.questions.answering.spans import spans_of
from studium.workflows.questions.answering.trivial import needs_no_document
from studium.workflows.questions.answers import gives_itself_away, same_answer
from studium.workflows.questions.skills import Validated, ValidateGiven
from studium.workflows.questions.source import Source, read_source

RIVALS = 0.12  # an answer whose place fits this much worse is no rival
MOST_MATCHES = 40


async def validate(given: ValidateGiven, tools: Sequence[Tool]) -> Validated:
    """Answer the question from the document."""
    return answer(given.question, await read_source(given.document, tools))


def answer(question: str, source: Source) -> Validated:
    """Look the question up, take the answer from where it fits best, and weigh what else the document says."""
    if needs_no_document(question):
        return Validated(answerable=True, trivial=True, detail="Anyone can answer it without the document.")
    lookup = Lookup(understand(question), read(source))
    found = sorted(_answers(lookup), key=lambda each: -each.fit)
    if not found:
        return Validated(answerable=False, detail=_missing(lookup))
    best = found[0]
    near = [each for each in found[1:] if each.fit >= best.fit - RIVALS]
    rival = next((each for each in near if not same_answer(best.answer, each.answer)), None)
    return Validated(
        answerable=True,
        answer=best.answer,
        quotes=(best.quote,) if rival is None else (best.quote, rival.quote),
        ambiguous=rival is not None,
        trivial=_says_itself(lookup, best),
        detail="" if rival is None else f"The document says {best.answer!r} and {rival.answer!r}.",
    )


def _answers(lookup: Lookup) -> Iterator[Found]:
    """Every answer that the document has to offer."""
    asked = lookup.asked
    if asked.kind == "expansion":
        yield from expansions(lookup)
        return
    if asked.kind != "polar":
        yield from named_values(lookup)
    if asked.listed:
        yield from listings(lookup)
    matches = lookup.matches() or lookup.loose_matches()
    for match in matches[:MOST_MATCHES]:
        yield from _in_line(lookup, match)


def _in_line(lookup: Lookup, match: Match) -> Iterator[Found]:
    """What one line answers."""
    asked = lookup.asked
    if asked.kind == "polar":
        found = chosen(lookup, match) if asked.offered else yes_or_no(lookup, match)
    elif asked.kind in ("reason", "purpose", "manner"):
        yield from clauses(asked.kind, match)
        return
    elif asked.kind in ("quantity", "date", "year", "person", "place"):
        yield from _typed(lookup, match)
        return
    elif asked.listed:
        yield from enumerations(lookup, match)
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


def _open_end(lookup: Lookup, match: Match) -> Iterator[Found]:
    """What the line has where the question has `what`, by the first way of reading it that succeeds."""
    ways = (outcomes(lookup.asked.text, match), subjects(lookup, match), appositions(lookup, match))
    first = next(chain.from_iterable(ways), None) or gap(lookup.asked, match)
    if first:
        yield first


def _typed(lookup: Lookup, match: Match) -> Iterator[Found]:
    if lookup.asked.kind == "person" and (by := agent(match)) and any(map(str.isupper, by)):
        yield Found(by, match.line.quote, match.fit)
        return
    spans = spans_of(lookup.asked, match)
    for span, cost in choose(match, spans):
        yield Found(span.answer, match.line.quote, match.fit - cost)
    if not spans and lookup.asked.kind == "person" and (found := gap(lookup.asked, match)):
        yield found
    if not spans and lookup.asked.kind == "date":
        yield from clauses("date", match)


def _says_itself(lookup: Lookup, found: Found) -> bool:
    agreed = (
        lookup.asked.kind == "polar" and not lookup.asked.offered and found.answer in ("Yes", "Ja", "Sí", "Oui", "Да")
    )
    return agreed or gives_itself_away(lookup.asked.text, found.answer)


def _missing(lookup: Lookup) -> str:
    if not lookup.forms:
        return "The question does not say what it is about."
    if lookup.unknown:
        return f"The document does not mention: {', '.join(lookup.unknown)}."
    return "No sentence, list or table of the document answers it."
