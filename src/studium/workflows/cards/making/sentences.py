"""Sentences of Markdown prose, cut only where one really ends.

"It uses TCP, e.g. port 179. It is slow."  →  "It uses TCP, e.g. port 179. " · "It is slow."
"""

import re

# What may follow the end of a sentence: space, then something that begins one.
_END = re.compile(
    r"[.!?\u2026][\"'\xbb\u201d\u2019)\]*_]*\s+(?=[\"'\xab\u201c\u2018(\[*_]*(?:[^\W\d_a-z\u0430-\u044f\u0451]|\d|`|!\[))"
    r"|[\u3002\uff01\uff1f][\u300d\u300f]?"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(*_])(?:e\.g|i\.e|cf|vs|fig|no|approx|resp|dr|mr|mrs|ms|st|jr"
    r"|\u0442\.\s?\u0435|\u0442\.\s?\u043a|\u043d\u0430\u043f\u0440|\u0441\u043c|\u0440\u0438\u0441|\u0441\u0442\u0440|[^\W\d_])\.$",
    re.IGNORECASE,
)
_LONGEST = 12
_UNBREAKABLE = re.compile(r"`+[^`]*`+|\$[^$\n]+\$|\]\([^)\s]*\)")


def split_sentences(text: str) -> list[str]:
    """The sentences, which joined give the text again; what stands in code or a formula ends none."""
    closed = _UNBREAKABLE.sub(lambda found: "X" * len(found[0]), text)
    parts, start = [], 0
    for end in _END.finditer(closed):
        mark = end.start() + 1
        if closed[end.start()] == "." and _ABBREVIATION.search(closed[max(start, mark - _LONGEST) : mark]):
            continue
        parts.append(text[start : end.end()])
        start = end.end()
    if start < len(text):
        parts.append(text[start:])
    return parts


def first_sentence(text: str) -> str:
    """The first sentence, without the space after it."""
    return next(iter(split_sentences(text)), "").strip()


def leading_sentences(text: str, limit: int) -> str:
    """As many whole sentences from the start as fit."""
    taken = ""
    for sentence in split_sentences(text):
        if len((taken + sentence).rstrip()) > limit:
            break
        taken += sentence
    return taken.rstrip()
