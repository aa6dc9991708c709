"""Reading a typed line against the vocabulary: how far it is understood, and what could follow."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from studium.workflows.tutor.error_detection.arguments import KINDS, VERBATIM, is_interface_type, is_slot
from studium.workflows.tutor.error_detection.vocabulary import Node, output_filters


class Step(NamedTuple):
    """One step along the tree: where it leads, how many words are read then, and the words in full."""

    node: Node
    upto: int
    full: tuple[str, ...]


class Reached(NamedTuple):
    """How far a line was understood: the words read, the place in the tree, and the words in full."""

    upto: int
    node: Node
    full: tuple[str, ...]


def steps(node: Node, words: Sequence[str], at: int) -> Iterator[Step]:
    """The ways in which the word at `at` may be understood, the likeliest first."""
    word = words[at].lower()
    if word in node.keywords:
        yield Step(node.keywords[word], at + 1, (word,))
        return
    if word == "|" and node.end:
        yield Step(output_filters(), at + 1, ("|",))
    plain = [kind for kind in node.arguments if kind not in VERBATIM]
    for kind in plain:
        yield from _argument(node, kind, words, at)
    for keyword in abbreviated(word, node):
        yield Step(node.keywords[keyword], at + 1, (keyword,))
    for kind in node.arguments:
        if kind in VERBATIM:
            yield from _argument(node, kind, words, at)


def abbreviated(word: str, node: Node) -> list[str]:
    """The keywords that this word may be short for."""
    return [keyword for keyword in node.keywords if keyword.startswith(word)]


def read(root: Node, words: Sequence[str], at: int = 0, full: tuple[str, ...] = ()) -> Reached:
    """The furthest that the words are understood; a whole command is preferred to a beginning of one."""
    best = Reached(at, root, full)
    if at == len(words):
        return best
    for step in steps(root, words, at):
        found = read(step.node, words, step.upto, full + step.full)
        if is_whole(found, words):
            return found
        if found.upto > best.upto:
            best = found
    return best


def is_whole(found: Reached, words: Sequence[str]) -> bool:
    """Whether all words were understood and nothing is missing."""
    return found.upto == len(words) and found.node.end


def _argument(node: Node, kind: str, words: Sequence[str], at: int) -> Iterator[Step]:
    word = words[at]
    if kind in {"line", "range"}:
        yield Step(node.arguments[kind], len(words), tuple(words[at:]))
    elif KINDS[kind](word):
        yield Step(node.arguments[kind], at + 1, (word,))
    elif kind == "interface" and is_interface_type(word) and at + 1 < len(words) and is_slot(words[at + 1]):
        yield Step(node.arguments[kind], at + 2, (word, words[at + 1]))
