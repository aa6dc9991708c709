"""The commands of each mode as a tree, and the lenient parser that explains refused lines."""

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import Final, Literal, NamedTuple

from studium.tutor.domain import Mode
from studium.tutor.ios.interface_names import is_interface_type, is_slot
from studium.tutor.ios.syntax import (
    ARGUMENT_TYPES,
    FREE_TEXT_TYPES,
    CommandRow,
    SyntaxState,
    argument_kind,
    command_table,
    number_limits,
    parse_syntax,
)

Dialect = Literal["ios", "frr"]
MODES: Final = tuple(mode for mode in Mode if mode is not Mode.UNKNOWN)
_FILTERS: Final = "{include|exclude|begin|section|count|redirect|append|tee} <line>"
_MASKS: Final = frozenset({"<mask>", "<wildcard>"})
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
    Mode.ACL_CONFIG: {"std", "ext"},
    Mode.DHCP_CONFIG: {"dhcp"},
}


class VocabularyNode:
    """A node of the tree: what may follow, and whether a command may end here or usually continues.

    It holds the states that the rows of the table reach by the same words; its branches are built on first use.
    """

    def __init__(self, states: tuple[SyntaxState, ...]) -> None:
        """Take the states, those of the commonest commands first."""
        ends = [state.end for state in states]
        self._states = states
        self.end = any(ends)
        self.goes_on = self.end and any(state.branches for state in states[: ends.index(True)])

    @cached_property
    def keywords(self) -> dict[str, "VocabularyNode"]:
        """The keywords that may follow."""
        return self._children(is_argument=False)

    @cached_property
    def arguments(self) -> dict[str, "VocabularyNode"]:
        """The types of arguments that may follow."""
        return self._children(is_argument=True)

    @cached_property
    def limits(self) -> str:
        """The limits of the number that may follow, such as `1-99,1300-1999`; empty if there are none."""
        limits = (number_limits(part) for state in self._states for part, _ in state.branches)
        return ",".join(dict.fromkeys(each for each in limits if each))

    def _children(self, *, is_argument: bool) -> dict[str, "VocabularyNode"]:
        after: dict[str, list[SyntaxState]] = {}
        for state in self._states:
            for part, following in state.branches:
                if part.startswith("<") == is_argument:
                    after.setdefault(argument_kind(part) if is_argument else part.lower(), []).append(following)
        return {key: _node(tuple(states)) for key, states in after.items()}


@cache
def _node(states: tuple[SyntaxState, ...]) -> VocabularyNode:
    return VocabularyNode(states)


@cache
def vocabulary(mode: Mode, dialect: Dialect = "ios") -> VocabularyNode:
    """All commands of a mode; those of global configuration are separate."""
    states = [state for each in (mode, *_ALSO.get(mode, ())) for state in _states(each, dialect)]
    if mode not in {Mode.USER_EXEC, Mode.PRIVILEGED_EXEC}:
        states.append(parse_syntax("{end|exit}"))
    return VocabularyNode(tuple(states))


def _states(mode: Mode, dialect: Dialect) -> Iterator[SyntaxState]:
    for row in command_table():
        if row.modes & NAMES_IN_TABLE[mode] and row.dialect in {"", dialect}:
            state = parse_syntax(row.syntax, _excluded(row, dialect))
            # `no` is taken off a line before it is looked up
            kept = tuple(branch for branch in state.branches if branch[0] != "no" or not row.action)
            if kept:
                yield SyntaxState(kept, state.end)


def _excluded(row: CommandRow, dialect: Dialect) -> frozenset[str]:
    """FRR has prefixes in place of masks, except in access lists."""
    is_masked = dialect == "frr" and not row.dialect and not row.syntax.startswith("access-list")
    return _MASKS if is_masked else frozenset()


@cache
def output_filters() -> VocabularyNode:
    """What may follow the `|` of a show command."""
    return VocabularyNode((parse_syntax(_FILTERS),))


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
