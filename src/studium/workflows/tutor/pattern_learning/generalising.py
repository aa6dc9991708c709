"""From one message to the pattern of all its kind: addresses, interfaces, numbers and names become groups."""

import re
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

_OCTETS: Final = r"\d{1,3}(?:\.\d{1,3}){3}"
_KINDS: Final = {
    "prefix": rf"{_OCTETS}/\d{{1,2}}",
    "address": _OCTETS,
    "mac": r"[\da-fA-F]{4}(?:\.[\da-fA-F]{4}){2}|[\da-fA-F]{2}(?::[\da-fA-F]{2}){5}",
    "ipv6": r"(?:[\da-fA-F]{1,4}:){1,7}:?(?:[\da-fA-F]{1,4}:?){0,7}(?:/\d{1,3})?",
    "interface": r"(?:[A-Z][A-Za-z-]*[a-z]|Gi|Fa|Se|Te|Lo|Po|Vl|eth|lo|ens)\d+(?:/\d+){0,3}(?:\.\d+)?",
    "number": r"\d+",
    "name": r"\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'",
}
_VALUE: Final = re.compile(rf"(?<![\w.])(?:{'|'.join(f'(?P<{kind}>{form})' for kind, form in _KINDS.items())})(?![\w])")
_WORD: Final = r"\S{1,80}?"
_NAMES_OWN: Final = re.compile(r".*[A-Z0-9_].*")


class Piece(NamedTuple):
    """A piece of a message: literal text, or a value with the name of its group."""

    text: str
    group: str = ""
    form: str = ""


def pieces_of(text: str, names: Collection[str] = (), lead: str = "") -> list[Piece]:
    """A message cut into literal text and values; `names` are words that are known to be the student's own."""
    counted: dict[str, int] = {}

    def named(kind: str) -> str:
        counted[kind] = counted.get(kind, 0) + 1
        return lead + kind + (str(counted[kind]) if counted[kind] > 1 else "")

    pieces: list[Piece] = []
    for kind, value in _values(text, names):
        form = _KINDS.get(kind, _WORD)
        pieces.append(Piece(value, named(kind), form) if kind else Piece(value))
    return pieces


def expression(pieces: Collection[Piece]) -> str:
    """The regular expression that finds every message of this kind."""
    return "".join(f"(?P<{piece.group}>{piece.form})" if piece.group else _literal(piece.text) for piece in pieces)


def own_words(command: str) -> list[str]:
    """The words of a command that its student chose: not plain keywords."""
    return [word for word in command.split()[1:] if _NAMES_OWN.fullmatch(word) and not _VALUE.fullmatch(word)]


def _values(text: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    own = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    finder = re.compile(rf"{_VALUE.pattern}|(?<!\S)(?P<word>{own})(?![\w-])") if own else _VALUE
    at = 0
    for found in finder.finditer(text):
        if found.start() > at:
            yield "", text[at : found.start()]
        yield found.lastgroup or "", found[0]
        at = found.end()
    if at < len(text):
        yield "", text[at:]


def _literal(text: str) -> str:
    return re.sub(r"(?:\\?\s)+", r"\\s+", re.escape(text))
