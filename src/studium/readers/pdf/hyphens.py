"""Words that were broken at the end of a line become whole again."""

import re
from collections.abc import Sequence

HYPHENS = "-\u2010\u00ad"
_OPEN = re.compile(rf"(?P<before>[^\W_][\w'’-]*)[{HYPHENS}]$")
_REST = re.compile(r"\w[\w'’-]*[^\s\w]*")
# Compounds with these are written with their hyphen.
_KEEPING = frozenset(
    ("all", "cross", "ex", "half", "high", "long", "low", "mid", "non", "quasi", "self", "semi", "short", "so", "well")
)


def join(line: str, following: str, known: Sequence[str]) -> tuple[str, str]:
    """Two lines with the word between them made whole on the first; `known` are texts that may hold it elsewhere."""
    opened, rest = _OPEN.search(line), _REST.match(following)
    if not opened or not rest:
        return line, following
    before, after = opened["before"], re.match(r"[\w'’-]+", rest[0])
    glue = "-" if _keeps_hyphen(before, after[0] if after else "", known) else ""
    return line[: opened.end("before")] + glue + rest[0], following[rest.end() :].lstrip()


def _keeps_hyphen(before: str, after: str, known: Sequence[str]) -> bool:
    """Whether the hyphen belongs to the word: as it stands elsewhere, else by what such words look like."""
    if any(before + after in text for text in known):
        return False
    if any(f"{before}-{after}" in text for text in known) or not (before[-1].isalpha() and after[:1].islower()):
        return True
    *earlier, last = before.lower().split("-")
    # `state-of-the-art` and `three-year-old`, but not `self-ref-erential`: that is no word.
    return last in _KEEPING or len(earlier) > 1 or (bool(earlier) and _stands_alone(after, known))


def _stands_alone(word: str, known: Sequence[str]) -> bool:
    return any(re.search(rf" {re.escape(word)}\b", text) for text in known)
