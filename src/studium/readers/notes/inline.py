"""Cards on one line: `Question::Answer`, and `Term:::Definition` for both directions."""

import ipaddress
import re
from collections.abc import Iterator

from studium.core.domain.finding import Finding
from studium.readers.notes.page import Draft, NotePage

_SEPARATOR = re.compile(r"(?<!:):::?(?!:)")
_LEAD = re.compile(r"[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?)?")
_CARD_TAG = re.compile(r"(?<![ \t])[ \t]*(?<!\S)#(?:card|flashcards?)(?:[/-]\w+)?(?=\s|$)", re.IGNORECASE)
_NAMESPACE = re.compile(r"(?:std|boost|self|Self|crate|super|core|alloc|absl|fmt|Qt)$")
_CALL = re.compile(r"~?\w+(?:[(<{!;]|::)")
_PATH = re.compile(r"\w::\w+$")
_HEX = re.compile(r"[0-9A-Fa-f:./%]*(?!\w)")
_FIELD_NAME = re.compile(r"[\w-]+$")


def find_cards(page: NotePage) -> Iterator[Draft | Finding]:
    """Every line with a separator and text on both sides of it."""
    for index, shown in enumerate(page.shown):
        if "::" in shown and not shown.lstrip().startswith("|"):
            at = _separator(shown, marked=bool(page.header.marks))
            if at:
                yield from _card(page, index, at)


def has_separator(shown: str) -> bool:
    """Whether a line holds a card of this kind."""
    return "::" in shown and _separator(shown, marked=False) is not None


def _card(page: NotePage, index: int, at: re.Match[str]) -> Iterator[Draft | Finding]:
    line = page.lines[index]
    lead = _LEAD.match(line)
    front = line[lead.end() if lead else 0 : at.start()].strip()
    back = _CARD_TAG.sub("", line[at.end() :]).strip()
    if front and back:
        yield Draft("reversed" if at[0] == ":::" else "basic", "inline", front, back, index, index + 1)
    elif front.endswith(("?", "？")):
        message = "This question has no answer. Write the answer behind the `::`."
        yield page.finding("question_without_answer", index, message)


def _separator(shown: str, *, marked: bool) -> re.Match[str] | None:
    """The first `::` that parts a question from its answer, and is not code, an address or a field."""
    lead = _LEAD.match(shown)
    start = lead.end() if lead else 0
    for match in _SEPARATOR.finditer(shown, start):
        left, right = shown[start : match.start()], shown[match.end() :]
        in_braces = left.count("{") > left.count("}")
        if left.strip() and not in_braces and not _is_code(left, right) and not _is_address(left, right):
            return match if marked or not _is_field(left, right) else None
    return None


def _is_code(left: str, right: str) -> bool:
    """`std::vector`, `Foo::bar()`, `a::b::c`: names, and no space on either side."""
    joined = left[-1:].isidentifier() and right[:1].isidentifier()
    return bool(_NAMESPACE.search(left) or (joined and (_CALL.match(right) or _PATH.search(left))))


def _is_address(left: str, right: str) -> bool:
    """An IPv6 address such as `fe80::1/64`; the sign before it may be a bracket."""
    before = left.rsplit(None, 1)[-1].lstrip("([") if left[-1:].strip() else ""
    if not _HEX.fullmatch(before):
        return False
    following = _HEX.match(right)
    after = following[0].rstrip(".:") if following else ""
    address = f"{before}::{after}".partition("/")[0].partition("%")[0]
    if not any(char.isdigit() for char in address):
        return False
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        return False
    return True


def _is_field(left: str, right: str) -> bool:
    """Dataview's `due:: 2026-01-01` and `[rating:: 5]`: one bare word, and a space only after the colons."""
    if left.lstrip().startswith(("[", "(")) and right.rstrip().endswith(("]", ")")) and "]" not in left:
        return True
    return _FIELD_NAME.match(left.strip("*_ \t")) is not None and left[-1:].strip() != "" and right[:1] in (" ", "\t")
