"""The commands of IOS: the table that our routers act on and that explains refused lines, and a tree to parse with.

commands.tsv has one row per command, commonest first: its modes (separated by commas), its syntax, its dialect, and
what our router does (action and target; a row without action is IOS that our router does not have). The syntax is made
of keywords, `<arguments>`, `[optional]` and `{one|other}`; arguments.py has the types of arguments, and `<n:1-255>` is
a number with limits. The dialect is `frr` for what only FRR has, `lab` for what our router takes more freely than IOS
(it is of no use for explaining mistakes), and empty otherwise.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple

from studium.tutor.domain import Mode
from studium.tutor.ios.arguments import ARGUMENT_TYPES, FREE_TEXT_TYPES, argument_kind
from studium.tutor.ios.interface_names import is_interface_type, is_slot

Dialect = Literal["ios", "frr"]
MODES: Final = tuple(mode for mode in Mode if mode is not Mode.UNKNOWN)
_PIECE: Final = re.compile(r"<[^>]+>|[\[\]{}|]|[^\s\[\]{}|<>]+")
_FILTERS: Final = ("include", "exclude", "begin", "section", "count", "redirect", "append", "tee")
_ALSO: Final = {
    Mode.PRIVILEGED_EXEC: (Mode.USER_EXEC,),
    Mode.SUBINTERFACE_CONFIG: (Mode.INTERFACE_CONFIG,),
}
# A prompt does not show the routing protocol, so router configuration has the commands of them all.
NAMES_IN_TABLE: Final = {
    Mode.USER_EXEC: {"user"},
    Mode.PRIVILEGED_EXEC: {"priv"},
    Mode.GLOBAL_CONFIG: {"config"},
    Mode.INTERFACE_CONFIG: {"if"},
    Mode.SUBINTERFACE_CONFIG: {"subif"},
    Mode.ROUTER_CONFIG: {"router", "ospf", "rip", "bgp"},
    Mode.LINE_CONFIG: {"line"},
    Mode.VLAN_CONFIG: {"vlan"},
    Mode.ACL_CONFIG: {"acl"},
    Mode.DHCP_CONFIG: {"dhcp"},
}


class CommandRow(NamedTuple):
    """A row of the command table."""

    modes: frozenset[str]
    syntax: str
    dialect: str
    action: str
    target: str


@cache
def command_table() -> tuple[CommandRow, ...]:
    """All rows of the command table."""
    with files(__package__).joinpath("commands.tsv").open(encoding="utf-8") as table:
        rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(CommandRow(frozenset(row.pop("modes").split(",")), **row) for row in rows)


def expand_syntax(syntax: str) -> list[tuple[str, ...]]:
    """Every command that a syntax stands for."""
    return _alternatives(iter([*_PIECE.findall(syntax), "}"]))


def _alternatives(pieces: Iterator[str]) -> list[tuple[str, ...]]:
    done: list[tuple[str, ...]] = []
    ways: list[tuple[str, ...]] = [()]
    for piece in pieces:
        if piece in "}]":
            break
        if piece == "|":
            done += ways
            ways = [()]
        elif piece in "{[":
            inner = ([()] if piece == "[" else []) + _alternatives(pieces)
            ways = [way + more for way in ways for more in inner]
        else:
            ways = [(*way, piece) for way in ways]
    return done + ways


class VocabularyNode:
    """A node of the tree: what may follow, and whether a command may end here or usually goes on."""

    __slots__ = ("arguments", "end", "goes_on", "keywords")

    def __init__(self) -> None:
        """Start with nothing that may follow."""
        self.keywords: dict[str, VocabularyNode] = {}
        self.arguments: dict[str, VocabularyNode] = {}
        self.end = False
        self.goes_on = False

    def grow(self, words: Iterable[str]) -> None:
        """Add a command below this node."""
        node = self
        for word in words:
            branch, key = (
                (node.arguments, argument_kind(word)) if word.startswith("<") else (node.keywords, word.lower())
            )
            node = branch.setdefault(key, VocabularyNode())
        if not node.end:
            node.end, node.goes_on = True, bool(node.keywords or node.arguments)


@cache
def vocabulary(mode: Mode, dialect: Dialect = "ios") -> VocabularyNode:
    """All commands of a mode; those of global configuration are separate."""
    root = VocabularyNode()
    for each in (mode, *_ALSO.get(mode, ())):
        for words in _commands(each, dialect):
            root.grow(words)
    if mode not in {Mode.USER_EXEC, Mode.PRIVILEGED_EXEC}:
        root.grow(["end"])
        root.grow(["exit"])
    return root


def _commands(mode: Mode, dialect: Dialect) -> Iterator[tuple[str, ...]]:
    for row in command_table():
        if not row.modes & NAMES_IN_TABLE[mode] or row.dialect not in {"", dialect}:
            continue
        for words in expand_syntax(row.syntax):
            # `no` is taken off a line before it is looked up, and FRR has prefixes in place of masks.
            is_no = bool(row.action) and words[0] == "no"
            is_masked = dialect == "frr" and not row.dialect and bool({"<mask>", "<wildcard>"} & set(words))
            if not is_no and (not is_masked or words[0] == "access-list"):
                yield words


@cache
def output_filters() -> VocabularyNode:
    """What may follow the `|` of a show command."""
    root = VocabularyNode()
    for name in _FILTERS:
        root.grow([name, "<line>"])
    return root


class ParseStep(NamedTuple):
    """One step along the tree: the next node, how many words are read then, and the words in full."""

    node: VocabularyNode
    upto: int
    full: tuple[str, ...]


class ParsedWords(NamedTuple):
    """How far a line was understood: the words read, the node in the tree, and the words in full."""

    upto: int
    node: VocabularyNode
    full: tuple[str, ...]


def parse_words(root: VocabularyNode, words: Sequence[str], at: int = 0, full: tuple[str, ...] = ()) -> ParsedWords:
    """Parse as many words as possible, leniently; prefers a complete command to the start of one."""
    best = ParsedWords(at, root, full)
    if at == len(words):
        return best
    for step in next_steps(root, words, at):
        found = parse_words(step.node, words, step.upto, full + step.full)
        if is_complete(found, words):
            return found
        if found.upto > best.upto:
            best = found
    return best


def is_complete(found: ParsedWords, words: Sequence[str]) -> bool:
    """Whether all words were understood and nothing is missing."""
    return found.upto == len(words) and found.node.end


def next_steps(node: VocabularyNode, words: Sequence[str], at: int) -> Iterator[ParseStep]:
    """The ways to read the word at `at`, likeliest first."""
    word = words[at].lower()
    if word in node.keywords:
        yield ParseStep(node.keywords[word], at + 1, (word,))
        return
    if word == "|" and node.end:
        yield ParseStep(output_filters(), at + 1, ("|",))
    plain = [kind for kind in node.arguments if kind not in FREE_TEXT_TYPES]
    for kind in plain:
        yield from _argument_steps(node, kind, words, at)
    for keyword in expand_abbreviation(word, node):
        yield ParseStep(node.keywords[keyword], at + 1, (keyword,))
    for kind in node.arguments:
        if kind in FREE_TEXT_TYPES:
            yield from _argument_steps(node, kind, words, at)


def expand_abbreviation(word: str, node: VocabularyNode) -> list[str]:
    """The keywords that this word may abbreviate."""
    return [keyword for keyword in node.keywords if keyword.startswith(word)]


def _argument_steps(node: VocabularyNode, kind: str, words: Sequence[str], at: int) -> Iterator[ParseStep]:
    word = words[at]
    if kind in {"line", "range"}:
        yield ParseStep(node.arguments[kind], len(words), tuple(words[at:]))
    elif ARGUMENT_TYPES[kind].is_valid(word):
        yield ParseStep(node.arguments[kind], at + 1, (word,))
    elif kind == "if" and is_interface_type(word) and at + 1 < len(words) and is_slot(words[at + 1]):
        yield ParseStep(node.arguments[kind], at + 2, (word, words[at + 1]))
