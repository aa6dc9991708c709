"""Cloze cards: deletions in a paragraph or list item, in any notation, rewritten as Anki writes them.

    OSPF floods {{c1::LSAs}} to {{c2::all routers::whom?}}.
    OSPF floods {1:LSAs} to {2|all routers}.
    OSPF floods ==LSAs== to {all routers}. #cloze

Anki's own form and numbered braces always make a card. `==x==`, `{x}` and `{{x}}` do so only if the note or the
paragraph is tagged, since ordinary notes use them too.
"""

import re
from collections.abc import Iterator

from studium.cards.notes.page import FoundCard, NotePage, card_mark, inline_tags
from studium.core.domain.finding import Finding

_CANDIDATE = re.compile(r"\{\{c\d|\{c?\d{1,3}[:|]|==\S|\{\S")
_ANKI = re.compile(r"\{\{c(\d{1,3})::")
_NUMBERED = r"(?<![{$\\])\{c?(?P<number>\d{1,3})[:|](?!:)(?P<numbered>[^{}]+)\}(?!\})"
_BARE = (
    r"|(?<![=<>!])==(?=[^\s=])(?P<highlit>.{1,500}?)(?<![\s=<>!])==(?!=)"
    r"|(?<![{$\\])\{\{(?!c\d+::)(?P<double>[^{}]+)\}\}"
    r"|(?<![{$\\\w])\{(?![{.#%:!\s])(?P<braced>[^{}]*[^{}\s])\}(?!\})"
)
_CLOZE = re.compile(_NUMBERED)
_ANY_CLOZE = re.compile(_NUMBERED + _BARE)
_BULLET = re.compile(r"[ \t]*(?:>[ \t]?)*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?")
_MARK_TAG = re.compile(r"(?<![ \t])[ \t]*(?<!\S)#(?:cloze|card|flashcards?)(?:[/-]\S+)?(?=\s|$)", re.IGNORECASE)


def find_cloze_cards(page: NotePage) -> Iterator[FoundCard | Finding]:
    """Every paragraph or list item with a cloze deletion."""
    index = page.header.body
    while index < len(page.shown):
        line = page.shown[index]
        if ("{" in line or "==" in line) and _CANDIDATE.search(line) and not page.heading_at(index):
            start, end = _unit(page, index)
            yield from _card(page, start, end)
            index = end
        else:
            index += 1


def to_anki_clozes(lines: list[str], shown: list[str], *, bare: bool) -> str:
    """Write every deletion as `{{c1::x}}`; those without a number get the lowest free one."""
    pattern = _ANY_CLOZE if bare else _CLOZE
    used = {int(number) for line in shown for number in _ANKI.findall(line)}
    used |= {int(match["number"]) for line in shown for match in pattern.finditer(line) if match["number"]}
    free = (number for number in range(1, len(used) + sum(map(len, shown)) + 1) if number not in used)
    return "\n".join(_rewritten(line, seen, pattern, free) for line, seen in zip(lines, shown, strict=True))


def _unit(page: NotePage, index: int) -> tuple[int, int]:
    """The paragraph or list item around a line."""
    start, end = index, index + 1
    while not _BULLET.match(page.shown[start]) and start > page.header.body and not page.parts(start - 1):
        start -= 1
    while end < len(page.shown) and not page.parts(end) and not _BULLET.match(page.shown[end]):
        end += 1
    return start, end


def _card(page: NotePage, start: int, end: int) -> Iterator[FoundCard | Finding]:
    shown = list(page.shown[start:end])
    unclosed = [len(_ANKI.findall(line)) - line.count("}}") for line in shown]
    if sum(unclosed) > 0:
        first = next(index for index, lacking in enumerate(unclosed, start) if lacking > 0)
        yield page.finding("unclosed_cloze", first, "This cloze deletion is not closed. Write `}}` after its text.")
        return
    text = to_anki_clozes(list(page.lines[start:end]), shown, bare=_bare_allowed(page, shown))
    if _ANKI.search(text) and any(_ANKI.search(line) or _ANY_CLOZE.search(line) for line in shown):
        bullet = _BULLET.match(text)
        front = _MARK_TAG.sub("", text[bullet.end() if bullet else 0 :])
        yield FoundCard("cloze", "cloze", front.strip(), "", start, end)


def _bare_allowed(page: NotePage, shown: list[str]) -> bool:
    if page.options.bare_clozes != "marked":
        return page.options.bare_clozes == "always"
    return bool(page.header.marks) or any(card_mark(tag) for line in shown if "#" in line for tag in inline_tags(line))


def _rewritten(line: str, shown: str, pattern: re.Pattern[str], free: Iterator[int]) -> str:
    parts, at = [], 0
    for match in pattern.finditer(shown):
        group = str(match.lastgroup)
        number = match["number"] or next(free)
        parts += [line[at : match.start()], f"{{{{c{int(number)}::{line[match.start(group) : match.end(group)]}}}}}"]
        at = match.end()
    return "".join([*parts, line[at:]])
