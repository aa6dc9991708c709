"""The vocabulary of each mode: the commands a device knows there, as a tree of keywords and arguments.

The files in grammar/ hold one command a line: keywords, `<arguments>`, `[optional]`, `(one|other)`, commonest first.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from studium.domain.lab import Mode

Dialect = Literal["ios", "frr"]
_PIECE: Final = re.compile(r"[\[\](|)]|[^\s\[\](|)]+")
_FILTERS: Final = ("include", "exclude", "begin", "section", "count", "redirect", "append", "tee")
_ALSO: Final = {
    Mode.PRIVILEGED_EXEC: (Mode.USER_EXEC,),
    Mode.SUBINTERFACE_CONFIG: (Mode.INTERFACE_CONFIG,),
}
MODES: Final = tuple(mode for mode in Mode if mode is not Mode.UNKNOWN)


class Node:
    """A place in the tree: what may stand next, whether a command may end here, and whether it usually goes on."""

    __slots__ = ("arguments", "end", "goes_on", "keywords")

    def __init__(self) -> None:
        """Begin with nothing that may follow."""
        self.keywords: dict[str, Node] = {}
        self.arguments: dict[str, Node] = {}
        self.end = False
        self.goes_on = False

    def grow(self, words: Iterable[str]) -> None:
        """Let this command be known from here on."""
        node = self
        for word in words:
            branch = node.arguments if word.startswith("<") else node.keywords
            node = branch.setdefault(word.strip("<>"), Node())
        if not node.end:
            node.end, node.goes_on = True, bool(node.keywords or node.arguments)


@cache
def vocabulary(mode: Mode, dialect: Dialect = "ios") -> Node:
    """Everything that may be typed in a mode (the commands of global configuration are kept apart)."""
    root = Node()
    for name in (mode, *_ALSO.get(mode, ())):
        for words in _commands(name):
            if dialect == "ios" or not {"<mask>", "<wildcard>"} & set(words) or words[0] == "access-list":
                root.grow(words)
        for words in _frr_commands(name) if dialect == "frr" else ():
            root.grow(words)
    if mode not in {Mode.USER_EXEC, Mode.PRIVILEGED_EXEC}:
        root.grow(["end"])
        root.grow(["exit"])
    return root


@cache
def output_filters() -> Node:
    """What may stand after the `|` of a show command."""
    root = Node()
    for name in _FILTERS:
        root.grow([name, "<line>"])
    return root


@cache
def _commands(mode: Mode) -> tuple[tuple[str, ...], ...]:
    text = files(__package__).joinpath("grammar", f"{mode.value}.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(words for line in lines for words in spelled_out(line))


@cache
def _frr_commands(mode: Mode) -> tuple[tuple[str, ...], ...]:
    text = files(__package__).joinpath("grammar", "frr.txt").read_text("utf-8")
    named = (line.partition(": ") for line in text.splitlines() if not line.startswith("#"))
    return tuple(words for name, _, command in named if name == mode for words in spelled_out(command))


def spelled_out(line: str) -> list[tuple[str, ...]]:
    """Every command that a line of the grammar stands for."""
    pieces = iter([*_PIECE.findall(line), ")"])
    return list(_alternatives(pieces))


def _alternatives(pieces: Iterator[str]) -> list[tuple[str, ...]]:
    done: list[tuple[str, ...]] = []
    ways: list[tuple[str, ...]] = [()]
    for piece in pieces:
        if piece in ")]":
            break
        if piece == "|":
            done += ways
            ways = [()]
        elif piece in "([":
            inner = ([()] if piece == "[" else []) + _alternatives(pieces)
            ways = [way + more for way in ways for more in inner]
        else:
            ways = [(*way, piece) for way in ways]
    return done + ways
