"""Matches the sources in notes with known cards, so that no card loses its history or is made twice.

Certain matches come first (an id in the note, the same content), then likely ones (the same question, a similar card in
the same note or in a note that cards of it moved to). Each known card is used once; if two cards match equally well,
both are kept.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from studium.cards.models import CardSource
from studium.cards.sync.similarity import CardSimilarity, Pair, best_assignment, content_key, front_key, new_card_id
from studium.core.domain.finding import Finding, Locator, Severity

__all__ = ["CardMatches", "KnownCard", "content_key", "front_key", "match_cards", "new_card_id"]

COMPARED_CHARS = 600
"""Characters of an answer that are compared."""
_MIN_ANSWER_WORDS = 4
_SIMILAR, _SIMILAR_ELSEWHERE = 0.5, 0.7
_EQUAL = 0.02


@dataclass(frozen=True)
class KnownCard:
    """How a known card is recognised; a key or text that is not known is empty."""

    card_id: str
    anki_id: int | None
    path: str
    order: int
    front_key: str
    content_key: str
    front: str
    back: str = ""


@dataclass(frozen=True)
class CardMatches:
    """The id of the known card of each source, or None for a new one, and how it was matched.

    `missing` are known cards without a source. `contested` are known cards that matched a source as well as the chosen
    one: they are kept, and a finding says so.
    """

    card_ids: list[str | None]
    how: list[str]
    missing: tuple[KnownCard, ...] = ()
    contested: tuple[KnownCard, ...] = ()
    findings: tuple[Finding, ...] = ()


def match_cards(
    sources: Sequence[tuple[str, CardSource]], known: Sequence[KnownCard], *, settled: Collection[str] = ()
) -> CardMatches:
    """Match each source, given with the path of its note, with a known card.

    `settled` are the paths of notes that were not read because they did not change: their cards are neither matched nor
    missing.
    """
    matcher = _Matcher(sources, [card for card in known if not card.path or card.path not in settled])
    for match in (
        matcher.by_marker,
        matcher.by_content,
        matcher.by_front,
        matcher.by_back,
        matcher.by_similarity,
        matcher.contest_same_fronts,
    ):
        if matcher.waiting and matcher.free:
            match()
    return matcher.result()


class _Matcher:
    """The sources that are not matched yet, and the known cards that are still free."""

    def __init__(self, sources: Sequence[tuple[str, CardSource]], known: Sequence[KnownCard]) -> None:
        self.paths = [path for path, _ in sources]
        self.sources = [source for _, source in sources]
        self.known = known
        self.known_paths = [card.path for card in known]
        self.chosen: dict[int, int] = {}
        self.how = ["new"] * len(sources)
        self.waiting = dict.fromkeys(range(len(sources)))
        self.free = dict.fromkeys(range(len(known)))
        self.contested: set[int] = set()
        self.findings: list[Finding] = []

    @cached_property
    def contents(self) -> list[str]:
        return [content_key(source) for source in self.sources]

    @cached_property
    def fronts(self) -> list[str]:
        """The key of each question; empty for sources that were matched before it was needed."""
        return [front_key(source.front) if at in self.waiting else "" for at, source in enumerate(self.sources)]

    @cached_property
    def known_fronts(self) -> list[str]:
        return [card.front_key for card in self.known]

    @cached_property
    def orders(self) -> list[int]:
        """The position of each source in its note."""
        counts: Counter[str] = Counter()
        orders = []
        for path in self.paths:
            orders.append(counts[path])
            counts[path] += 1
        return orders

    @cached_property
    def similarity(self) -> CardSimilarity:
        return CardSimilarity(
            [(source.front, source.back) for source in self.sources], [(card.front, card.back) for card in self.known]
        )

    def by_marker(self) -> None:
        """Match by an id in the note: ours, or the id of the Anki note that another tool left."""
        own, foreign = ([_marked(source, ours=ours) for source in self.sources] for ours in (True, False))
        if any(own):
            self._by_id(own, [card.card_id for card in self.known], "marker")
        if any(foreign):
            self._by_id(foreign, [str(card.anki_id or "") for card in self.known], "foreign marker")

    def _by_id(self, marked: Sequence[str], ids: Sequence[str], how: str) -> None:
        for claimants, cards in self._groups(marked, ids):
            first = min((self._copy_rank(at, cards[0]), at) for at in claimants)[1]
            self._take(first, cards[0], how)
            self.findings += [self._finding("card.copied_marker", at, _COPIED) for at in claimants if at != first]

    def _copy_rank(self, at: int, card: int) -> tuple[bool, bool]:
        """Among sources with the same id, the original has the same content and the same note as the card."""
        known = self.known[card]
        return self.contents[at] != known.content_key, self.paths[at] != known.path

    def by_content(self) -> None:
        """Match by content: in the same note, in a note of the same name, anywhere; now, or when the card was made."""
        contents = [card.content_key for card in self.known]
        for claimants, cards in self._groups(_at(self.contents, self.paths), _at(contents, self.known_paths)):
            self._take_in_order(claimants, cards, "content")
        names, known_names = ([_file_name(path) for path in paths] for paths in (self.paths, self.known_paths))
        for claimants, cards in self._groups(_at(self.contents, names), _at(contents, known_names)):
            if len(claimants) == len(cards) == 1:
                self._take(claimants[0], cards[0], "content")
        for claimants, cards in self._groups(self.contents, contents):
            self._contest(claimants[-1], self._take_in_order(claimants, cards, "content"))
        first_ids = [card.card_id.partition("-")[0] for card in self.known]
        for claimants, cards in self._groups([content[:12] for content in self.contents], first_ids):
            self._contest(claimants[-1], self._take_in_order(claimants, cards, "first content"))

    def by_front(self) -> None:
        """Match by question: in the same note, or anywhere if it is unique."""
        here = list(self._groups(_at(self.fronts, self.paths), _at(self.known_fronts, self.known_paths)))
        self._take_best([(at, card) for claimants, cards in here for at in claimants for card in cards], "front")
        for claimants, cards in self._groups(self.fronts, self.known_fronts):
            if len(claimants) == len(cards) == 1:
                self._take(claimants[0], cards[0], "front elsewhere")

    def by_back(self) -> None:
        """Match by a unique answer in the same note: the question was reworded."""
        backs = [_answer_key(source.back) if at in self.waiting else "" for at, source in enumerate(self.sources)]
        known = [_answer_key(card.back) for card in self.known]
        for claimants, cards in self._groups(_at(backs, self.paths), _at(known, self.known_paths)):
            if len(claimants) == len(cards) == 1:
                self._take(claimants[0], cards[0], "back")

    def by_similarity(self) -> None:
        """Match similar cards: in the same note, in a note its cards moved to, or in a new note if its own is gone."""
        self._take_similar(self._groups(self.paths, self.known_paths), "similar", _SIMILAR)
        self._take_similar(self._moved(), "similar in a note it moved to", _SIMILAR)
        before, now = set(self.known_paths), set(self.paths)
        new = [at for at in self.waiting if self.paths[at] not in before]
        gone = [card for card in self.free if self.known_paths[card] not in now]
        self._take_similar([(new, gone)], "similar elsewhere", _SIMILAR_ELSEWHERE)

    def contest_same_fronts(self) -> None:
        """Where several cards have the same question and cannot be told apart, match none and keep all."""
        for claimants, cards in self._groups(self.fronts, self.known_fronts):
            self.contested.update(cards)
            others = ", ".join(self.known[card].card_id for card in cards)
            message = f"This has the same question as {others}; it is unclear whether it is the same card."
            self.findings += [self._finding("card.ambiguous", at, message) for at in claimants]

    def result(self) -> CardMatches:
        """The matches."""
        ids = [self.known[self.chosen[at]].card_id if at in self.chosen else None for at in range(len(self.sources))]
        self._keep_own_markers(ids)
        return CardMatches(
            ids,
            self.how,
            missing=tuple(self.known[card] for card in self.free if card not in self.contested),
            contested=tuple(self.known[card] for card in self.free if card in self.contested),
            findings=tuple(self.findings),
        )

    def _keep_own_markers(self, ids: list[str | None]) -> None:
        """Keep our ids in notes that neither the database nor Anki knows."""
        used = {*ids, *(card.card_id for card in self.known)}
        for at in self.waiting:
            if (marked := _marked(self.sources[at], ours=True)) and marked not in used:
                ids[at], self.how[at] = marked, "marker"
                used.add(marked)

    def _groups(
        self, keys: Sequence[Hashable], known_keys: Sequence[Hashable]
    ) -> Iterator[tuple[list[int], list[int]]]:
        """The unmatched sources and free cards with the same key; empty keys are ignored."""
        cards, claimants = defaultdict(list), defaultdict(list)
        for card in self.free:
            if known_keys[card]:
                cards[known_keys[card]].append(card)
        for at in self.waiting:
            if keys[at] in cards:
                claimants[keys[at]].append(at)
        return ((found, cards[key]) for key, found in claimants.items())

    def _moved(self) -> list[tuple[list[int], list[int]]]:
        """The free cards of each note, and the unmatched sources in notes its other cards moved to or of its name."""
        links: dict[str, set[str]] = defaultdict(set)
        for at, card in self.chosen.items():
            links[self.known_paths[card]].add(self.paths[at])
        cards, sources, namesakes = defaultdict(list), defaultdict(list), defaultdict(set)
        for at in self.waiting:
            sources[self.paths[at]].append(at)
            namesakes[_file_name(self.paths[at])].add(self.paths[at])
        for card in self.free:
            cards[self.known_paths[card]].append(card)
        return [
            ([at for there in sorted(links[path] | namesakes[_file_name(path)]) for at in sources[there]], left)
            for path, left in cards.items()
        ]

    def _take(self, at: int, card: int, how: str) -> None:
        self.chosen[at], self.how[at] = card, how
        del self.waiting[at], self.free[card]

    def _take_in_order(self, claimants: Sequence[int], cards: list[int], how: str) -> list[int]:
        """Pair sources and cards in order; returns the cards that are left over."""
        cards.sort(key=lambda card: (self.known_paths[card], self.known[card].order))
        for at, card in zip(claimants, cards, strict=False):
            self._take(at, card, how)
        return cards[len(claimants) :]

    def _take_similar(self, groups: Iterable[tuple[list[int], list[int]]], how: str, at_least: float) -> None:
        pairs = [pair for sources, cards in groups if cards for pair in self.similarity.candidates(sources, cards)]
        self._take_best(pairs, how, at_least=at_least)

    def _take_best(self, pairs: Iterable[Pair], how: str, *, at_least: float = 0.0) -> None:
        """Pair the most similar ones; a card that is as similar as the chosen one is contested."""
        scores = {pair: score for pair in pairs if (score := self._score(pair)) >= at_least}
        chosen = best_assignment(scores)
        rivals = defaultdict(list)
        for at, card in scores:
            rivals[at].append(card)
        for at, card in chosen:
            self._take(at, card, how)
        for at, card in chosen:
            least = scores[at, card] - _EQUAL
            self._contest(at, [each for each in rivals[at] if each in self.free and scores[at, each] >= least])

    def _score(self, pair: Pair) -> float:
        """Their similarity; among equals, the one at the same position in its note wins."""
        at, card = pair
        return self.similarity.of(at, card) + 0.001 / (1 + abs(self.orders[at] - self.known[card].order))

    def _contest(self, at: int, cards: Sequence[int]) -> None:
        if cards:
            self.contested.update(cards)
            chosen, others = self.known[self.chosen[at]].card_id, ", ".join(self.known[card].card_id for card in cards)
            message = f"This was matched with card {chosen}, but {others} matches as well and is kept in Anki."
            self.findings.append(self._finding("card.ambiguous", at, message))

    def _finding(self, code: str, at: int, message: str) -> Finding:
        where = Locator(path=self.paths[at], line=self.sources[at].line)
        return Finding(code=code, severity=Severity.WARNING, message=message, where=where)


_COPIED = "The id of this card is in several places; this one is treated as a copy. Remove the id here."


def _answer_key(back: str) -> str:
    """The key of an answer; empty if it is too short to recognise a card by."""
    start = back[:COMPARED_CHARS]
    return front_key(start) if len(start.split()) >= _MIN_ANSWER_WORDS else ""


def _marked(source: CardSource, *, ours: bool) -> str:
    return source.marker.value if source.marker and (source.marker.tool == "studium") is ours else ""


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]


def _at(keys: Sequence[str], places: Sequence[str]) -> list[tuple[str, str] | None]:
    """Keys joined with a place."""
    return [(key, place) if key else None for key, place in zip(keys, places, strict=True)]
