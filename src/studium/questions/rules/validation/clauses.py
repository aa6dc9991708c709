"""Find reasons, purposes, manners and outcomes by the words that introduce them, or the gap that `what` fills."""

import re
from collections.abc import Iterator
from itertools import takewhile

from studium.questions.rules.comparison.answers import items_of
from studium.questions.rules.comparison.words import Word
from studium.questions.rules.validation.lookup import FoundAnswer, LineMatch
from studium.questions.rules.validation.question_analysis import LEXICON, AnswerType, ParsedQuestion

_DAYS = rf"(?:(?:{LEXICON.any_of('on_days')}) (?:[\w:.]+ ){{0,3}}?)?(?:{LEXICON.any_of('calendar')})\b"
_WHEN = rf"(?:{LEXICON.any_of('occasions')}) [^.;,]+|{_DAYS}(?: (?:of|um|at|at the|de) [^.;,]+)?"
_ANNOUNCED: dict[AnswerType, re.Pattern[str]] = {
    "reason": re.compile(rf"\b(?:{LEXICON.any_of('reasons')})\s+(?P<clause>[^.;]+)", re.IGNORECASE),
    "purpose": re.compile(rf"\b(?:{LEXICON.any_of('purposes_told')})(?P<clause>[^.;]+)", re.IGNORECASE),
    "manner": re.compile(rf"\b(?P<clause>(?:{LEXICON.any_of('manners')})[^.;,]+)", re.IGNORECASE),
    "date": re.compile(rf"\b(?P<clause>{_WHEN})", re.IGNORECASE),
}
_IN_ORDER_TO = re.compile(rf"(?<=\s)(?P<clause>(?:{LEXICON.any_of('aims')}) ?[^.;,]+)", re.IGNORECASE)
_CASE = re.compile(rf"^(?:{LEXICON.any_of('conditions')})\s(?P<case>[^,;]+),\s(?P<then>[^.;]+)", re.IGNORECASE)
_WHAT_HAPPENS = re.compile(rf"(?:{LEXICON.any_of('what_happens')})\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!]\s*$")


def announced_clauses(kind: AnswerType, match: LineMatch) -> Iterator[FoundAnswer]:
    """The clause with the reason, purpose, manner or time, if the question has a word of the rest."""
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
    if any(word.is_content and match.is_said(word) for word in rest):
        yield FoundAnswer(clause.strip(), match.line.quote, match.fit)


def outcomes(question: str, match: LineMatch) -> Iterator[FoundAnswer]:
    """What happens in the case that the question describes."""
    found = _CASE.match(match.line.text) if _WHAT_HAPPENS.match(question) else None
    if found:
        case = [word for word in match.line.words if word.is_content and word.start < found.end("case")]
        if case and all(map(match.is_said, case)):
            yield FoundAnswer(_SENTENCE_END.sub("", found["then"]), match.line.quote, match.fit)


_STOP = re.compile(rf"[,;:()—]|\.\s|\s[–-]\s|\b(?:{LEXICON.any_of('subordinators')})\b")
_NO_LIST = re.compile(rf"\b(?:{LEXICON.any_of('subordinators')}|{LEXICON.any_of('auxiliaries')})\b")
_BETWEEN = re.compile(r"\s*(?:of|called|named|de|von|namens)?\s*(?:the|la|el|le)?\s*[\"“'‘«*]?")
_LINK = re.compile(rf"(?:{LEXICON.any_of('auxiliaries')}|{LEXICON.any_of('relatives')})", re.IGNORECASE)
_AGENT = re.compile(rf"\b(?:{LEXICON.any_of('agents')})\s+(?P<agent>[^,;:.()]+)", re.IGNORECASE)
_AGENT_END = re.compile(rf"\s(?:{LEXICON.any_of('agent_ends')})\s")
_ROLE = re.compile(r"^(?:dem|der|den|die) [A-ZÄÖÜ]\w+ (?=[A-ZÄÖÜ]\w+ [A-ZÄÖÜ])")
_ASKS_NAME = re.compile(rf"\b(?:{LEXICON.any_of('name_wanted')})\b", re.IGNORECASE)
_CALLED = re.compile(
    rf"\b(?:{LEXICON.any_of('called')})\s+(?:(?:{LEXICON.any_of('articles')}) )?"
    r"([\"“«]?[A-ZÄÖÜ][\w'’-]*(?: [A-ZÄÖÜ][\w'’-]*)*)"
)
_PRONOUN = re.compile(rf"(?:{LEXICON.any_of('pronouns')})\b", re.IGNORECASE)
_DONE = re.compile(rf"\b(?:{LEXICON.any_of('auxiliaries')}|be|been)\b", re.IGNORECASE)
_TRAILING = re.compile(rf"\s+(?:{LEXICON.any_of('trailing')})$", re.IGNORECASE)
_INSIDE_NAMES = LEXICON.words("inside_names")
LONGEST_SUBJECT = 8
LONGEST_GAP = 14


def fill_gap(asked: ParsedQuestion, match: LineMatch) -> FoundAnswer | None:
    """The only run of words in the line that can answer the question."""
    answer = _called(asked, match) or _beside_focus(asked, match)
    if not answer:
        answer = (_subject(asked, match) or find_agent(match)) if asked.wants_subject else _object(asked, match)
    if not answer or _denied(asked, match, answer):
        return None
    return FoundAnswer(answer, match.line.quote, match.fit)


def _denied(asked: ParsedQuestion, match: LineMatch, answer: str) -> bool:
    """Whether the line negates what the question assumes."""
    start = match.line.text.find(answer)
    clause = max(match.line.text.rfind(", ", 0, start), 0)
    inside = (word for word in match.line.words if clause <= word.start < start + len(answer))
    return not asked.negations and any(word.negation for word in inside)


