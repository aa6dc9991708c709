"""The marks around a quote that are the reader's, not the book's."""

import re

_PAIRS = {"“": "”", "„": "“”", "«": "»", "»": "«", '"': '"', "「": "」", "『": "』"}
_EMPHASIS = ("***", "**", "==", "*", "_")
_HARD_BREAK = re.compile(r"(?: {2,}|\\|<br ?/?>)$")
_CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")


def unwrapped(text: str) -> str:
    """A quote without the quotation marks or the emphasis that stand around all of it."""
    while (inner := _inner(text)) is not None:
        text = inner
    return text


def joined(lines: list[str]) -> str:
    """The lines of a paragraph as one; a line broken on purpose stays broken."""
    text = ""
    for line in lines:
        broken = _HARD_BREAK.search(line, max(0, len(line) - len("<br />")))
        bare = (line[: broken.start()] if broken else line).strip()
        text += bare + ("\n" if broken else "" if _CJK.match(bare[-1:]) else " ")
    return text.strip()


def _inner(text: str) -> str | None:
    text = text.strip()
    closing = _PAIRS.get(text[:1])
    if closing and text[1:-1] and text[-1] in closing and not any(mark in text[1:-1] for mark in text[0] + closing):
        return text[1:-1].strip()
    for mark in _EMPHASIS:
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            inner = text[len(mark) : -len(mark)]
            return None if mark[0] in inner else inner.strip()
    return None
