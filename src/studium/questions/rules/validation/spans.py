"""Find spans of a line that may be the answer, and choose between several of them."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studium.questions.rules.comparison.quantities import Quantity, dates_in, quantities_in
from studium.questions.rules.comparison.words import Word
from studium.questions.rules.validation.lookup import LineMatch
from studium.questions.rules.validation.question_analysis import LEXICON, ParsedQuestion

_BOUNDARY = re.compile(rf"[;:()—]|,\s|\.\s|\b(?:{LEXICON.any_of('conjunctions')})\b|、", re.IGNORECASE)
_AT_THAT_TIME = re.compile(rf",?\s*(?:{LEXICON.any_of('at_that_time')})\b", re.IGNORECASE)
SPARE_COST = 0.03
MOST_SPARE = 5


@dataclass(frozen=True)
class AnswerSpan:
    """A span of a line that may be the answer."""

    start: int
    end: int
    answer: str


def choose_spans(match: LineMatch, spans: Sequence[AnswerSpan]) -> list[tuple[AnswerSpan, float]]:
    """The span that the words of the question select, with the cost of the other words around it.

    A span is selected if the question has all words around it, or some that are around no other span. If none is
    selected, all of them are possible answers.

        … every 5 seconds on copper links and every 20 seconds on radio links.
    """
    ordered = sorted(spans, key=lambda span: span.start)
    grounds = [_range_of(match.line.text, ordered, at) for at in range(len(ordered))]
    kept = [
        (span, _count_around(match, span, ground))
        for span, ground in zip(ordered, grounds, strict=True)
        if not _is_about_another(match, span, ground)
    ]
    kept.sort(key=lambda ranked: ranked[1])
    if len(kept) > 1:
        (spare, said), following = kept[0][1], kept[1][1]
        decided = (spare, said) != following and (spare == 0 or said < 0)
        kept = kept[:1] if decided else kept[:2]
    return [(span, SPARE_COST * min(spare, MOST_SPARE)) for span, (spare, _) in kept]


def _range_of(text: str, spans: Sequence[AnswerSpan], at: int) -> tuple[int, int]:
    """The range of the line that belongs to a span.

    Words before the first span belong to all; words between two spans belong to the earlier one.
    """
    span = spans[at]
    cuts = [found.start() for found in _BOUNDARY.finditer(text) if not span.start <= found.start() < span.end]
    place = bisect_right(cuts, span.start)
    start, end = (cuts[place - 1] if place else 0), (cuts[place] if place < len(cuts) else len(text))
    if len(spans) > 1:
        start = max(start, spans[0].start)
        start = span.start if at and spans[at - 1].start >= start else start
        end = min(end, spans[at + 1].start) if at + 1 < len(spans) else end
    return start, end


def _count_around(match: LineMatch, span: AnswerSpan, ground: tuple[int, int]) -> tuple[int, int]:
    """How many words around the span the question lacks, and (negative) how many it has."""
    start, end = ground
    around = [
        word
        for word in match.line.words
        if word.is_content and start <= word.start < end and not span.start <= word.start < span.end
    ]
    said = sum(match.is_said(word) for word in around)
    return len(around) - said, -said


def _is_about_another(match: LineMatch, span: AnswerSpan, ground: tuple[int, int]) -> bool:
    """Whether the span's segment has another subject, and the topic of the question comes after it.

    The line to Northwold closed in 1964, the line to Hexby is in use. – When did the line to Hexby close?
    """
    cuts = [found.start() for found in _BOUNDARY.finditer(match.line.text) if found.start() >= span.end]
    end = cuts[0] if cuts else ground[1]
    around = [word for word in match.line.words if word.start < end and not span.start <= word.start < span.end]
    other = any(word.is_content and not match.is_said(word) for word in around)
    here = {word.key for word in match.line.words if word.start < end}
    later = {word.key for word in match.line.words if word.start >= end}
    if _AT_THAT_TIME.match(match.line.text, end):
        return False
    in_brackets = match.line.text[span.start - 1 : span.start] == "("
    return other and not in_brackets and any(forms & later and not forms & here for forms in match.needed)


_BOUND = re.compile(rf"(?:{LEXICON.any_of('bounds')})\s+(?:the |a )?$", re.IGNORECASE)
_INSIDE_NAMES = "|".join(sorted(LEXICON.words("inside_names")))
_WITHIN_NAMES = re.compile(rf"^\s(?:(?:{_INSIDE_NAMES}|the) )*$|^[-.']\s?$|^\.\s$")
_ARTICLE = LEXICON.any_of("articles")
_PREPOSITION = LEXICON.any_of("prepositions")
_PLACE = re.compile(rf"\b(?:{_PREPOSITION})\s", re.IGNORECASE)
_PLACE_END = re.compile(
    rf"(?<=\w)(?=[,;:.()])|\s(?=(?:{_PREPOSITION}|{LEXICON.any_of('place_ends')})\s)", re.IGNORECASE
)
_IN_A_TOWN = re.compile(rf"(?:{LEXICON.any_of('towns')}) (?=[A-ZÄÖÜÁÉ])")
_AT_A_PLACE = re.compile(rf"\b(?:{LEXICON.any_of('at_places')})(?: (?:{_ARTICLE}))? $", re.IGNORECASE)
_TO, _AND = LEXICON.any_of("to"), LEXICON.any_of("and")
_TO_DATE = re.compile(rf"\s*(?:{_TO}|{_AND})\s*(?:(?:{_ARTICLE}|de) )?")
_FROM_DAY = re.compile(rf"\b\d{{1,2}}\.?\s*(?:{_TO}|{_AND})\s*$")
_BETWEEN = re.compile(rf"\b(?:{LEXICON.any_of('between')})\s$", re.IGNORECASE)
NEAR = 3


def find_spans(asked: ParsedQuestion, match: LineMatch) -> list[AnswerSpan]:
    """The spans of the expected answer type that are not in the question."""
    finders = {"quantity": _quantities, "date": _dates, "year": _years, "person": _names, "place": _places}
    found = finders.get(asked.kind, _quantities)(asked, match)
    return [span for span in found if not _said_by(asked, match, span)]


def names_in(match: LineMatch) -> Iterator[AnswerSpan]:
    """The spans that are written as names."""
    text, run = match.line.text, list[Word]()
    for word in match.line.words:
        named = word.capital and not word.text[0].isdigit() and (word.is_content or bool(run))
        if run and not (named and _WITHIN_NAMES.match(text[run[-1].end : word.start])):
            yield _span(text, run)
            run = []
        if named:
            run.append(word)
    if run:
        yield _span(text, run)


def _span(text: str, run: list[Word]) -> AnswerSpan:
    return AnswerSpan(run[0].start, run[-1].end, text[run[0].start : run[-1].end])


def _said_by(asked: ParsedQuestion, match: LineMatch, span: AnswerSpan) -> bool:
    """Whether the question already has half of the span, or a number in it."""
    within = [word for word in match.line.words if word.is_content and span.start <= word.start < span.end]
    inside = [word for word in within if word.key not in asked.focus]
    if not inside:
        return bool(within)
    digits = [word for word in inside if word.key[0].isdigit()]
    if digits:
        return any(map(match.is_said, digits))
    return 2 * sum(map(match.is_said, inside)) >= len(inside)


def _quantities(asked: ParsedQuestion, match: LineMatch) -> Iterator[AnswerSpan]:
    text = match.line.text
    for first, last in _ranges(text, [each for each in quantities_in(text, asked.language) if not each.number.ordinal]):
        end = _end_of_noun(asked, match, last)
        measures = last.measures or "count"
        if measures in asked.measures if asked.measures else not asked.focus or end is not None:
            bound = _BOUND.search(text[: first.start])
            start = bound.start() if bound else first.start
            yield AnswerSpan(start, last.end, text[start : max(end or 0, last.end)])


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


def _end_of_noun(asked: ParsedQuestion, match: LineMatch, quantity: Quantity) -> int | None:
    """The end of the counted noun, if the question asks for it."""
    after = [word for word in match.line.words if word.start >= quantity.number.end][:NEAR]
    for word in after:
        if word.key in asked.focus:
            return word.end
        if re.search(r"[,;:.()]\s", match.line.text[quantity.end : word.start]):
            return None
    return None


def _dates(_asked: ParsedQuestion, match: LineMatch) -> Iterator[AnswerSpan]:
    text, dates, at = match.line.text, dates_in(match.line.text), 0
    while at < len(dates):
        first, last = dates[at], dates[at]
        if at + 1 < len(dates) and _TO_DATE.fullmatch(text, first.end, dates[at + 1].start):
            last = dates[at + 1]
        day = _FROM_DAY.search(text[: first.start])
        start = day.start() if day else first.start
        yield AnswerSpan(start, last.end, text[start : last.end])
        at += 1 if last is first else 2


def _years(_asked: ParsedQuestion, match: LineMatch) -> Iterator[AnswerSpan]:
    for date in dates_in(match.line.text):
        if date.year is not None:
            yield AnswerSpan(date.start, date.end, str(date.year))


def _names(asked: ParsedQuestion, match: LineMatch) -> Iterator[AnswerSpan]:
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


def _places(asked: ParsedQuestion, match: LineMatch) -> Iterator[AnswerSpan]:
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
    return (AnswerSpan(start, end, text[start:end]) for start, end in phrases)


def _is_time_or_size(phrase: str, language: str) -> bool:
    return bool(dates_in(phrase)) or any(each.unit for each in quantities_in(phrase, language))
