"""Cards whose question and answer have headings of their own, in one language or several.

    # Question (EN)                 # Вопрос (RU)
    > What does OSPF flood?         > Что рассылает OSPF?

    ## Answer (EN)                  ## Ответ (RU)
    Link-state advertisements.      Состояния каналов.

Both layouts are read: question and answer by language, or all questions first. The headings may be English, Cyrillic or
transliterated, with or without the language, at any level. References and related questions are not part of an answer.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from studium.cards.notes.line_syntaxes import has_separator
from studium.cards.notes.page import FoundCard, Heading, NotePage, SkippedLines, dedented, spans, unquoted
from studium.core.domain.finding import Finding

_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+")
_BOLD = re.compile(r"(\*\*|__)(?P<question>.+?)\1[ \t]*+[:–—-]?[ \t]*+(?P<answer>.*)", re.DOTALL)
_ASKS = ("?", "？", "?**", "?__")


def find_follow_up_cards(page: NotePage, heading: Heading, end: int, language: str | None) -> Iterator[FoundCard]:
    """The cards of a section of follow-up questions."""
    below = [at for at in page.headings if heading.at < at < end]
    for at, following in spans(below, end):
        if answer := page.text(at + 1, following):
            last = page.last_text(at, following)
            yield FoundCard("basic", "follow_ups", page.headings[at].title, answer, at, last, language=language)
    yield from _items(page, heading.at + 1, below[0] if below else end, language)


def _items(page: NotePage, start: int, end: int, language: str | None) -> Iterator[FoundCard]:
    outer = [index for index in range(start, end) if (match := _ITEM.match(page.shown[index])) and not match["indent"]]
    for index, following in spans(outer, end):
        last = page.last_text(index, following)
        question, answer = _split_question(page, index, last)
        if question and answer and not has_separator(page.shown[index]):
            yield FoundCard("basic", "follow_ups", question, answer, index, last, language=language)


def _split_question(page: NotePage, index: int, end: int) -> tuple[str, str]:
    """The question of a list item, and its answer after it on the same line or indented below it."""
    first = _without_mark(page.lines[index])
    below = dedented(page.lines[index + 1 : end])
    if match := _BOLD.fullmatch(first):
        return match["question"].strip(), f"{match['answer']}\n{below}".strip()
    return (first, below) if first.endswith(_ASKS) else ("", "")


def _without_mark(line: str) -> str:
    mark = _ITEM.match(line)
    return line[mark.end() if mark else 0 :].strip()


_ROLES = {
    "question": ("question", None),
    "вопрос": ("question", "ru"),
    "vopros": ("question", "ru"),
    "питання": ("question", "uk"),
    "answer": ("answer", None),
    "ответ": ("answer", "ru"),
    "otvet": ("answer", "ru"),
    "відповідь": ("answer", "uk"),
}
_OTHER_ROLES = (
    ("follow_ups", re.compile(r"follow[ -]?ups?(?: questions)?|дополнительные вопросы|dopolnitel'?n\w+ voprosy")),
    (
        "aside",
        re.compile(
            r"references|related(?: questions| notes)?|see also|further reading|sources|ссылки|источники|ssylki|"
            r"связанные вопросы|svyaz\w+ voprosy|смотрите также|prerequisites"
        ),
    ),
)
_HINT = re.compile(
    r"quest|answer|вопрос|ответ|vopros|otvet|питан|відпов|follow|referen|related|see also|reading|source|"
    r"ссылк|источн|ssylk|смотрит|prereq"
)
_TITLE = re.compile(
    r"(?P<word>[^\W\d_]+)(?:[ \t]*(?P<number>\d{1,3}))?(?:[ \t]*[(\[](?P<language>[a-z]{2,3})(?:-\w+)?[)\]])?"
    r"[*_]*(?:[ \t]*[:.–—-][*_]*[ \t]*(?P<rest>.*))?"
)
_TAIL = re.compile(r"[ \t]*[(\[](?P<language>[a-z]{2,3})(?:-\w+)?[)\]]$")
_MAX_TITLE = 500
_ASIDE_LEVEL = 2


class _HeadingPart(NamedTuple):
    """A section with a role (question, answer, follow-ups, aside): its heading, language and lines."""

    role: str
    heading: Heading
    language: str | None
    rest: str
    start: int
    end: int


def find_heading_cards(page: NotePage) -> Iterator[FoundCard | Finding | SkippedLines]:
    """Every question with the answer in its language, and follow-up questions with answers."""
    parts = list(_parts(page))
    if not any(part.role in ("question", "answer") for part in parts):
        return
    pairs, findings = _paired(page, _in_languages(page, parts))
    yield from findings
    yield from _cards(page, pairs)
    for part in parts:
        if part.role == "follow_ups":
            yield from find_follow_up_cards(page, part.heading, part.end, part.language)
        elif part.role == "aside":
            yield SkippedLines(part.start, part.end)


def _parts(page: NotePage) -> Iterator[_HeadingPart]:
    roles = _roles(page)
    for at, (role, language, rest) in roles.items():
        heading = page.headings[at]
        yield _HeadingPart(role, heading, language, rest, at + 1, _end(page, heading, roles))


def _roles(page: NotePage) -> dict[int, tuple[str, str | None, str]]:
    """The headings with a role; `### Sources` deep inside an answer is an ordinary heading."""
    found: dict[int, tuple[str, str | None, str]] = {}
    level = _ASIDE_LEVEL
    for at, heading in page.headings.items():
        role = _role(heading.title)
        if role and role[0] in ("question", "answer"):
            level = max(heading.level, _ASIDE_LEVEL)
            found[at] = role
        elif role and heading.level <= level:
            found[at] = role
    return found


def _role(title: str) -> tuple[str, str | None, str] | None:
    """The role of a heading, its language, and the text after its colon."""
    folded = title[:_MAX_TITLE].casefold().strip("*_ \t:")
    if not _HINT.search(folded):
        return None
    if (match := _TITLE.fullmatch(folded)) and match["word"] in _ROLES:
        role, language = _ROLES[match["word"]]
        rest = title.strip("*_ \t")[match.start("rest") :].strip() if match["rest"] else ""
        return role, match["language"] or language, rest
    tail = _TAIL.search(folded)
    words = folded[: tail.start()] if tail else folded
    found = next((role for role, names in _OTHER_ROLES if names.fullmatch(words.strip("*_ \t:"))), None)
    return (found, tail["language"] if tail else None, "") if found else None


def _end(page: NotePage, heading: Heading, roles: dict[int, tuple[str, str | None, str]]) -> int:
    """The end of a section: the next heading with a role or of a higher level.

    A heading of the same level ends it too, unless the section is empty: `## Answer`, then `## In short`.
    """
    asking = roles[heading.at][0] != "follow_ups"
    at = bisect_right(page.heading_places, heading.at)
    bare: bool | None = None
    for index in islice(page.heading_places, at, None):
        level = page.headings[index].level
        bare = not page.text(heading.at + 1, index) if bare is None else bare
        sibling = level == heading.level and not (bare and roles[heading.at][0] == "answer")
        if level < heading.level or sibling or (index in roles and (asking or level <= heading.level)):
            return index
    return len(page.shown)


def _in_languages(page: NotePage, parts: list[_HeadingPart]) -> list[_HeadingPart]:
    """Set the language of headings without one: English if there are other languages, else the note's only one."""
    listed = page.header.values.get("language_tags")
    only = str(listed[0]) if isinstance(listed, list) and len(listed) == 1 else None
    several = any(part.language not in (None, "en") for part in parts if part.role == "question")
    assumed = "en" if several else only
    return [part._replace(language=part.language or assumed) for part in parts]


