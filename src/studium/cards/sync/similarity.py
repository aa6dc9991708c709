"""Keys that recognise a card, the similarity of sources and known cards, and their best assignment."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from math import inf, log
from typing import NamedTuple
from unicodedata import normalize

from studium.cards.merge import word_counts
from studium.cards.models import CardSource
from studium.core.text.html import visible_text

_LINK = re.compile(
    r"!\[\[[^\]\n]{0,500}\]\]|!\[[^\]\n]{0,500}\]\([^)\n]{0,1000}\)"  # an embed has no text of its own
    r"|\[\[(?:[^\]|\n]{0,500}\|)?(?P<note>[^\]|\n]{0,500})\]\]|\[(?P<text>[^\]\n]{0,500})\]\([^)\n]{0,1000}\)"
)
_LINE_MARK = re.compile(r"^[ \t>]*(?:(?:#{1,6}|[-+*]|\d{1,9}[.)])[ \t]+)?", re.MULTILINE)
_MARK = re.compile(r"\\[()\[\]]|==(?=\S)|(?<=\S)==|\{(?:\d+:)?|[}*_`~$\\]")


def front_key(text: str) -> str:
    """The key of a question, the same for its Markdown and its HTML in Anki; empty for an empty question."""
    words = _folded(plain_text(text)) or _folded(text)
    return _hash(words) if words else ""


def content_key(source: CardSource) -> str:
    """The key of the content of a source, ignoring case, white space and emphasis."""
    content = f"{source.front} \0 {source.back} \0 {source.extra} \0 {source.hint}"
    for mark in "*_`":
        content = content.replace(mark, "")
    return _hash(_folded(content))


def new_card_id(source: CardSource, taken: Collection[str] = ()) -> str:
    """The id of a new card, from its content, so that two computers agree; a second such card gets `-2`."""
    first = card_id = content_key(source)[:12]
    number = 1
    while card_id in taken:
        number += 1
        card_id = f"{first}-{number}"
    return card_id


def plain_text(text: str) -> str:
    """A text without the marks of Markdown, HTML and formulas."""
    if "<" in text or "{{c" in text or "&" in text:
        text = visible_text(text)
    if "](" in text or "[[" in text:
        text = _LINK.sub(lambda link: link["note"] or link["text"] or "", text)
    return _MARK.sub("", _LINE_MARK.sub("", text))


def _folded(text: str) -> str:
    composed = text if text.isascii() else normalize("NFC", text)
    return " ".join(composed.casefold().split())


def _hash(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


Pair = tuple[int, int]

_MAX_EXACT = 100  # with more on a side the best assignment takes seconds, so a greedy one is used


def best_assignment(scores: Mapping[Pair, float]) -> list[Pair]:
    """The pairs with the highest total score, each side used once."""
    return [pair for part in _connected(scores) for pair in _best_of(part, scores)]


def _connected(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    """The connected groups of pairs."""
    by_left, by_right = defaultdict(list), defaultdict(list)
    for pair in pairs:
        by_left[pair[0]].append(pair)
        by_right[pair[1]].append(pair)
    while by_left:
        waiting = by_left.pop(next(iter(by_left)))
        part: dict[Pair, None] = {}
        while waiting:
            pair = waiting.pop()
            part[pair] = None
            waiting += by_left.pop(pair[0], []) + by_right.pop(pair[1], [])
        yield list(part)


def _best_of(part: Sequence[Pair], scores: Mapping[Pair, float]) -> list[Pair]:
    lefts, rights = (sorted({pair[side] for pair in part}) for side in (0, 1))
    if max(len(lefts), len(rights)) > _MAX_EXACT:
        return _greedy_assignment(part, scores)
    if len(lefts) > len(rights):
        swapped = {(right, left): scores[left, right] for left, right in part}
        return [(left, right) for right, left in _best_of(list(swapped), swapped)]
    costs = [[-scores.get((left, right), 0.0) for right in rights] for left in lefts]
    pairs = [(lefts[row], rights[column]) for row, column in enumerate(_cheapest(costs))]
    return [pair for pair in pairs if pair in scores]


def _greedy_assignment(part: Iterable[Pair], scores: Mapping[Pair, float]) -> list[Pair]:
    """Take the pair with the highest score, and repeat with what is left."""
    lefts: set[int] = set()
    rights: set[int] = set()
    chosen = []
    for left, right in sorted(part, key=lambda pair: (-scores[pair], pair)):
        if left not in lefts and right not in rights:
            chosen.append((left, right))
            lefts.add(left)
            rights.add(right)
    return chosen


def _cheapest(costs: Sequence[Sequence[float]]) -> list[int]:
    """The column of each row in the cheapest assignment (Hungarian method); at most as many rows as columns."""
    width = len(costs[0])
    row_price, column_price = [0.0] * len(costs), [0.0] * (width + 1)
    row_of = [-1] * (width + 1)  # the last column is where each row starts
    for row in range(len(costs)):
        row_of[width] = row
        column = width
        slack, came_from, seen = [inf] * (width + 1), [width] * width, [False] * (width + 1)
        while row_of[column] >= 0:
            seen[column] = True
            here = row_of[column]
            unseen = [each for each in range(width) if not seen[each]]
            for each in unseen:
                cost = costs[here][each] - row_price[here] - column_price[each]
                if cost < slack[each]:
                    slack[each], came_from[each] = cost, column
            column = min(unseen, key=slack.__getitem__)
            step = slack[column]
            for each, was_seen in enumerate(seen):
                if was_seen:
                    row_price[row_of[each]] += step
                    column_price[each] -= step
                else:
                    slack[each] -= step
        while column != width:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    columns = {row: column for column, row in enumerate(row_of[:width])}
    return [columns[row] for row in range(len(costs))]


FrontAndBack = tuple[str, str]
"""The front and the back of a card; the back is empty if it is not known."""

_ENOUGH_WORDS = 8  # a side with this many words has full weight
_RAREST_WORDS = 8
_COMMON = 50  # a word that more cards have is not used to find candidates
_CANDIDATES = 10  # cards that are compared with each source
_MAX_CHARS = 600  # characters of a side that are compared
_QUESTION_WORD_WEIGHT = 0.2
# Words that questions are made of, which say little about the subject. With all stop words of `core.text` fewer
# reworded cards are recognised.
_QUESTION_WORDS = (
    "a an and are as at by can define describe difference do does explain for from give has have how if in is it list "
    "main mean name of on or state that the their this to used was what when where which who why will with you "
    "где для из как какая какие какой когда что чем это на от по почему такое "
    "de der die das des est et la le les que quel quelle qui un una une wie wo"
)


class _Side(NamedTuple):
    words: frozenset[str]
    weight: float


class CardSimilarity:
    """Compares sources with known cards by their words; a word that many cards use weighs less."""

    def __init__(self, sources: Sequence[FrontAndBack], known: Sequence[FrontAndBack]) -> None:
        self._weights = _weights(front for front, _ in known)
        self._sources, self._known = _WordSides(sources, self._weights), _WordSides(known, self._weights)

    def of(self, source: int, card: int) -> float:
        """Their similarity from 0 to 1; a side that one of them lacks does not count, a short side counts less."""
        total = whole = 0.0
        for here, there in zip(self._sources[source], self._known[card], strict=True):
            if here.words and there.words:
                weight = min(max(len(here.words), len(there.words)), _ENOUGH_WORDS)
                shared = sum(self._weights.get(word, 1.0) for word in here.words & there.words)
                total += weight * 2 * shared / (here.weight + there.weight)
                whole += weight
        return total / whole if whole else 0.0

    def candidates(self, sources: Sequence[int], cards: Sequence[int]) -> Iterator[Pair]:
        """The pairs worth comparing: they share words that are rare among these cards."""
        places: tuple[dict[str, list[int]], ...] = (defaultdict(list), defaultdict(list))
        for card in cards:
            for side, having in zip(self._known[card], places, strict=True):
                for word in side.words:
                    having[word].append(card)
        for source in sources:
            sharing: Counter[int] = Counter()
            for side, having in zip(self._sources[source], places, strict=True):
                found = sorted((having[word] for word in side.words if word in having), key=len)
                for each in found[:_RAREST_WORDS]:
                    if len(each) <= _COMMON:
                        sharing.update(each)
            yield from ((source, card) for card, _ in sharing.most_common(_CANDIDATES))


class _WordSides(dict[int, tuple[_Side, _Side]]):
    """The words of the sides of each card, computed on first use."""

    def __init__(self, texts: Sequence[FrontAndBack], weights: Mapping[str, float]) -> None:
        super().__init__()
        self._texts, self._weights = texts, weights

    def __missing__(self, at: int) -> tuple[_Side, _Side]:
        front, back = (frozenset(word_counts(plain_text(side[:_MAX_CHARS]))) for side in self._texts[at])
        self[at] = self._weighed(front), self._weighed(back)
        return self[at]

    def _weighed(self, words: frozenset[str]) -> _Side:
        return _Side(words, sum(self._weights.get(word, 1.0) for word in words))


def _weights(fronts: Iterable[str]) -> dict[str, float]:
    uses: Counter[str] = Counter()
    for front in fronts:
        uses.update(word_counts(front).keys())
    weights = {word: 1 / (1 + log(count)) for word, count in uses.items()}
    return weights | {word: _QUESTION_WORD_WEIGHT * weights.get(word, 1.0) for word in _QUESTION_WORDS.split()}
