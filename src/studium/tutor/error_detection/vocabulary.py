"""The vocabulary of each mode: the commands a device knows there, as a tree of keywords and arguments.

The files in grammar/ hold one command a line: keywords, `<arguments>`, `[optional]`, `(one|other)`, commonest first.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final, Literal, NamedTuple

from studium.tutor.domain import Mode
from studium.tutor.error_detection.addresses import is_address

Dialect = Literal["ios", "frr"]
_PIECE: Final = re.compile(r"[\[\](|)]|[^\s\[\](|)]+")
_FILTERS: Final = ("include", "exclude", "begin", "section", "count", "redirect", "append", "tee")
_ALSO: Final = {
    Mode.PRIVILEGED_EXEC: (Mode.USER_EXEC,),
    Mode.SUBINTERFACE_CONFIG: (Mode.INTERFACE_CONFIG,),
}
MODES: Final = tuple(mode for mode in Mode if mode is not Mode.UNKNOWN)


class VocabularyNode:
    """A node of the tree: what may follow, and whether a command may end here or usually goes on."""

    __slots__ = ("arguments", "end", "goes_on", "keywords")

    def __init__(self) -> None:
        """Begin with nothing that may follow."""
        self.keywords: dict[str, VocabularyNode] = {}
        self.arguments: dict[str, VocabularyNode] = {}
        self.end = False
        self.goes_on = False

    def grow(self, words: Iterable[str]) -> None:
        """Let this command be known from here on."""
        node = self
        for word in words:
            branch = node.arguments if word.startswith("<") else node.keywords
            node = branch.setdefault(word.strip("<>"), VocabularyNode())
        if not node.end:
            node.end, node.goes_on = True, bool(node.keywords or node.arguments)


@cache
def vocabulary(mode: Mode, dialect: Dialect = "ios") -> VocabularyNode:
    """Everything that may be typed in a mode (the commands of global configuration are kept apart)."""
    root = VocabularyNode()
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
def output_filters() -> VocabularyNode:
    """What may follow the `|` of a show command."""
    root = VocabularyNode()
    for name in _FILTERS:
        root.grow([name, "<line>"])
    return root


@cache
def _commands(mode: Mode) -> tuple[tuple[str, ...], ...]:
    text = files(__package__).joinpath("grammar", f"{mode.value}.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(words for line in lines for words in expand_syntax(line))


@cache
def _frr_commands(mode: Mode) -> tuple[tuple[str, ...], ...]:
    text = files(__package__).joinpath("grammar", "frr.txt").read_text("utf-8")
    named = (line.partition(": ") for line in text.splitlines() if not line.startswith("#"))
    return tuple(words for name, _, command in named if name == mode for words in expand_syntax(command))


def expand_syntax(line: str) -> list[tuple[str, ...]]:
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


INTERFACE_TYPES: Final = (
    "gigabitethernet", "fastethernet", "ethernet", "serial", "loopback", "vlan", "port-channel", "tunnel",
    "tengigabitethernet", "null", "bvi", "dialer", "multilink", "twogigabitethernet", "fivegigabitethernet",
    "fortygigabitethernet", "hundredgige", "bundle-ether", "management", "async", "bri", "atm", "nve",
)  # fmt: skip
_NUMBERED: Final = re.compile(r"(?i)([a-z][a-z-]*?)(\d+(?:[/.:]\d+)*)")
_LINUX: Final = re.compile(r"lo|(?:eth|ens|enp|eno|veth|br|wlan|bond|dummy|vrf|gre)[\w.@-]*\d|[\w-]+-eth\d+")
_SLOT: Final = r"\d+(?:/\d+){0,3}(?:\.\d+)?"
_VLANS: Final = re.compile(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*,?")
_MAC: Final = re.compile(r"(?i)[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}|[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}")
_HOSTNAME: Final = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?")
_DOTTED: Final = re.compile(r"[\d.]+")
DOTTED_OR_NUMBER: Final = re.compile(r"[0-9A-Fa-f.:/]*[.:/][0-9A-Fa-f.:/]*")
FREE_TEXT_TYPES: Final = frozenset({"word", "line", "hostname", "url"})
_IPV4_BITS: Final = 32
_IPV6_BITS: Final = 128


def is_ipv6(text: str) -> bool:
    """Whether this is an IPv6 address."""
    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return True


def is_mask(text: str) -> bool:
    """Whether this is a dotted mask with all its ones at the left."""
    return is_address(text) and _contiguous(~int(IPv4Address(text)) & 0xFFFFFFFF)


def is_wildcard(text: str) -> bool:
    """Whether this is a dotted wildcard (any address will do as one)."""
    return is_address(text)


def is_prefix(text: str) -> bool:
    """Whether this is `10.0.0.0/24`."""
    address, slash, length = text.partition("/")
    return bool(slash) and is_address(address) and length.isdecimal() and int(length) <= _IPV4_BITS


def is_ipv6_prefix(text: str) -> bool:
    """Whether this is `2001:db8::/64`."""
    address, slash, length = text.partition("/")
    return bool(slash) and is_ipv6(address) and length.isdecimal() and int(length) <= _IPV6_BITS


def is_interface(text: str) -> bool:
    """Whether this names an interface, as `gi0/0`, `Serial0/0/0.10`, `eth1`."""
    if _LINUX.fullmatch(text.lower()):
        return True
    numbered = _NUMBERED.fullmatch(text)
    return bool(numbered) and is_interface_type(numbered[1]) if numbered else False


def is_interface_type(text: str) -> bool:
    """Whether an interface's name may begin like this: `gi`, `fa`, `Serial`."""
    word = text.lower()
    return any(kind.startswith(word) for kind in INTERFACE_TYPES)


