"""The card pipeline without a model: nothing is reworded, only chosen."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from studium.domain.card import NoteContext, ProposedCard, QAIssue, QAReport, Section
from studium.domain.skill import Tool
from studium.minds.rules import Rule
from studium.readers.language import detect_language
from studium.workflows.cards.notes import section
from studium.workflows.cards.skills import MAP, QA, MapGiven, MappedCard, QAGiven

_WEIGHT = {"low": 0.1, "medium": 0.25, "high": 0.5}
_SURE = 0.9
_WORD = re.compile(r"\w{3,}")


def map_note(given: MapGiven, _tools: Sequence[Tool]) -> MappedCard:
    """Front is the question, Back the part of the answer that fits, Extra the whole answer where it does not fit."""
    question, answer = _text(given.note, "Question"), _text(given.note, "Answer")
    back = _leading_paragraphs(answer.text, given.max_back_chars)
    fields = {"Front": question.text, "Back": back} | ({"Extra": answer.text} if back != answer.text else {})
    card = ProposedCard(
        deck_name=str(given.note.frontmatter.get("deck_hint") or given.note.frontmatter.get("topic") or "Studium"),
        fields=fields,
        tags=_tags(given.note.frontmatter),
        language=detect_language(f"{question.text}\n{answer.text}").code,
    )
    return MappedCard(card=card, quotes=(question.text, back) if back else (question.text,))


def judge_card(given: QAGiven, _tools: Sequence[Tool]) -> QAReport:
    """Judge a card by what can be seen without understanding it."""
    issues = tuple(issue for check in (_leak, _mismatch, _language, _style) for issue in check(given.card))
    score = max(0.0, 1.0 - sum(_WEIGHT[issue.severity] for issue in issues))
    return QAReport(qa_score=round(score, 2), issues=issues)


RULES: dict[str, Rule] = {MAP.name: map_note, QA.name: judge_card}


def _text(note: NoteContext, kind: str) -> Section:
    return section(note, kind) or Section(heading=kind, text="", line=1)


def _leading_paragraphs(text: str, limit: int) -> str:
    """As many whole blocks from the start as fit."""
    chosen = ""
    for block in _blocks(text):
        longer = f"{chosen}\n\n{block}" if chosen else block
        if len(longer) > limit:
            break
        chosen = longer
    return chosen


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs and code blocks; an empty line inside a code block does not end it."""
    block: list[str] = []
    in_code = False
    for line in text.splitlines():
        in_code ^= line.lstrip().startswith(("```", "~~~"))
        if line.strip() or in_code:
            block.append(line)
        elif block:
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)


def _tags(frontmatter: dict[str, Any]) -> tuple[str, ...]:
    tags = frontmatter.get("tags") or []
    return tuple(re.sub(r"\s+", "_", str(tag)).lstrip("#") for tag in (tags if isinstance(tags, list) else [tags]))


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _leak(card: ProposedCard) -> list[QAIssue]:
    front, back = _words(card.fields["Front"]), _words(card.fields["Back"])
    if back and back <= front:
        return [
            QAIssue(type="front_leaks_answer", severity="high", message="Every word of the answer is in the question.")
        ]
    return []


def _mismatch(card: ProposedCard) -> list[QAIssue]:
    if card.fields["Back"].strip() == card.fields["Front"].strip():
        return [QAIssue(type="answer_mismatch", severity="high", message="The answer repeats the question.")]
    return []


def _language(card: ProposedCard) -> list[QAIssue]:
    front, back = (detect_language(card.fields[name]) for name in ("Front", "Back"))
    if "und" in (front.code, back.code) or front.code == back.code or min(front.confidence, back.confidence) < _SURE:
        return []
    message = f"The question is in {front.code}, the answer in {back.code}."
    return [QAIssue(type="language_mismatch", severity="medium", message=message)]


def _style(card: ProposedCard) -> list[QAIssue]:
    front = card.fields["Front"].strip()
    if not front.endswith(("?", "？", ":", "…", ".", "!")):
        return [QAIssue(type="style_issue", severity="low", message="The front does not read as a question or a task.")]
    return []
