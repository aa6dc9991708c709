"""Fill the gaps that ask for an amount, a measure, a frequency or a time."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from studium.core.text.english.tree import Word
from studium.questions.rules.comparison.lemmas import likeness
from studium.questions.rules.comparison.predicates import Argument, is_predicate
from studium.questions.rules.comparison.quantities import dates_in, quantities_in
from studium.questions.rules.validation.alignment import Alignment
from studium.questions.rules.validation.answer_phrases import marked_phrase
from studium.questions.rules.validation.question_analysis import LEXICON, MEASURED, ParsedQuestion
from studium.questions.rules.validation.spans import AnswerSpan, choose_spans, find_spans

OTHER_PLACE, FAR = 0.04, 0.1
TIME_NOUNS = LEXICON.words("time_nouns")
_CURRENCIES = frozenset({"euro", "dollar", "sterling", "yen"})
_MONEY = frozenset({"money", "cost", "price", "fee", "funding"})
_TIMES = LEXICON.words("time_conjunctions")
_TIME_PREPOSITIONS = frozenset({"during", "after", "before", "until", "since", "till"})
_FREQUENCIES = LEXICON.words("frequencies")
_REPEATED = frozenset({"every", "each", "per", "a", "an"})
_BOUNDS = LEXICON.words("bound_words")
_ALTERNATIVES = re.compile(r"(?<![\d.,])(?:\d[\d.,]*,\s)*\d[\d.,]*,?\s(?:or|and)\s$")


class Filler(NamedTuple):
    """A possible answer, and what is taken off its fit."""

    answer: str
    cost: float


def fill_typed(asked: ParsedQuestion, aligned: Alignment) -> list[Filler]:
    """The amounts or times of the predicate; of several, those that the words around them select."""
    asked = _with_measure(asked, aligned)
    gap = aligned.question.gap
    if gap == "time" or asked.kind in ("date", "year"):
        spans = list(_times(asked, aligned))
    elif _asks_how_often(aligned) and (often := list(_frequencies(aligned))):
        spans = often
    else:
        spans = list(_counted(aligned)) or find_spans(asked, aligned.match)
    spans = [_of_alternatives(aligned, span) for span in _without_overlap(spans)]
    own = [span for span in spans if not _distance(aligned, span)]
    if len(own) == 1:
        return [Filler(own[0].answer, 0.0)]
    chosen = choose_spans(aligned.match, own or spans)
    if not chosen and own:
        return [Filler(span.answer, 0.0) for span in own]
    return [Filler(span.answer, cost + _distance(aligned, span)) for span, cost in chosen]


def _with_measure(asked: ParsedQuestion, aligned: Alignment) -> ParsedQuestion:
    """The question with what its noun measures: `at which temperatures`, `how much money`."""
    focus = aligned.question.focus
    if focus is None or asked.kind in ("date", "year"):
        return asked
    measures = _CURRENCIES if focus.lemma in _MONEY else MEASURED.get(focus.lemma, asked.measures)
    return replace(asked, kind="quantity", measures=measures) if measures else asked


def _of_alternatives(aligned: Alignment, span: AnswerSpan) -> AnswerSpan:
    """Of `3, 4 or 9 crowns`, all the amounts: the last one alone is no answer."""
    text = aligned.tree.text
    before = _ALTERNATIVES.search(text[: span.start])
    return AnswerSpan(before.start(), span.end, text[before.start() : span.end]) if before else span


def _without_overlap(spans: Iterable[AnswerSpan]) -> list[AnswerSpan]:
    kept: list[AnswerSpan] = []
    for span in sorted(spans, key=lambda each: each.start - each.end):
        if all(span.end <= other.start or span.start >= other.end for other in kept):
            kept.append(span)
    return kept


def _distance(aligned: Alignment, span: AnswerSpan) -> float:
    """What is taken off an answer outside the predicate's own clause."""
    tree, predicate = aligned.tree, aligned.predicate
    inside = {word.index for word in tree.words if span.start <= word.start < span.end}
    clauses = {
        child.index
        for child in tree.children(predicate.word, "conj", "parataxis", "ccomp")
        if is_predicate(tree, child)
    }
    if inside & tree.subtree(predicate.word, clauses):
        return 0.0
    arguments = (tree.subtree(each.word, (predicate.word.index,)) for each in predicate.arguments)
    return OTHER_PLACE if any(inside & each for each in arguments) else FAR


