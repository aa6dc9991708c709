"""Patterns that come from a user: regular expressions and globs that match in linear time, on RE2.

Lookaround and backreferences, which RE2 does not have, run on an engine that backtracks but stops when its time is up.
Our own patterns stay with `re`; `tests/test_patterns_are_linear.py` checks them.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Protocol

MAX_SECONDS = 0.7
_MAX_STEPS = 3000  # the size of an RE2 program: it takes at most that many steps a character
_MAX_GLOB_STEPS = 100_000  # a path is short


class InvalidPattern(ValueError):
    """A regular expression cannot be used; the message says why."""


class UserPattern(Protocol):
    """A regular expression of a user. Matches are as those of `re`."""

    @property
    def groups(self) -> frozenset[str]:
        """The names of its groups."""

    def search(self, text: str, seconds: float = MAX_SECONDS) -> Any | None:
        """The first match, or None; raises `TimeoutError` if that takes too long."""

    def fullmatch(self, text: str, seconds: float = MAX_SECONDS) -> Any | None:
        """The match of the whole text, or None; raises `TimeoutError` if that takes too long."""

    def finditer(self, text: str, begin: int = 0, seconds: float = MAX_SECONDS) -> Iterator[Any]:
        """All matches from a place on; raises `TimeoutError` if that takes too long."""


@lru_cache(maxsize=512)
def compile_pattern(pattern: str, *, ignore_case: bool = False, multiline: bool = False) -> UserPattern:
    """A pattern that may use everything; raises `InvalidPattern`."""
    try:
        return compile_linear(pattern, ignore_case=ignore_case, multiline=multiline)
    except InvalidPattern:
        return _BacktrackingPattern(pattern, ignore_case=ignore_case, multiline=multiline)


@lru_cache(maxsize=512)
def compile_linear(pattern: str, *, ignore_case: bool = False, multiline: bool = False) -> UserPattern:
    """A pattern without lookaround and backreferences; raises `InvalidPattern`."""
    flags = "i" * ignore_case + "m" * multiline
    return _LinearPattern(f"(?{flags}:{pattern})" if flags else pattern)


def quote(text: str) -> str:
    """The pattern that matches this text and nothing else."""
    return re.escape(text)


class _LinearPattern:
    """A pattern on RE2."""

    def __init__(self, pattern: str, max_steps: int = _MAX_STEPS) -> None:
        import re2

        options = re2.Options()
        options.log_errors = False
        try:
            self._compiled = re2.compile(_encodable(pattern), options=options)
        except re2.error as error:
            raise InvalidPattern(_reason(error)) from error
        if self._compiled.programsize > max_steps:
            raise InvalidPattern("it is too long, or repeats something too often")
        self.groups = frozenset(self._compiled.groupindex)

    def search(self, text: str, seconds: float = MAX_SECONDS) -> Any | None:
        del seconds  # linear
        return self._compiled.search(_encodable(text))

    def fullmatch(self, text: str, seconds: float = MAX_SECONDS) -> Any | None:
        del seconds
        return self._compiled.fullmatch(_encodable(text))

    def finditer(self, text: str, begin: int = 0, seconds: float = MAX_SECONDS) -> Iterator[Any]:
        del seconds
        matches: Iterator[Any] = self._compiled.finditer(_encodable(text), begin)
        return matches


class _BacktrackingPattern:
    """A pattern with a time-out."""

    def __init__(self, pattern: str, *, ignore_case: bool, multiline: bool) -> None:
        import regex

        flags = (regex.IGNORECASE if ignore_case else 0) | (regex.MULTILINE if multiline else 0)
        try:
            self._compiled = regex.compile(pattern, flags)
        except regex.error as error:
            raise InvalidPattern(str(error)) from error
        except RecursionError as error:
            raise InvalidPattern("it is nested too deeply") from error
        self.groups = frozenset(self._compiled.groupindex)

    def search(self, text: str, seconds: float = MAX_SECONDS) -> Any | None:
        return self._compiled.search(text, concurrent=True, timeout=seconds)

    def fullmatch(self, text: str, seconds: float = MAX_SECONDS) -> Any | None:
        return self._compiled.fullmatch(text, concurrent=True, timeout=seconds)

    def finditer(self, text: str, begin: int = 0, seconds: float = MAX_SECONDS) -> Iterator[Any]:
        return self._compiled.finditer(text, begin, concurrent=True, timeout=max(seconds, 0.001))


def _reason(error: Exception) -> str:
    """RE2's reason, which it gives as bytes."""
    given = error.args[0] if error.args else ""
    reason = given.decode("utf-8", "replace") if isinstance(given, bytes) else str(given)
    if "perl operator" in reason or "escape sequence" in reason:
        return f"{reason} (lookaround and backreferences are not supported here)"
    return reason


_SURROGATE = re.compile("[\ud800-\udfff]")


def _encodable(text: str) -> str:
    """The text as RE2 can take it, of the same length: a half of a surrogate pair is no character."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def compile_globs(globs: Iterable[str]) -> Callable[[str], bool]:
    """Whether a path matches one of these globs, from its start or from any folder in it.

    `*` matches everything, folders too; `?` one character, `[abc]` and `[!abc]` one of them, or none of them.
    """
    compiled = [_LinearPattern(f"(?s)(?:.*/)?{_from_glob(glob)}", max_steps=_MAX_GLOB_STEPS) for glob in globs]
    return lambda path: any(pattern.fullmatch(path) for pattern in compiled)


def _from_glob(glob: str) -> str:
    parts: list[str] = []
    at = 0
    while at < len(glob):
        sign, at = glob[at], at + 1
        # A `]` right behind the bracket is one of the characters; a bracket that is never closed is a bracket.
        close = glob.find("]", at + 1 + glob.startswith("!", at)) if sign == "[" else -1
        if close > 0:
            parts.append(_from_class(glob[at:close]))
            at = close + 1
        elif sign == "*":
            parts += [] if parts[-1:] == [".*"] else [".*"]
        else:
            parts.append("." if sign == "?" else quote(sign))
    return "".join(parts)


def _from_class(inside: str) -> str:
    negated, inside = inside.startswith("!"), inside.removeprefix("!")
    characters: list[str] = []
    for first, dash, last in re.findall(r"(?s)(.)(?:(-)(.))?", inside):
        if not dash:
            characters.append(quote(first))
        elif first <= last:
            characters.append(f"{_in_class(first)}-{_in_class(last)}")
    if not characters:
        return "." if negated else r"[^\x00-\x{10FFFF}]"
    return f"[{'^' * negated}{''.join(characters)}]"


def _in_class(sign: str) -> str:
    return quote(sign) if sign.isascii() else sign
