"""Does Back answer Front? Each question is answered anew from the note by its words, and the answers compared."""

import re
from collections.abc import Iterator, Sequence

from studium.domain.card import QAIssue, QAReport
from studium.workflows.cards.judging.checks import Side, check_card, sides_of
from studium.workflows.cards.skills import JudgedCard, JudgedCards, MadeCard, QAGiven
from studium.workflows.cards.words import text_of

WEIGHT = {"low": 0.05, "medium": 0.25, "high": 0.5}
LONG_ANSWER = 20
LEAST_SHARED = 2

_QUANTITY = re.compile(
    r"\b(?:how (?:many|much|often|long)|(?:what|which) (?:ports?|year|number|size)|(?:сколько|как часто)"
    r"|(?:каком|какой) (?:порт|год))",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\d|\bO\(|\b(?:no|none|zero|once|twice|one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand"
    r"|million|half|many|few|every|always|never|unlimited|infinite|single|double|several|depends?"
    r"|(?:ни одного|ноль|один|одна|одно|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|сто|тысяч|много|мало"
    r"|кажд|никогда|всегда|неогранич|бесконеч|несколько|зависит|единствен|раз)\w*)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\s*(?:what are|which|name|list|(?:какие|назовите|перечислите))\b[^.?!]*?\b"
    r"(?P<count>[2-9]|1\d|two|three|four|five|six|seven|eight|nine|ten"
    r"|(?:два|две|три|четыре|пять|шесть|семь|восемь|девять|десять))\s+\w",
    re.IGNORECASE,
)
_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            ("two", "два", "две"),
            ("three", "три"),
            ("four", "четыре"),
            ("five", "пять"),
            ("six", "шесть"),
            ("seven", "семь"),
            ("eight", "восемь"),
            ("nine", "девять"),
            ("ten", "десять"),
        ),
        2,
    )
    for word in words
}
_ITEM = re.compile(r"^(?:[-*+]|\d{1,9}[.)])[ \t]+", re.MULTILINE)


def qa_check_card(made: MadeCard, quotes: tuple[str, ...] = ()) -> QAReport:
    """All that code can say about one card: what the checks find, and whether the answer fits the question."""
    issues = tuple(check_card(made, quotes))
    judged = qa_check_cards(QAGiven(cards=(made,))).cards[0].report
    return QAReport(qa_score=score(issues, judged.qa_score), issues=tuple(dict.fromkeys((*issues, *judged.issues))))


def qa_check_cards(given: QAGiven) -> JudgedCards:
    """Whether the answers of a note fit their questions, each question held against all answers."""
    sides = [sides_of(made) for made in given.cards]
    everyone = [side for found in sides for side in found]
    judged = []
    for made, own in zip(given.cards, sides, strict=True):
        issues = tuple(dict.fromkeys(issue for side in own for issue in _mismatches(side, everyone)))
        judged.append(JudgedCard(card_id=made.card_id, report=QAReport(qa_score=score(issues), issues=issues)))
    return JudgedCards(cards=tuple(judged))


def score(issues: Sequence[QAIssue], best: float = 1.0) -> float:
    """What is left of a score after these issues."""
    return round(max(0.0, best - sum(WEIGHT[issue.severity] for issue in issues)), 2)


def _mismatches(side: Side, everyone: Sequence[Side]) -> Iterator[QAIssue]:
    for found in (_belongs_elsewhere(side, everyone), _unrelated(side), _no_amount(side), _too_few(side)):
        if found:
            yield found


def _belongs_elsewhere(side: Side, everyone: Sequence[Side]) -> QAIssue | None:
    """Whether the note answers this question under another one, and this answer fits the other question."""
    if side.hides or side.front.content & side.back.everything:
        return None
    for other in everyone:
        if other is side or other.hides or other.source.pair == side.source.pair != "":
            continue
        swapped = side.front.content & other.back.everything, other.front.content & side.back.everything
        if min(map(len, swapped)) >= LEAST_SHARED or (all(swapped) and not other.front.content & other.back.everything):
            message = f"The note answers this question elsewhere (line {other.source.line})."
            return QAIssue(type="answer_mismatch", severity="high", message=message)
    return None


def _unrelated(side: Side) -> QAIssue | None:
    """Whether a long answer shares not one word with what is asked."""
    asked = side.front.content | text_of(side.source.heading).content
    if side.hides or len(side.front.content) < LEAST_SHARED or len(side.back.content) < LONG_ANSWER:
        return None
    # The front of a section's card ends with the heading that the note itself put over the answer.
    if side.source.heading and side.front.markdown.endswith(f"— {side.source.heading}"):
        return None
    if asked & side.back.everything:
        return None
    message = "The answer shares no word with the question."
    return QAIssue(type="answer_mismatch", severity="medium", message=message)


def _no_amount(side: Side) -> QAIssue | None:
    if side.hides or not _QUANTITY.search(side.front.markdown) or _AMOUNT.search(side.back.markdown):
        return None
    message = "The question asks for a number, and the answer gives none."
    return QAIssue(type="answer_mismatch", severity="medium", message=message)


def _too_few(side: Side) -> QAIssue | None:
    """Whether the question asks for more things than the answer lists."""
    asked = None if side.hides else _COUNTED.match(side.front.markdown)
    listed = len(_ITEM.findall(side.back.uncoded)) if asked else 0
    if not asked or listed < LEAST_SHARED:
        return None
    count = _NUMBERS.get(asked["count"].casefold()) or int(asked["count"])
    if listed >= count:
        return None
    message = f"The question asks for {count} things, and the answer lists {listed}."
    return QAIssue(type="answer_mismatch", severity="medium", message=message)