def _called(asked: ParsedQuestion, match: LineMatch) -> str | None:
    """The name after `called`, if the question asks for a name."""
    found = _CALLED.findall(match.line.text) if _ASKS_NAME.search(asked.text) else []
    return found[0] if len(found) == 1 else None


def _subject(asked: ParsedQuestion, match: LineMatch) -> str | None:
    """The text before the first word that the question has, up to the verb."""
    words = match.line.words
    first = next((at for at, word in enumerate(words) if match.is_said(word) and word.key not in asked.focus), None)
    if not first:
        return None
    head = words[:first]
    stop = next((at for at, word in enumerate(head) if at and _LINK.fullmatch(word.text)), first)
    text = match.line.text[head[0].start : words[stop - 1].end]
    unfit = _PRONOUN.match(text) or stop > LONGEST_SUBJECT or _STOP.search(text)
    return None if unfit or not any(_open(match, word) for word in words[:stop]) else _TRAILING.sub("", text)


def find_agent(match: LineMatch) -> str | None:
    """The agent in a passive line."""
    found = [
        _AGENT_END.split(agent["agent"], maxsplit=1)[0].strip()
        for agent in _AGENT.finditer(match.line.text)
        if _DONE.search(match.line.text[: agent.start()])
        and any(
            match.is_said(word) for word in match.line.words if word.end < agent.start() or word.start > agent.end()
        )
    ]
    somebody = [each for each in found if " " in each or each[:1].isupper()]
    return _ROLE.sub("", somebody[0]) if len(somebody) == 1 else None


def _beside_focus(asked: ParsedQuestion, match: LineMatch) -> str | None:
    """The name after the noun that the question asks for: `the steamer Albion`, `the island of Vardo`."""
    text = match.line.text
    for noun in match.line.words:
        if noun.key not in asked.focus:
            continue
        run = next((run for run in _runs(match) if run[0].start > noun.end), None)
        if run and run[0].text[0].isupper() and _BETWEEN.fullmatch(text, noun.end, run[0].start):
            named = _trimmed(list(takewhile(lambda word: word.text[0].isupper() or word.text in _INSIDE_NAMES, run)))
            return text[noun.start if noun.text[0].isupper() else run[0].start : named[-1].end]
        before = next((run for run in reversed(_runs(match)) if run[-1].end < noun.start), None)
        if before and before[-1].text[0].isupper() and text[before[-1].end : noun.start] == " ":
            named = list(takewhile(lambda word: word.text[0].isupper(), reversed(before)))
            return text[named[-1].start : noun.end]
    return None


def _goes_on(match: LineMatch, run: list[Word]) -> bool:
    before = [word for word in match.line.words if word.end <= run[0].start and match.is_said(word)]
    return bool(before) and not _STOP.search(match.line.text[before[-1].end : run[0].start])


def _object(asked: ParsedQuestion, match: LineMatch) -> str | None:
    """The only run of words that is not in the question and continues a word that is."""
    runs = [run for run in _runs(match) if _goes_on(match, run) and any(_open(match, word) for word in run)]
    if len(runs) > 1:
        runs = _in_main_clause(match, runs)
    if len(runs) != 1:
        return None
    if listed := _whole_list(asked, match, runs[0]):
        return listed
    run = _with_focus(asked, match, runs[0])
    text = match.line.text[run[0].start : run[-1].end]
    return text if len(run) <= LONGEST_GAP else None


def _whole_list(asked: ParsedQuestion, match: LineMatch, run: list[Word]) -> str | None:
    """The whole enumeration, if the run is its first item."""
    rest = re.split(r"[;:.(]\s|[.]$", match.line.text[run[0].start :], maxsplit=1)[0]
    items = items_of(rest, asked.language)
    return rest if len(items) > 1 and "," in rest and not _NO_LIST.search(rest) else None


def _in_main_clause(match: LineMatch, runs: list[list[Word]]) -> list[list[Word]]:
    """The runs whose clause has the most words of the question."""
    text = match.line.text

    def said(run: list[Word]) -> int:
        start = text.rfind(",", 0, run[0].start)
        end = text.find(",", run[0].start)
        inside = (word for word in match.line.words if start < word.start < (end if end >= 0 else len(text)))
        return sum(match.is_said(word) for word in inside)

    most = max(map(said, runs))
    return [run for run in runs if said(run) == most]


def _runs(match: LineMatch) -> list[list[Word]]:
    """The runs of words between those of the question and the commas, without function words at the edges."""
    runs: list[list[Word]] = [[]]
    before = 0
    for word in match.line.words:
        if match.is_said(word) or _STOP.search(match.line.text[before : word.start]):
            runs.append([])
        if not match.is_said(word):
            runs[-1].append(word)
        before = word.end
    return [trimmed for run in runs if (trimmed := _trimmed(run))]


def _trimmed(run: list[Word]) -> list[Word]:
    kept = [at for at, word in enumerate(run) if word.is_content or word.negation]
    return run[kept[0] : kept[-1] + 1] if kept else []


def _with_focus(asked: ParsedQuestion, match: LineMatch, run: list[Word]) -> list[Word]:
    """The run with the noun that the question asks for, if it follows directly: `the OSPF protocol`."""
    after = next((word for word in match.line.words if word.start > run[-1].end), None)
    joins = after and after.key in asked.focus and match.line.text[run[-1].end : after.start].strip(" -") == ""
    return [*run, after] if after and joins else run


def _open(match: LineMatch, word: Word) -> bool:
    return word.is_content and not match.is_said(word)
