"""The rules that answer the skills of cards without a model: mapping, judging and polishing."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from studium.cards.models import ProposedCard, QAIssue, QAReport, SchemaValidationResult
from studium.cards.rules.checks import CardSide, check_card, sides_of
from studium.cards.rules.english_sentences import answers
from studium.cards.rules.mapping import map_to_anki_fields
from studium.cards.rules.text_features import coverage, text_features
from studium.cards.skills import (
    MAP,
    POLISH,
    QA,
    JudgedCard,
    JudgedCards,
    MadeCard,
    PolishedCard,
    PolishedCards,
    PolishInput,
    QAInput,
)
from studium.cards.state import CardDraft
from studium.core.llm.models import Rule

SEVERITY_COST = {"low": 0.05, "medium": 0.25, "high": 0.5}
LONG_ANSWER = 20
MIN_SHARED_WORDS = 2

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
    """Judge one card by code alone: the checks, and whether the answer fits the question."""
    issues = tuple(check_card(made, quotes))
    judged = qa_check_cards(QAInput(cards=(made,))).cards[0].report
    return QAReport(qa_score=qa_score(issues, judged.qa_score), issues=tuple(dict.fromkeys((*issues, *judged.issues))))


def qa_check_cards(given: QAInput) -> JudgedCards:
    """Judge whether the answers of a note fit their questions, comparing each question with all answers."""
    sides = [sides_of(made) for made in given.cards]
    everyone = [side for found in sides for side in found]
    judged = []
    for made, own in zip(given.cards, sides, strict=True):
        issues = tuple(dict.fromkeys(issue for side in own for issue in _mismatches(side, everyone)))
        judged.append(JudgedCard(card_id=made.card_id, report=QAReport(qa_score=qa_score(issues), issues=issues)))
    return JudgedCards(cards=tuple(judged))


def qa_score(issues: Sequence[QAIssue], best: float = 1.0) -> float:
    """The score after subtracting the cost of these issues."""
    return round(max(0.0, best - sum(SEVERITY_COST[issue.severity] for issue in issues)), 2)


def _mismatches(side: CardSide, everyone: Sequence[CardSide]) -> Iterator[QAIssue]:
    for found in (_belongs_elsewhere(side, everyone), _unrelated(side), _no_amount(side), _too_few(side)):
        if found:
            yield found


def _belongs_elsewhere(side: CardSide, everyone: Sequence[CardSide]) -> QAIssue | None:
    """The answers of this question and of another one seem to be swapped."""
    if side.hides or side.front.content & side.back.everything:
        return None
    for other in everyone:
        if other is side or other.hides or other.source.pair == side.source.pair != "":
            continue
        swapped = side.front.content & other.back.everything, other.front.content & side.back.everything
        if min(map(len, swapped)) >= MIN_SHARED_WORDS or (
            all(swapped) and not other.front.content & other.back.everything
        ):
            message = f"The note answers this question elsewhere (line {other.source.line})."
            return QAIssue(type="answer_mismatch", severity="high", message=message)
    return None


def _unrelated(side: CardSide) -> QAIssue | None:
    """A long answer shares no word with the question; a shortened English one does not answer it."""
    asked = side.front.content | text_features(side.source.heading).content
    if side.hides or len(side.front.content) < MIN_SHARED_WORDS or len(side.back.content) < LONG_ANSWER:
        return None
    # The front of a section's card ends with the heading of the section.
    if side.source.heading and side.front.markdown.endswith(f"— {side.source.heading}"):
        return None
    if side.is_english and not side.is_whole:
        if answers(side.front.markdown, side.back.markdown):
            return None
        message = "No sentence of the answer says anything about what the question asks."
    elif asked & side.back.everything:
        return None
    else:
        message = "The answer shares no word with the question."
    return QAIssue(type="answer_mismatch", severity="medium", message=message)


def _no_amount(side: CardSide) -> QAIssue | None:
    if side.hides or not _QUANTITY.search(side.front.markdown) or _AMOUNT.search(side.back.markdown):
        return None
    message = "The question asks for a number, and the answer gives none."
    return QAIssue(type="answer_mismatch", severity="medium", message=message)


def _too_few(side: CardSide) -> QAIssue | None:
    """The question asks for more things than the answer lists."""
    asked = None if side.hides else _COUNTED.match(side.front.markdown)
    listed = len(_ITEM.findall(side.back.uncoded)) if asked else 0
    if not asked or listed < MIN_SHARED_WORDS:
        return None
    count = _NUMBERS.get(asked["count"].casefold()) or int(asked["count"])
    if listed >= count:
        return None
    message = f"The question asks for {count} things, and the answer lists {listed}."
    return QAIssue(type="answer_mismatch", severity="medium", message=message)


_SPACE_BEFORE_MARK = re.compile(r"(?<![ \t])[ \t]+(?=[?!.,;:](?:\s|$))")
_DOUBLED_MARK = re.compile(r"([?!])(?<!\1\1)\1+(?=\s|$)")
_SPACES = re.compile(r"(?<=\S)[ \t]{2,}(?=\S)")
_GENERIC_HEADING = re.compile(
    r"(?:questions?|answers?|вопрос\w*|ответ\w*|vopros\w*|otvet\w*|follow-?ups?|notes?|cards?|q ?& ?a|faq)\b",
    re.IGNORECASE,
)
_SHORT_FRONT = 4
_MAX_HINT = 60
MIN_KEPT_WORDS = 0.8


def polish_card_style(given: PolishInput) -> PolishedCards:
    """Polish every card that can be improved."""
    polished = [(made.card_id, _changes(made)) for made in given.cards]
    return PolishedCards(cards=tuple(PolishedCard(card_id=own, fields=fields) for own, fields in polished if fields))


def apply_polish(
    draft: CardDraft, fields: Mapping[str, str], fits: Callable[[ProposedCard], SchemaValidationResult]
) -> CardDraft:
    """The polished card if it is still valid and says the same, otherwise the card as it was."""
    if draft.card is None:
        return draft
    filled = {**draft.card.fields, **{name: text.strip() for name, text in fields.items()}}
    polished = draft.card.model_copy(update={"fields": {name: text for name, text in filled.items() if text}})
    schema = fits(polished)
    kept = all(_says_the_same(draft.card.fields.get(name, ""), text) for name, text in fields.items() if name != "Hint")
    return replace(draft, card=polished, schema=schema) if schema.valid and kept else draft


def _says_the_same(before: str, after: str) -> bool:
    """Whether a polished text keeps all numbers and negations, and adds nothing."""
    old, new = text_features(before), text_features(after)
    same = old.numbers == new.numbers and bool(old.negations) == bool(new.negations)
    return same and coverage(new.content, old.everything) >= MIN_KEPT_WORDS


def _changes(made: MadeCard) -> dict[str, str]:
    card = made.card
    changed = {"Front": tidy_spacing(card.fields["Front"])} if "Front" in card.fields else {}
    if not card.fields.get("Hint") and (hint := _hint(card, made.spec.sources[0].heading)):
        changed["Hint"] = hint
    return {name: text for name, text in changed.items() if text != card.fields.get(name)}


def tidy_spacing(front: str) -> str:
    """A question without extra spaces and doubled marks; code stays as it is."""
    if "`" in front or "$" in front or "|" in front:
        return front.strip()
    return _SPACES.sub(" ", _SPACE_BEFORE_MARK.sub("", _DOUBLED_MARK.sub(r"\1", front))).strip()


def _hint(card: ProposedCard, heading: str) -> str:
    """The heading of the card as a hint, if the question is short and the heading does not give the answer away."""
    front, back, over = (
        text_features(card.fields.get("Front", "")),
        text_features(card.fields.get("Back", "")),
        text_features(heading.strip()),
    )
    if not over.content or len(front.content) >= _SHORT_FRONT or len(heading) > _MAX_HINT:
        return ""
    says = not _GENERIC_HEADING.match(over.markdown) and not over.content <= front.content
    return over.markdown if says and not over.content & back.content else ""


RULES: dict[str, Rule] = {
    MAP.name: lambda given, _tools: map_to_anki_fields(given),
    QA.name: lambda given, _tools: qa_check_cards(given),
    POLISH.name: lambda given, _tools: polish_card_style(given),
}