def _counted(aligned: Alignment) -> Iterator[AnswerSpan]:
    """Numbers before the noun that is counted, and `no` before it."""
    tree, focus = aligned.tree, aligned.question.focus
    for noun in tree.words:
        if focus is None or aligned.question.gap != "quantity" or not likeness(focus, noun):
            continue
        for number in tree.children(noun, "nummod"):
            if not aligned.is_matched(number) and number.index < noun.index:
                start = _with_bound(tree.words, min([number.index, *(each.index for each in tree.children(number))]))
                yield AnswerSpan(start, noun.end, tree.text[start : noun.end])
        for no in tree.children(noun, "det"):
            if no.lower == "no":
                yield AnswerSpan(no.start, noun.end, "none")


def _with_bound(words: tuple[Word, ...], start: int) -> int:
    """The start of `more than 30` or `at least 30`."""
    while start and words[start - 1].lower in _BOUNDS:
        start -= 1
    return words[start].start


def _asks_how_often(aligned: Alignment) -> bool:
    return any(word.lower in ("often", "frequently") for word in aligned.question.tree.words[:3])


def _frequencies(aligned: Alignment) -> Iterator[AnswerSpan]:
    """`twice every day`, `daily`, `every 30 seconds`, `three times a week`."""
    tree, predicate = aligned.tree, aligned.predicate
    said = [each.word for each in predicate.of("adverb", "oblique", "object")]
    for head in (word for each in said for word in (each, *tree.children(each, "conj"))):
        first = min([head.index, *(child.index for child in tree.children(head, "det", "nummod", "case", "advmod"))])
        words = tree.words[first : head.index + 1]
        while words and words[0].pos in ("PUNCT", "CCONJ"):
            words = words[1:]
        if not words:
            continue
        counted = any(word.lower in _FREQUENCIES for word in words) or head.lemma == "time"
        unit = head.lemma in TIME_NOUNS or any(each.unit for each in quantities_in(_text(aligned, words), "en"))
        if counted or (unit and words[0].lower in _REPEATED):
            following = tree.words[head.index + 1 : head.index + 3]
            if counted and len(following) > 1 and following[0].lower in _REPEATED and following[1].lemma in TIME_NOUNS:
                words = (*words, *following)
            yield AnswerSpan(words[0].start, words[-1].end, _text(aligned, words))


def _text(aligned: Alignment, words: Sequence[Word]) -> str:
    return aligned.tree.text[words[0].start : words[-1].end]


def _times(asked: ParsedQuestion, aligned: Alignment) -> Iterator[AnswerSpan]:
    tree, predicate = aligned.tree, aligned.predicate
    dates = find_spans(asked, aligned.match) if asked.kind in ("date", "year") else []
    inside = tree.subtree(predicate.word)
    near = [span for span in dates if any(span.start <= tree.words[index].start < span.end for index in inside)]
    yield from near or dates
    if asked.kind == "year" or near:
        return
    spans = [_span(aligned, argument) for argument in predicate.arguments if _is_time(aligned, argument)]
    for span in spans:
        # `two hours` `after sunset`: one time in two phrases.
        joined = next((other for other in spans if other.start == span.end + 1), None)
        if joined:
            yield AnswerSpan(span.start, joined.end, tree.text[span.start : joined.end])
        yield span


def _span(aligned: Alignment, argument: Argument) -> AnswerSpan:
    words = [aligned.tree.words[index] for index in sorted(aligned.tree.subtree(argument.word))]
    while words and words[-1].pos == "PUNCT":
        words.pop()
    return AnswerSpan(words[0].start, words[-1].end, marked_phrase(aligned.tree, argument.word))


def _is_time(aligned: Alignment, argument: Argument) -> bool:
    word, first = argument.word, argument.marker.split(" ")[0]
    if argument.role not in ("oblique", "clause", "adverb") or aligned.is_matched(word):
        return False
    if argument.role == "clause":
        return first in _TIMES
    measured = any(each.measures in ("time", "span") for each in quantities_in(aligned.tree.phrase(word), "en"))
    timed = word.lemma in TIME_NOUNS or measured or bool(dates_in(aligned.tree.phrase(word)))
    return timed or first in _TIME_PREPOSITIONS