def is_slot(text: str) -> bool:
    """Whether this is the number of an interface: `0/0/1`."""
    return re.fullmatch(_SLOT, text) is not None


ARGUMENT_TYPES: Final[dict[str, Callable[[str], object]]] = {
    "ip": is_address,
    "mask": is_mask,
    "wildcard": is_wildcard,
    "prefix": is_prefix,
    "ipv6": is_ipv6,
    "ipv6prefix": is_ipv6_prefix,
    "interface": is_interface,
    "number": str.isdecimal,
    "slash": re.compile(r"/\d{1,2}").fullmatch,
    "area": lambda text: text.isdecimal() or is_address(text),
    "vlans": _VLANS.fullmatch,
    "mac": _MAC.fullmatch,
    "slot": is_slot,
    "time": re.compile(r"\d{1,2}:\d{2}(?::\d{2})?").fullmatch,
    "range": bool,
    "hostname": lambda text: _HOSTNAME.fullmatch(text) and not _DOTTED.fullmatch(text),
    "url": re.compile(r"\w+:\S*").fullmatch,
    "word": bool,
    "line": bool,
}
ARGUMENT_NAMES: Final = {
    "ip": "an IPv4 address",
    "mask": "a subnet mask",
    "wildcard": "a wildcard mask",
    "prefix": "a network as address/length",
    "ipv6": "an IPv6 address",
    "ipv6prefix": "an IPv6 address with its prefix length",
    "interface": "an interface",
    "number": "a number",
    "area": "an area",
    "vlans": "a VLAN number",
    "mac": "a MAC address",
    "range": "a range of interfaces",
    "hostname": "a host",
    "word": "a name",
    "line": "a text",
}


def _contiguous(ones: int) -> bool:
    return ones & (ones + 1) == 0


class ParseStep(NamedTuple):
    """One step along the tree: where it leads, how many words are read then, and the words in full."""

    node: VocabularyNode
    upto: int
    full: tuple[str, ...]


class ParsedWords(NamedTuple):
    """How far a line was understood: the words read, the place in the tree, and the words in full."""

    upto: int
    node: VocabularyNode
    full: tuple[str, ...]


def next_steps(node: VocabularyNode, words: Sequence[str], at: int) -> Iterator[ParseStep]:
    """The ways in which the word at `at` may be understood, the likeliest first."""
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
    """The keywords that this word may be short for."""
    return [keyword for keyword in node.keywords if keyword.startswith(word)]


def parse_words(root: VocabularyNode, words: Sequence[str], at: int = 0, full: tuple[str, ...] = ()) -> ParsedWords:
    """The furthest that the words are understood; a whole command is preferred to a beginning of one."""
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


def _argument_steps(node: VocabularyNode, kind: str, words: Sequence[str], at: int) -> Iterator[ParseStep]:
    word = words[at]
    if kind in {"line", "range"}:
        yield ParseStep(node.arguments[kind], len(words), tuple(words[at:]))
    elif ARGUMENT_TYPES[kind](word):
        yield ParseStep(node.arguments[kind], at + 1, (word,))
    elif kind == "interface" and is_interface_type(word) and at + 1 < len(words) and is_slot(words[at + 1]):
        yield ParseStep(node.arguments[kind], at + 2, (word, words[at + 1]))
