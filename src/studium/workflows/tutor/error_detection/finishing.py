"""What a command still lacks, and what a word that is too short may stand for."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from studium.workflows.tutor.error_detection.arguments import SPOKEN
from studium.workflows.tutor.error_detection.reading import abbreviated, is_whole, read, steps
from studium.workflows.tutor.error_detection.vocabulary import Node

_USUAL: Final = {"mask": "255.255.255.0", "wildcard": "0.0.0.255", "area": "0"}
_CHOICES: Final = 6


class Continuation(NamedTuple):
    """What must follow, said in words, and as words to type where there is a usual choice."""

    spoken: str
    words: tuple[str, ...]


class Ambiguity(NamedTuple):
    """A word that may stand for several keywords, these in words, and the whole line with the likeliest of them."""

    word: str
    spoken: str
    chosen: tuple[str, ...]


def continuation(node: Node, words: Sequence[str]) -> Continuation:
    """What a command that was broken off here must go on with."""
    arguments = [SPOKEN.get(kind, kind) for kind in node.arguments]
    keywords = [f"`{keyword}`" for keyword in node.keywords]
    choices = [*arguments, *keywords]
    spoken = " or ".join(choices[:_CHOICES]) + (" …" if len(choices) > _CHOICES else "")
    return Continuation(spoken or "nothing", _usual(node, words))


def ambiguity(root: Node, words: Sequence[str]) -> Ambiguity | None:
    """The first word of the line that may stand for several keywords."""
    node, full = root, list(words)
    for at, word in enumerate(words):
        candidates = [] if word.lower() in node.keywords else abbreviated(word.lower(), node)
        if len(candidates) > 1:
            chosen = _likeliest(node, candidates, words, at)
            spoken = ", ".join(f"`{candidate}`" for candidate in candidates)
            return Ambiguity(word, spoken, (*full[:at], *chosen))
        step = next(steps(node, words, at), None)
        if step is None:
            return None
        node = step.node
        full[at : at + 1] = step.full[:1]
    return None


def _likeliest(node: Node, candidates: Sequence[str], words: Sequence[str], at: int) -> tuple[str, ...]:
    rest = words[at + 1 :]
    for candidate in candidates:
        found = read(node.keywords[candidate], rest)
        if is_whole(found, rest):
            return (candidate, *found.full)
    return (candidates[0], *rest)


def _usual(node: Node, words: Sequence[str]) -> tuple[str, ...]:
    typed: list[str] = []
    while not (node.end and typed and not node.goes_on):
        kind = next((kind for kind in node.arguments if kind in _USUAL), None)
        only = next(iter(node.keywords)) if len(node.keywords) == 1 and not node.arguments else None
        if kind:
            typed.append(_USUAL[kind])
            node = node.arguments[kind]
        elif only and len(words) > 1:
            typed.append(only)
            node = node.keywords[only]
        else:
            return ()
    return tuple(typed)
