"""Reasons, purposes, manners, occasions and outcomes: the clause behind the word that announces it."""

import re
from collections.abc import Iterator

from studium.workflows.questions.answering.kinds import WORDS, Kind
from studium.workflows.questions.answering.lookup import Found, Match

_DAYS = rf"(?:(?:{WORDS.any_of('on_days')}) (?:[\w:.]+ ){{0,3}}?)?(?:{WORDS.any_of('calendar')})\b"
_WHEN = rf"(?:{WORDS.any_of('occasions')}) [^.;,]+|{_DAYS}(?: (?:of|um|at|at the|de) [^.;,]+)?"
_ANNOUNCED: dict[Kind, re.Pattern[str]] = {
    "reason": re.compile(rf"\b(?:{WORDS.any_of('reasons')})\s+(?P<clause>[^.;]+)", re.IGNORECASE),
    "purpose": re.compile(rf"\b(?:{WORDS.any_of('purposes_told')})(?P<clause>[^.;]+)", re.IGNORECASE),
    "manner": re.compile(rf"\b(?P<clause>(?:{WORDS.any_of('manners')})[^.;,]+)", re.IGNORECASE),
    "date": re.compile(rf"\b(?P<clause>{_WHEN})", re.IGNORECASE),
}
_IN_ORDER_TO = re.compile(rf"(?<=\s)(?P<clause>(?:{WORDS.any_of('aims')}) ?[^.;,]+)", re.IGNORECASE)
_CASE = re.compile(rf"^(?:{WORDS.any_of('conditions')})\s(?P<case>[^,;]+),\s(?P<then>[^.;]+)", re.IGNORECASE)
_WHAT_HAPPENS = re.compile(rf"(?:{WORDS.any_of('what_happens')})\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!]\s*$")


def clauses(kind: Kind, match: Match) -> Iterator[Found]:
    """The one clause that gives the reason, purpose, manner or occasion, where the question has some of the rest."""
    text = _SENTENCE_END.sub("", match.line.text)
    found = list(_ANNOUNCED[kind].finditer(text))
    if kind == "reason" and not found:
        found = list(_IN_ORDER_TO.finditer(text))
    if len(found) != 1:
        return
    start, clause = found[0].start("clause"), found[0]["clause"]
    if found[0].start() == 0:
        clause = clause.split(", ")[0]
    rest = [word for word in match.line.words if not start <= word.start < start + len(clause)]
    if any(word.telling and match.is_said(word) for word in rest):
        yield Found(clause.strip(), match.line.quote, match.fit)


def outcomes(question: str, match: Match) -> Iterator[Found]:
    """What a line says will happen in the case that the question puts."""
    found = _CASE.match(match.line.text) if _WHAT_HAPPENS.match(question) else None
    if found:
        case = [word for word in match.line.words if word.telling and word.start < found.end("case")]
        if case and all(map(match.is_said, case)):
            yield Found(_SENTENCE_END.sub("", found["then"]), match.line.quote, match.fit)
