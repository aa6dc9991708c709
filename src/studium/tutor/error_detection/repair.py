"""Repair a line: find the cheapest corrections that make it a command of a mode."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from studium.tutor.error_detection.template_functions import dotted_mask, mask_length, nearest_mask, wildcard
from studium.tutor.ios.addresses import is_address, is_address6, is_mask, is_prefix, is_prefix6
from studium.tutor.ios.interface_names import interface_types, is_slot
from studium.tutor.ios.vocabulary import VocabularyNode, next_steps, parse_words

_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SHORTEST, _LONGEST = 3, 32
_STRANGE_LETTERS: Final = 2
_SLIP, _SWAP, _DOUBLED, _OTHER = 0.7, 0.6, 0.6, 1.0


def _neighbours() -> frozenset[tuple[str, str]]:
    places = {letter: (row, column + row * 0.5) for row, keys in enumerate(_ROWS) for column, letter in enumerate(keys)}
    return frozenset(
        (a, b)
        for a, (row, column) in places.items()
        for b, (other_row, other_column) in places.items()
        if a != b and abs(row - other_row) <= 1 and abs(column - other_column) <= 1
    )


_NEIGHBOURS: Final = _neighbours()


@lru_cache(maxsize=65536)
def typo_distance(typed: str, meant: str) -> float:
    """The weighted edit distance between two words."""
    before: list[float] = []
    row = [float(column) for column in range(len(meant) + 1)]
    for i, a in enumerate(typed, 1):
        above, older, row = row, before, [i * _OTHER]
        before = above
        for j, b in enumerate(meant, 1):
            best = min(
                above[j - 1] + (0.0 if a == b else _SLIP if (a, b) in _NEIGHBOURS else _OTHER),
                above[j] + (_DOUBLED if i > 1 and typed[i - 2] == a else _OTHER),
                row[j - 1] + (_DOUBLED if j > 1 and meant[j - 2] == b else _OTHER),
            )
            if i > 1 and j > 1 and a == meant[j - 2] and typed[i - 2] == b:
                best = min(best, older[j - 2] + _SWAP)
            row.append(best)
    return row[-1]


def max_typo_distance(word: str) -> float:
    """The highest distance at which a word of this length is still recognised."""
    return min(2.6, 0.4 + 0.3 * len(word)) if _SHORTEST <= len(word) <= _LONGEST else 0.0


def nearest_keywords(typed: str, keywords: Iterable[str], most: int = 3) -> list[tuple[float, str]]:
    """The nearest keywords, also for misspelled abbreviations."""
    limit = max_typo_distance(typed)
    if not limit:
        return []
    letters = set(typed)
    found: list[tuple[float, str]] = []
    for keyword in keywords:
        if len(letters - set(keyword)) > _STRANGE_LETTERS or len(keyword) < _SHORTEST - 1:
            continue
        weight = _weight(typed, keyword)
        if weight <= limit:
            found.append((weight, keyword))
    return sorted(found, key=lambda pair: pair[0])[:most]


def _weight(typed: str, keyword: str) -> float:
    if len(keyword) <= len(typed) + 2:
        whole = typo_distance(typed, keyword)
        if len(keyword) <= len(typed) + 1:
            return whole
    else:
        whole = 9.0
    short = min(typo_distance(typed, keyword[: len(typed) + more]) for more in (-1, 0, 1))
    return min(whole, short + 0.5)


EditKind = Literal["misspelled", "missing", "extra", "cidr", "cidr_required", "mask", "ipv6_prefix", "argument"]
BUDGET: Final = 2.7
_MOST_EDITS: Final = 3
_UNFINISHED: Final = 1.0
_AGAINST_CARET: Final = 0.9
_ARGUMENT, _SPACE, _KEYWORD, _REST = 0.3, 0.8, 1.2, 2.5
_TELLING: Final = 2
_FEW: Final = 8


class Edit(NamedTuple):
    """One correction: of which words, and what they become."""

    kind: EditKind
    at: int
    typed: str
    meant: str


class RepairedLine(NamedTuple):
    """A corrected line in its typed abbreviations, its cost, and whether it is now complete."""

    cost: float
    words: tuple[str, ...]
    edits: tuple[Edit, ...]
    whole: bool


class _Move(NamedTuple):
    cost: float
    node: VocabularyNode
    upto: int
    edit: Edit


def repair(
    root: VocabularyNode, words: Sequence[str], caret: int | None = None, limit: float = BUDGET
) -> RepairedLine | None:
    """The cheapest repair of a line, or None; `caret` is the word the device pointed at."""
    search = _Search(words, caret, parse_words(root, words).upto, limit)
    search.go_on(root, 0, RepairedLine(0.0, (), (), whole=False))
    return search.best


class _Search:
    def __init__(self, words: Sequence[str], caret: int | None, reached: int, limit: float) -> None:
        self.words = words
        self.caret = caret
        self.first_edit = max(0, min(reached, len(words) if caret is None else caret) - 1)
        self.limit = limit
        self.best: RepairedLine | None = None

    def go_on(self, node: VocabularyNode, at: int, done: RepairedLine) -> None:
        if done.cost >= self.limit:
            return
        if at == len(self.words):
            self._keep(done, node)
            return
        for step in next_steps(node, self.words, at):
            cost = _AGAINST_CARET if at == self.caret and not done.edits else 0.0
            kept = (*done.words, *self.words[at : step.upto])
            self.go_on(step.node, step.upto, done._replace(cost=done.cost + cost, words=kept))
        if len(done.edits) < _MOST_EDITS and at >= self.first_edit:
            cost = done.cost + self._against_caret(at, done)
            for move in candidate_edits(node, self.words, at, self.limit - cost):
                words = (*done.words, *move.edit.meant.split())
                edits = (*done.edits, move.edit)
                self.go_on(move.node, move.upto, RepairedLine(cost + move.cost, words, edits, whole=False))

    def _against_caret(self, at: int, done: RepairedLine) -> float:
        if self.caret is None or done.edits or at == self.caret:
            return 0.0
        return _AGAINST_CARET if at < self.caret else _AGAINST_CARET / 2

    def _keep(self, done: RepairedLine, node: VocabularyNode) -> None:
        cost = done.cost + (0.0 if node.end else _UNFINISHED)
        if done.edits and cost < self.limit:
            self.limit = cost
            self.best = done._replace(cost=cost, whole=node.end)


def candidate_edits(node: VocabularyNode, words: Sequence[str], at: int, spare: float) -> Iterator[_Move]:
    """The corrections at this word that cost less than `spare`, cheap kinds first."""
    if spare > _ARGUMENT:
        yield from _addresses(node, words, at)
        yield from _spelling(node, words, at)
    if spare > _SPACE:
        yield from _spacing(node, words, at)
    if spare > _KEYWORD:
        yield from _left_out(node, words, at)
    if spare > _REST and node.end:
        yield _Move(_REST, node, len(words), Edit("extra", at, " ".join(words[at:]), ""))


def _spelling(node: VocabularyNode, words: Sequence[str], at: int) -> Iterator[_Move]:
    word = words[at].lower()
    for weight, keyword in nearest_keywords(word, node.keywords):
        yield _Move(weight, node.keywords[keyword], at + 1, Edit("misspelled", at, words[at], keyword))
    if "if" in node.arguments:
        yield from _interface(node.arguments["if"], words, at)


def _interface(then: VocabularyNode, words: Sequence[str], at: int) -> Iterator[_Move]:
    word = words[at]
    name = word.rstrip("0123456789/.:")
    number = word[len(name) :]
    apart = not number and at + 1 < len(words) and is_slot(words[at + 1])
    if not number and not apart:
        return
    full_names = {kind.lower(): kind for kind in interface_types()}
    for weight, kind in nearest_keywords(name.lower(), full_names, most=1):
        spelled = kind if name.islower() else full_names[kind]
        meant = f"{spelled} {words[at + 1]}" if apart else spelled + number
        upto = at + 2 if apart else at + 1
        yield _Move(weight + 0.1, then, upto, Edit("misspelled", at, " ".join(words[at:upto]), meant))


def _spacing(node: VocabularyNode, words: Sequence[str], at: int) -> Iterator[_Move]:
    word = words[at].lower()
    if at + 1 < len(words) and (joined := word + words[at + 1].lower()) in node.keywords:
        typed = f"{words[at]} {words[at + 1]}"
        yield _Move(_SPACE, node.keywords[joined], at + 2, Edit("misspelled", at, typed, joined))
    if at == 0 and word.startswith("no") and word[2:] in node.keywords:
        yield _Move(_SPACE, node.keywords[word[2:]], 1, Edit("misspelled", 0, words[0], f"no {word[2:]}"))
    for keyword, then in node.keywords.items():
        rest = words[at][len(keyword) :]
        if rest and len(keyword) > 1 and word.startswith(keyword):
            for step in next_steps(then, [rest], 0):
                if rest.lower() in then.keywords or not rest.isalpha():
                    yield _Move(_SPACE, step.node, at + 1, Edit("misspelled", at, words[at], f"{keyword} {rest}"))


def _left_out(node: VocabularyNode, words: Sequence[str], at: int) -> Iterator[_Move]:
    word = words[at].lower()
    for keyword, then in node.keywords.items():
        short = len(word) > _TELLING and any(name.startswith(word) for name in then.keywords)
        if word in then.keywords or short:
            yield _Move(_KEYWORD, then, at, Edit("missing", at, words[at], keyword))
        elif at and len(node.keywords) <= _FEW and any(next_steps(then, words, at)):
            yield _Move(1.6, then, at, Edit("missing", at, words[at], keyword))


def _addresses(node: VocabularyNode, words: Sequence[str], at: int) -> Iterator[_Move]:
    word = words[at]
    if "ip" in node.arguments and not is_address(word):
        yield from _prefix_for_address(node.arguments["ip"], word, at)
    if "mask" in node.arguments or "wildcard" in node.arguments:
        yield from _length_for_mask(node, word, at)
    if "prefix" in node.arguments:
        yield from _mask_for_length(node.arguments["prefix"], words, at)
    if "ip6" in node.arguments and is_prefix6(word):
        address = word.partition("/")[0]
        yield _Move(_ARGUMENT, node.arguments["ip6"], at + 1, Edit("ipv6_prefix", at, word, address))
    if "prefix6" in node.arguments:
        yield from _ipv6(node.arguments["prefix6"], words, at)


def _prefix_for_address(then: VocabularyNode, word: str, at: int) -> Iterator[_Move]:
    address, slash, length = word.partition("/")
    if not slash:
        meant = word.lower().replace("o", "0").replace("l", "1").replace(",", ".").strip(".")
        if is_address(meant):
            yield _Move(0.5, then, at + 1, Edit("misspelled", at, word, meant))
        elif word[:1].isdigit() and "." in word:
            yield _Move(0.9, then, at + 1, Edit("argument", at, word, word))
    elif is_prefix(word):
        for kind, mask in (("mask", dotted_mask(length)), ("wildcard", wildcard(length))):
            if kind in then.arguments:
                yield _Move(_ARGUMENT, then.arguments[kind], at + 1, Edit("cidr", at, word, f"{address} {mask}"))
        if "mask" in then.keywords:
            after = then.keywords["mask"].arguments["mask"]
            yield _Move(0.35, after, at + 1, Edit("cidr", at, word, f"{address} mask {dotted_mask(length)}"))
        yield _Move(0.5, then, at + 1, Edit("cidr", at, word, address))
    elif is_address(address) and length.isdecimal() and "mask" in then.arguments:
        yield _Move(0.4, then.arguments["mask"], at + 1, Edit("mask", at, word, f"{address} 255.255.255.0"))


def _length_for_mask(node: VocabularyNode, word: str, at: int) -> Iterator[_Move]:
    for kind, said in (("mask", dotted_mask), ("wildcard", wildcard)):
        if kind not in node.arguments:
            continue
        then = node.arguments[kind]
        length = word.removeprefix("/")
        if length.isdecimal() and (mask := said(length)):
            yield _Move(_ARGUMENT, then, at + 1, Edit("cidr", at, word, mask))
        elif not is_mask(word) and (meant := nearest_mask(word)) and kind == "mask":
            yield _Move(0.4, then, at + 1, Edit("mask", at, word, meant))
        elif kind == "mask" and word[:1].isdigit() and "." in word and not is_mask(word):
            yield _Move(0.6, then, at + 1, Edit("mask", at, word, "255.255.255.0"))


def _mask_for_length(then: VocabularyNode, words: Sequence[str], at: int) -> Iterator[_Move]:
    if not is_address(words[at]) or at + 1 == len(words):
        return
    address, mask = words[at], words[at + 1]
    if is_address(mask) and (length := mask_length(mask)):
        yield _Move(_ARGUMENT, then, at + 2, Edit("cidr_required", at, f"{address} {mask}", f"{address}/{length}"))


def _ipv6(then: VocabularyNode, words: Sequence[str], at: int) -> Iterator[_Move]:
    word, following = words[at], words[at + 1] if at + 1 < len(words) else ""
    if ":" not in word:
        return
    address, slash, length = word.partition("/")
    if following.removeprefix("/").isdecimal() and is_address6(word):
        meant = f"{word}/{following.removeprefix('/')}"
        yield _Move(_ARGUMENT, then, at + 2, Edit("ipv6_prefix", at, f"{word} {following}", meant))
    elif is_address6(word):
        more = 1 if is_address(following) else 0
        yield _Move(0.4, then, at + 1 + more, Edit("ipv6_prefix", at, word, f"{word}/64"))
    elif is_address6(address) and slash:
        yield _Move(0.4, then, at + 1, Edit("ipv6_prefix", at, word, f"{address}/64"))
    else:
        meant = _one_double_colon(address) + f"/{length or 64}"
        yield _Move(0.6, then, at + 1, Edit("ipv6_prefix", at, word, meant))


def _one_double_colon(address: str) -> str:
    head, found, tail = re.sub(":{3,}", "::", address).partition("::")
    return head + found + tail.replace("::", ":")