def _paired(page: NotePage, parts: list[_HeadingPart]) -> tuple[list[tuple[_HeadingPart, _HeadingPart]], list[Finding]]:
    waiting: list[_HeadingPart] = []
    pairs: list[tuple[_HeadingPart, _HeadingPart]] = []
    findings: list[Finding] = []
    for part in parts:
        if part.role == "question":
            waiting.append(part)
        elif part.role == "answer":
            question = next((each for each in waiting if each.language == part.language), None)
            question = question or next((each for each in waiting if not (each.language and part.language)), None)
            if question:
                waiting.remove(question)
                pairs.append((question, part))
            else:
                message = "This answer has no question. Write one under a heading `# Question` above it."
                findings.append(page.finding("answer_without_question", part.heading.at, message))
    message = "This question has no answer. Write one under a heading `## Answer` below it."
    findings += [page.finding("question_without_answer", each.heading.at, message) for each in waiting]
    return sorted(pairs, key=lambda pair: pair[0].start), findings


def _cards(page: NotePage, pairs: list[tuple[_HeadingPart, _HeadingPart]]) -> Iterator[FoundCard | Finding]:
    languages = {question.language for question, _ in pairs}
    seen: dict[str | None, int] = {}
    for question, answer in pairs:
        seen[question.language] = seen.get(question.language, 0) + 1
        pair = str(seen[question.language]) if len(languages) > 1 else ""
        front, start = _question(page, question)
        back, end = _answer(page, answer)
        if front and back:
            yield FoundCard(
                "basic", "headings", front, back, start, end, tail=answer.start, language=question.language, pair=pair
            )
        else:
            empty, code = (answer, "question_without_answer") if front else (question, "answer_without_question")
            message = "This heading has no text. Write it below."
            yield page.finding(code, empty.heading.at, message)


def _question(page: NotePage, part: _HeadingPart) -> tuple[str, int]:
    """The text of the question and its first line."""
    end = _without_rules(page, part.start, part.end)
    below = unquoted(page.text(part.start, end))
    if part.rest:
        return f"{part.rest}\n\n{below}".strip(), part.heading.at
    return below, page.first_text(part.start, end)


def _answer(page: NotePage, part: _HeadingPart) -> tuple[str, int]:
    end = _without_rules(page, part.start, part.end)
    below = page.text(part.start, end)
    return f"{part.rest}\n\n{below}".strip(), max(end, part.start)


def _without_rules(page: NotePage, start: int, end: int) -> int:
    """The end of a section without trailing rules and empty lines."""
    while end > start and (page.blank(end - 1) or page.rule(end - 1)):
        end -= 1
    return end
