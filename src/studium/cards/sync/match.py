"""Which thing in a note is which card that is known already, so that no card loses its history or is made twice.

What is certain comes first (an id in the note, the same content), then what is likely (the same question, a similar
card in the same note, in one that the note's cards went to). Each known card is used once, and of two that fit equally
well none is given up without a person's word.
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
"""Characters of an answer that are enough to recognise it by."""
_SAYS_ENOUGH = 4
_SIMILAR, _SIMILAR_ELSEWHERE = 0.5, 0.7
_EQUALLY = 0.02


@dataclass(frozen=True)
class KnownCard:
    """A card that is known: how it is recognised. A key or a text that nobody knows is empty."""

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
    """The known card's id of each source, or `None` for a new one, and how it was recognised.

    `missing` are the known cards that no source stands for any more. `contested` are those that fitted a source as well
    as the one that was chosen: they are not given up, and a finding says so.
    """

    card_ids: list[str | None]
    how: list[str]
    missing: tuple[KnownCard, ...] = ()
    contested: tuple[KnownCard, ...] = ()
    findings: tuple[Finding, ...] = ()


def match_cards(
    sources: Sequence[tuple[str, CardSource]], known: Sequence[KnownCard], *, settled: Collection[str] = ()
) -> CardMatches:
    """Recognise the known card of each source, which comes with the path of its note.

    `settled` are the paths of notes that were not read because they did not change: their cards are not to be had, and
    they are not missing.
    """
    matcher = _Matcher(sources, [card for card in known if not card.path or card.path not in settled])
    for recognise in (
        matcher.by_marker,
        matcher.by_content,
        matcher.by_front,
        matcher.by_back,
        matcher.by_resemblance,
        matcher.doubt_same_fronts,
    ):
        if matcher.waiting and matcher.free:
            recognise()
    return matcher.result()


class _Matcher:
    """The sources that wait for their card, and the known cards that are still to be had."""

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
        """The key of each question; of those that wait no more when it is first asked for, none."""
        return [front_key(source.front) if at in self.waiting else "" for at, source in enumerate(self.sources)]

    @cached_property
    def known_fronts(self) -> list[str]:
        return [card.front_key for card in self.known]

    @cached_property
    def orders(self) -> list[int]:
        """The place of each source in its note."""
        counts: Counter[str] = Counter()
        orders = []
        for path in self.paths:
            orders.append(counts[path])
            counts[path] += 1
        return orders

    @cached_property
    def resemblance(self) -> CardSimilarity:
        return CardSimilarity(
            [(source.front, source.back) for source in self.sources], [(card.front, card.back) for card in self.known]
        )

    def by_marker(self) -> None:
        """An id in the note: ours, or the one that another tool gave the note in Anki."""
        own, foreign = ([_marked(source, ours=ours) for source in self.sources] for ours in (True, False))
        if any(own):
            self._by_id(own, [card.card_id for card in self.known], "marker")
        if any(foreign):
            self._by_id(foreign, [str(card.anki_id or "") for card in self.known], "foreign marker")

    def _by_id(self, marked: Sequence[str], ids: Sequence[str], how: str) -> None:
        for claimants, cards in self._groups(marked, ids):
            first = min((self._strangeness(at, cards[0]), at) for at in claimants)[1]
            self._take(first, cards[0], how)
            self.findings += [self._finding("card.copied_marker", at, _COPIED) for at in claimants if at != first]

    def _strangeness(self, at: int, card: int) -> tuple[bool, bool]:
        """Of those that carry the same id, whoever says what the card said, where it said it, is no copy."""
        known = self.known[card]
        return self.contents[at] != known.content_key, self.paths[at] != known.path

    def by_content(self) -> None:
        """The same content: in its note, in a note of the same name, anywhere; now, or when the card was made."""
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
        """The same question: in its note, or anywhere if there is no other like it."""
        here = list(self._groups(_at(self.fronts, self.paths), _at(self.known_fronts, self.known_paths)))
        self._take_best([(at, card) for claimants, cards in here for at in claimants for card in cards], "front")
        for claimants, cards in self._groups(self.fronts, self.known_fronts):
            if len(claimants) == len(cards) == 1:
                self._take(claimants[0], cards[0], "front elsewhere")

    def by_back(self) -> None:
        """The same answer in the same note, if no other card there has it: the question was put in other words."""
        backs = [_answer_key(source.back) if at in self.waiting else "" for at, source in enumerate(self.sources)]
        known = [_answer_key(card.back) for card in self.known]
        for claimants, cards in self._groups(_at(backs, self.paths), _at(known, self.known_paths)):
            if len(claimants) == len(cards) == 1:
                self._take(claimants[0], cards[0], "back")

    def by_resemblance(self) -> None:
        """A similar card: in its note, in one that cards of its note went to, in a new note where its own is gone."""
        self._take_similar(self._groups(self.paths, self.known_paths), "similar", _SIMILAR)
        self._take_similar(self._moved(), "similar in a note it moved to", _SIMILAR)
        before, now = set(self.known_paths), set(self.paths)
        new = [at for at in self.waiting if self.paths[at] not in before]
        gone = [card for card in self.free if self.known_paths[card] not in now]
        self._take_similar([(new, gone)], "similar elsewhere", _SIMILAR_ELSEWHERE)

    def doubt_same_fronts(self) -> None:
        """Where several ask the same and nothing tells them apart, nobody is taken and nobody given up."""
        for claimants, cards in self._groups(self.fronts, self.known_fronts):
            self.contested.update(cards)
            others = ", ".join(self.known[card].card_id for card in cards)
            message = f"This asks what {others} asked elsewhere; nothing tells whether it is the same card."
            self.findings += [self._finding("card.ambiguous", at, message) for at in claimants]

    def result(self) -> CardMatches:
        """What was found out."""
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
        """A note may know an id that nobody else remembers."""
        used = {*ids, *(card.card_id for card in self.known)}
        for at in self.waiting:
            if (marked := _marked(self.sources[at], ours=True)) and marked not in used:
                ids[at], self.how[at] = marked, "marker"
                used.add(marked)

    def _groups(
        self, keys: Sequence[Hashable], known_keys: Sequence[Hashable]
    ) -> Iterator[tuple[list[int], list[int]]]:
        """The waiting sources and the free cards that have the same key; an empty key is none."""
        cards, claimants = defaultdict(list), defaultdict(list)
        for card in self.free:
            if known_keys[card]:
                cards[known_keys[card]].append(card)
        for at in self.waiting:
            if keys[at] in cards:
                claimants[keys[at]].append(at)
        return ((found, cards[key]) for key, found in claimants.items())

    def _moved(self) -> list[tuple[list[int], list[int]]]:
        """The free cards of each note, and what waits in the notes that its other cards went to, or in its namesake."""
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
        """Pair what is all the same; returns the cards that are left over."""
        cards.sort(key=lambda card: (self.known_paths[card], self.known[card].order))
        for at, card in zip(claimants, cards, strict=False):
            self._take(at, card, how)
        return cards[len(claimants) :]

    def _take_similar(self, groups: Iterable[tuple[list[int], list[int]]], how: str, at_least: float) -> None:
        pairs = [pair for sources, cards in groups if cards for pair in self.resemblance.candidates(sources, cards)]
        self._take_best(pairs, how, at_least=at_least)

    def _take_best(self, pairs: Iterable[Pair], how: str, *, at_least: float = 0.0) -> None:
        """Pair those that are most alike; a card that is as much alike as the one that was chosen is contested."""
        scores = {pair: score for pair in pairs if (score := self._score(pair)) >= at_least}
        chosen = best_assignment(scores)
        rivals = defaultdict(list)
        for at, card in scores:
            rivals[at].append(card)
        for at, card in chosen:
            self._take(at, card, how)
        for at, card in chosen:
            least = scores[at, card] - _EQUALLY
            self._contest(at, [each for each in rivals[at] if each in self.free and scores[at, each] >= least])

    def _score(self, pair: Pair) -> float:
        """How alike they are; between equals, the one at the same place in its note comes first."""
        at, card = pair
        return self.resemblance.of(at, card) + 0.001 / (1 + abs(self.orders[at] - self.known[card].order))

    def _contest(self, at: int, cards: Sequence[int]) -> None:
        if cards:
            self.contested.update(cards)
            chosen, others = self.known[self.chosen[at]].card_id, ", ".join(self.known[card].card_id for card in cards)
            message = f"This was taken for card {chosen}, but {others} fits as well and is kept in Anki as it is."
            self.findings.append(self._finding("card.ambiguous", at, message))

    def _finding(self, code: str, at: int, message: str) -> Finding:
        where = Locator(path=self.paths[at], line=self.sources[at].line)
        return Finding(code=code, severity=Severity.WARNING, message=message, where=where)


_COPIED = "The id of a card stands in several places; this one is taken for a copy. Remove the id here."


def _answer_key(back: str) -> str:
    """The key of an answer that says enough to know a card by; of a word or two, none."""
    told = back[:COMPARED_CHARS]
    return front_key(told) if len(told.split()) >= _SAYS_ENOUGH else ""


def _marked(source: CardSource, *, ours: bool) -> str:
    return source.marker.value if source.marker and (source.marker.tool == "studium") is ours else ""


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]


def _at(keys: Sequence[str], places: Sequence[str]) -> list[tuple[str, str] | None]:
    """Keys that hold at a place only."""
    return [(key, place) if key else None for key, place in zip(keys, places, strict=True)]
