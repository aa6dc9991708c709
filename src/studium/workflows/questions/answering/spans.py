"""Answers of a known kind, found where they stand in a line: quantities, dates, names and places."""

import re
from collections.abc import Iterator

from studium.workflows.questions.answering.kinds import WORDS
from studium.workflows.questions.answering.lookup import Match
from studium.workflows.questions.answering.question import Asked
from studium.workflows.questions.answering.segments import Span
from studium.workflows.questions.comparing.dates import dates_in
from studium.workflows.questions.comparing.quantities import Quantity, quantities_in
from studium.workflows.questions.comparing.words import Word

_BOUND = re.compile(rf"(?:{WORDS.any_of('bounds')})\s+(?:the |a )?$", re.IGNORECASE)
_INSIDE_NAMES = "|".join(sorted(WORDS.words("inside_names")))
_WITHIN_NAMES = re.compile(rf"^\s(?:(?:{_INSIDE_NAMES}|the) )*$|^[-.']\s?$|^\.\s$")
_ARTICLE = WORDS.any_of("articles")
_PREPOSITION = WORDS.any_of("prepositions")
_PLACE = re.compile(rf"\b(?:{_PREPOSITION})\s", re.IGNORECASE)
_PLACE_END = re.compile(rf"(?<=\w)(?=[,;:.()])|\s(?=(?:{_PREPOSITION}|{WORDS.any_of('place_ends')})\s)", re.IGNORECASE)
_IN_A_TOWN = re.compile(rf"(?:{WORDS.any_of('towns')}) (?=[A-ZÄÖÜÁÉ])")
_AT_A_PLACE = re.compile(rf"\b(?:{WORDS.any_of('at_places')})(?: (?:{_ARTICLE}))? $", re.IGNORECASE)
_TO, _AND = WORDS.any_of("to"), WORDS.any_of("and")
_TO_DATE = re.compile(rf"\s*(?:{_TO}|{_AND})\s*(?:(?:{_ARTICLE}|de) )?")
_FROM_DAY = re.compile(rf"\b\d{{1,2}}\.?\s*(?:{_TO}|{_AND})\s*$")
_BETWEEN = re.compile(rf"\b(?:{WORDS.any_of('between')})\s$", re.IGNORECASE)
NEAR = 3


def spans_of(asked: Asked, match: Match) -> list[Span]:
    """The pieces of the line that are of the kind that is asked for and that the question does not say itself."""
    finders = {"quantity": _quantities, "date": _dates, "year": _years, "person": _names, "place": _places}
    found = finders.get(asked.kind, _quantities)(asked, match)
    return [span for span in found if not _said_by(asked, match, span)]


def names_in(match: Match) -> Iterator[Span]:
    """What is written as a name, in one piece."""
    text, run = match.line.text, list[Word]()
    for word in match.line.words:
        named = word.capital and not word.text[0].isdigit() and (word.telling or bool(run))
        if run and not (named and _WITHIN_NAMES.match(text[run[-1].end : word.start])):
            yield _span(text, run)
            run = []
        if named:
            run.append(word)
    if run:
        yield _span(text, run)


def _span(text: str, run: list[Word]) -> Span:
    return Span(run[0].start, run[-1].end, text[run[0].start : run[-1].end])


def _said_by(asked: Asked, match: Match, span: Span) -> bool:
    """Whether the question has half of the span already, or a number of it."""
    within = [word for word in match.line.words if word.telling and span.start <= word.start < span.end]
    inside = [word for word in within if word.key not in asked.focus]
    if not inside:
        return bool(within)
    digits = [word for word in inside if word.key[0].isdigit()]
    if digits:
        return any(map(match.is_said, digits))
    return 2 * sum(map(match.is_said, inside)) >= len(inside)


def _quantities(asked: Asked, match: Match) -> Iterator[Span]:
    text = match.line.text
    for first, last in _ranges(text, [each for each in quantities_in(text, asked.language) if not each.number.ordinal]):
        end = _end_of_noun(asked, match, last)
        measures = last.measures or "count"
        if measures in asked.measures if asked.measures else not asked.focus or end is not None:
            bound = _BOUND.search(text[: first.start])
            start = bound.start() if bound else first.start
            yield Span(start, last.end, text[start : max(end or 0, last.end)])


def _ranges(text: str, quantities: list[Quantity]) -> Iterator[tuple[Quantity, Quantity]]:
    """Each quantity with itself, and the two ends of a range (`20 to 30 minutes`) with each other."""
    at = 0
    while at < len(quantities):
        this, following = quantities[at], quantities[at + 1 : at + 2]
        joined = bool(following) and _is_range(text, this, following[0])
        yield this, following[0] if joined else this
        at += 2 if joined else 1


def _is_range(text: str, this: Quantity, following: Quantity) -> bool:
    if re.fullmatch(rf"\s*(?:{_TO})\s*", text[this.end : following.start]):
        return True
    joined = re.fullmatch(rf"\s(?:{_AND})\s", text[this.end : following.start])
    return bool(joined and _BETWEEN.search(text[: this.start]))


def _end_of_noun(asked: Asked, match: Match, quantity: Quantity) -> int | None:
    """Where the noun that is counted ends, if it is the one that was asked for."""
    after = [word for word in match.line.words if word.start >= quantity.number.end][:NEAR]
    for word in after:
        if word.key in asked.focus:
            return word.end
        if re.search(r"[,;:.()]\s", match.line.text[quantity.end : word.start]):
            return None
    return None


def _dates(_asked: Asked, match: Match) -> Iterator[Span]:
    text, dates, at = match.line.text, dates_in(match.line.text), 0
    while at < len(dates):
        first, last = dates[at], dates[at]
        if at + 1 < len(dates) and _TO_DATE.fullmatch(text, first.end, dates[at + 1].start):
            last = dates[at + 1]
        day = _FROM_DAY.search(text[: first.start])
        start = day.start() if day else first.start
        yield Span(start, last.end, text[start : last.end])
        at += 1 if last is first else 2


def _years(_asked: Asked, match: Match) -> Iterator[Span]:
    for date in dates_in(match.line.text):
        if date.year is not None:
            yield Span(date.start, date.end, str(date.year))


def _names(asked: Asked, match: Match) -> Iterator[Span]:
    dates = dates_in(match.line.text)
    for span in names_in(match):
        words = span.answer.split()
        if any(date.start < span.end and span.start < date.end for date in dates):
            continue
        alias = match.line.text[span.start - 1 : span.start] == "(" and span.answer.isupper()
        if alias or _AT_A_PLACE.search(match.line.text[: span.start]):
            continue
        if len(words) > 1 or asked.language != "de":
            yield span


def _places(asked: Asked, match: Match) -> Iterator[Span]:
    text, phrases = match.line.text, list[tuple[int, int]]()
    for found in _PLACE.finditer(text):
        end = _PLACE_END.search(text, found.end())
        phrase = (found.start(), end.start() if end else len(text))
        elsewhere = bool(asked.focus) and not _IN_A_TOWN.match(text, found.start())
        if elsewhere or _is_time_or_size(text[slice(*phrase)], asked.language):
            continue
        if not asked.focus and phrases and phrase[0] - phrases[-1][1] <= 1:
            phrase = (phrases.pop()[0], phrase[1])
        phrases.append(phrase)
    return (Span(start, end, text[start:end]) for start, end in phrases)


def _is_time_or_size(phrase: str, language: str) -> bool:
    return bool(dates_in(phrase)) or any(each.unit for each in quantities_in(phrase, language))
