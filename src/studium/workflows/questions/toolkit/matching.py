"""Where a pattern stands in a text, literally or as a regular expression, in bounded time whatever the pattern is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from time import monotonic
from typing import Any, NamedTuple

from studium.core.text.locate import Span
from studium.workflows.questions.toolkit.folding import fold, folded

MAX_SPANS = 1000
MAX_SECONDS = 0.7
_BLOCK = 65_536
_MAX_STEPS = 3000  # of an expression for RE2, which cannot be stopped within a block
_BEFORE, _BEHIND = 1024, 8192  # what a pattern sees around a block: a match may reach this far beyond it


class InvalidPattern(ValueError):
    """What is wrong with a regular expression."""


@dataclass(frozen=True)
class Matches:
    """The first spans that match; all of them, if the search is `complete`."""

    spans: tuple[Span, ...]
    complete: bool = True


class Window(NamedTuple):
    """A part of a text, where in it to begin, and the seconds that the search may take."""

    text: str
    begin: int
    seconds: float


_Finder = Callable[[Window], Iterator[tuple[int, int]]]


def match_literally(text: str, pattern: str) -> Matches:
    """Where the pattern stands word for word; what lies between its words may be any white space."""
    haystack, needle = folded(text), fold(pattern)
    spans: list[Span] = []
    at = haystack.text.find(needle)
    while at >= 0 and len(spans) < MAX_SPANS:
        spans.append(haystack.span(at, at + len(needle)))
        at = haystack.text.find(needle, at + len(needle))
    if not spans and len(words := needle.split()) > 1:
        return _match_words(text, words)
    return Matches(tuple(spans), complete=at < 0)


def match_regex(text: str, pattern: str) -> Matches:
    """Where the regular expression matches; raises `InvalidPattern` if it is none."""
    return _collect(text, _finder(pattern))


def _match_words(text: str, words: list[str]) -> Matches:
    import re2

    haystack = folded(text)
    if not all(word in haystack.text for word in words):
        return Matches(())
    found = _collect(haystack.text, _finder(r"\s+".join(map(re2.escape, words)), flags=""))
    return Matches(tuple(haystack.span(*span) for span in found.spans), found.complete)


def _collect(text: str, find: _Finder) -> Matches:
    """Search block by block, so that the time and the number of matches can be looked at in between."""
    until = monotonic() + MAX_SECONDS
    spans: list[Span] = []
    start = 0
    try:
        while start < len(text) and len(spans) < MAX_SPANS:
            end = _block_end(text, start)
            found = _begin_within(text, Span(start, end), find, until)
            spans += found
            start = max(end, found[-1].end) if found else end
    except TimeoutError:
        if not spans:
            raise
    return Matches(tuple(spans[:MAX_SPANS]), complete=start >= len(text) and len(spans) <= MAX_SPANS)


def _block_end(text: str, start: int) -> int:
    """Where a block ends: with a line, if lines end at all."""
    line_end = text.find("\n", start + _BLOCK, start + 2 * _BLOCK)
    return min(start + _BLOCK, len(text)) if line_end < 0 else line_end + 1


def _begin_within(text: str, block: Span, find: _Finder, until: float) -> list[Span]:
    """The matches that begin in a block; while one reaches the end of what is looked at, more is looked at."""
    before, size = max(0, block.start - _BEFORE), block.end - block.start + _BEHIND
    while True:
        if monotonic() > until:
            raise TimeoutError
        end = block.start + size
        window = Window(text[before:end], block.start - before, until - monotonic())
        found = [Span(before + first, before + last) for first, last in islice(find(window), MAX_SPANS)]
        within = [span for span in found if span.start < block.end]
        if end >= len(text) or not within or within[-1].end < end:
            return within
        size *= 2


@lru_cache(maxsize=64)
def _finder(pattern: str, flags: str = "(?im)") -> _Finder:
    """RE2 takes no longer for a longer pattern or text than it must, but knows no lookaround and no backreferences."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(f"{flags}(?:{pattern})", options=options)
    except re2.error:
        return _stoppable_finder(pattern)
    if compiled.programsize > _MAX_STEPS:
        return _stoppable_finder(pattern)
    _refuse_what_matches_nothing(compiled.fullmatch(""))
    return lambda window: map(_place, compiled.finditer(window.text, window.begin))


def _stoppable_finder(pattern: str) -> _Finder:
    """A slower engine that knows everything and can be stopped."""
    import regex

    try:
        compiled = regex.compile(pattern, regex.IGNORECASE | regex.MULTILINE)
    except regex.error as error:
        raise InvalidPattern(str(error)) from error
    _refuse_what_matches_nothing(compiled.fullmatch("", timeout=MAX_SECONDS))
    return lambda window: map(
        _place, compiled.finditer(window.text, window.begin, concurrent=True, timeout=max(window.seconds, 0.001))
    )


def _refuse_what_matches_nothing(match: object) -> None:
    if match:
        raise InvalidPattern("it also matches an empty text, and so is found everywhere")


def _place(match: Any) -> tuple[int, int]:
    place: tuple[int, int] = match.span()
    return place
