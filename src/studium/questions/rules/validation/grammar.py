"""Answer an English question by grammar: parse the few lines that share its words, align them, and fill its gap."""

import re
from collections import defaultdict
from collections.abc import Iterator
from math import log

from studium.core.text.english.parser import parse_all
from studium.questions.rules.validation.alignment import Alignment, Context, align
from studium.questions.rules.validation.english_question import EnglishQuestion, read_english_question
from studium.questions.rules.validation.gap_filling import fill
from studium.questions.rules.validation.lookup import FoundAnswer, LineMatch, QuestionLookup
from studium.questions.rules.validation.polar import decide, works_without

MAX_PARSED = 8
MIN_SHARE = 0.4
"""The share of the question's weight that a line must have to be parsed."""
MIN_OF_BEST = 0.6
"""A line with less of the question than this share of the best line's is not worth parsing."""
MIN_FIT = 0.7
NUMBER_WEIGHT = 3.0
_NUMBER = re.compile(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|once|daily)\b")
MIN_POLAR_FIT = 0.78
SAME_FIT = 0.01


def grammar_answers(lookup: QuestionLookup) -> list[FoundAnswer]:
    """The answers that the grammar of the document's lines gives, best first."""
    question = read_english_question(lookup.question.text)
    if question is None or question.unresolved or not (question.terms or question.predicate):
        return []
    best: dict[str, list[FoundAnswer]] = {}
    for found in _fill_all(lookup, question):
        # Only the predicate of a line that fits best counts; the others are about something else.
        known = best.get(found[0].quote)
        if known is None or found[0].fit > known[0].fit + SAME_FIT:
            best[found[0].quote] = found
        elif found[0].fit > known[0].fit - SAME_FIT and found[0].answer not in known[0].answer:
            known += found
    return sorted(
        (each for group in best.values() for each in group if each.fit >= MIN_FIT), key=lambda each: -each.fit
    )


def _fill_all(lookup: QuestionLookup, question: EnglishQuestion) -> Iterator[list[FoundAnswer]]:
    for aligned in alignments(lookup, question):
        quote = aligned.match.line.quote
        found = [FoundAnswer(each.answer, quote, aligned.fit - each.cost) for each in fill(lookup.question, aligned)]
        if found:
            yield sorted(found, key=lambda each: -each.fit)


def yes_or_no(lookup: QuestionLookup) -> list[FoundAnswer]:
    """Yes or no, with the lines that say so, best first."""
    question = read_english_question(lookup.question.text)
    if question is None or question.unresolved or question.gap != "polar":
        return []
    found = []
    for aligned in alignments(lookup, question):
        without = works_without(question, aligned)
        verdict = False if without else decide(aligned)
        if verdict is not None and aligned.fit >= (MIN_FIT if without else MIN_POLAR_FIT):
            found.append(FoundAnswer("Yes" if verdict else "No", aligned.match.line.quote, aligned.fit))
    return sorted(found, key=lambda each: -each.fit)


def alignments(lookup: QuestionLookup, question: EnglishQuestion) -> Iterator[Alignment]:
    """The predicates of the likeliest lines that fit the question."""
    places = likely_lines(lookup)
    trees = parse_all([lookup.index.lines[place].text for place in places])
    for place, tree in zip(places, trees, strict=True):
        if tree is not None:
            line = lookup.index.lines[place]
            before = lookup.index.lines[place - 1] if place else None
            if before is not None and before.heading != line.heading:
                before = None
            match = LineMatch(line, lookup.all_forms & line.keys, tuple(lookup.forms.values()), 1.0)
            context = Context(
                line.inherited_keys | lookup.index.subject,
                before.keys if before else frozenset(),
                before.text if before else "",
            )
            yield from align(question, match, tree, context)


def likely_lines(lookup: QuestionLookup) -> list[int]:
    """The lines with the most of the question's words, rare ones counting more."""
    index = lookup.index
    words = {*lookup.question.topic, *lookup.question.focus}
    scores: defaultdict[int, float] = defaultdict(float)
    total = 0.0
    for key in words:
        forms = lookup.forms_of(key)
        places = {place for form in forms for place in index.own_places.get(form, ())}
        above = {place for form in forms for place in index.places.get(form, ())} - places
        weight = log(1 + len(index.lines) / (1 + len(places)))
        total += weight
        for place in places:
            scores[place] += weight
        for place in above:
            scores[place] += weight / 2
    if lookup.question.kind in ("quantity", "date", "year"):
        for place in scores:
            scores[place] += NUMBER_WEIGHT * bool(_NUMBER.search(index.lines[place].text))
    enough = max(MIN_SHARE * total, MIN_OF_BEST * max(scores.values(), default=0.0))
    likely = [place for place, score in scores.items() if score >= enough]
    likely.sort(key=lambda place: (-scores[place], len(index.lines[place].text), place))
    return likely[:MAX_PARSED]
