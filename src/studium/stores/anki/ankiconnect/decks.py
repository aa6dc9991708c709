"""Decks through AnkiConnect: made when missing, never filtered ones, and checked after notes were added to them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from studium.core.domain.finding import Finding
from studium.stores.anki import refusals, searching
from studium.stores.anki.ankiconnect.wire import Ask, Refusal, Wire


class Decks:
    """The decks that cards go to."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._ready: set[str] = set()

    def preparing(self, decks: Collection[str]) -> list[Ask]:
        """What to ask so that these decks are there, and that it is known which of them are filtered."""
        new = sorted(set(decks) - self._ready)
        return [Ask(action, {"deck": deck}) for deck in new for action in ("createDeck", "getDeckConfig")]

    def judge(self, decks: Collection[str], answers: Sequence[Any]) -> dict[str, Finding]:
        """Which of these decks cannot hold cards, from the answers to `preparing`."""
        new = sorted(set(decks) - self._ready)
        unfit = {}
        for deck, made, config in zip(new, answers[::2], answers[1::2], strict=True):
            if isinstance(made, Refusal):
                unfit[deck] = refusals.refused(made.words)
            elif isinstance(config, dict) and config.get("dyn"):
                unfit[deck] = refusals.filtered_deck(deck)
        self._ready |= set(new) - unfit.keys()
        return unfit

    def homes(self, visiting: Sequence[int], lying: Mapping[int, str]) -> dict[int, str]:
        """Where these cards, which lie in filtered decks now, come from and will go back to."""
        if not visiting:
            return {}
        filtered = {lying[card] for card in visiting if card in lying}
        decks = [deck for deck in self._wire.ask("deckNames") if deck not in filtered]
        among = searching.of_cards(visiting)
        asks = [Ask("findCards", {"query": f"{among} {searching.in_deck(deck)}"}) for deck in decks]
        found = zip(decks, self._wire.ask_all(asks), strict=True)
        return {card: deck for deck, cards in found for card in _cards(cards)}

    def settle(self, wanted: Mapping[str, Sequence[int]]) -> None:
        """See that the cards of these new notes are where they should be: some versions put them into Default."""
        found = iter(self._wire.ask_all([ask for deck, notes in wanted.items() for ask in _searches(deck, notes)]))
        # A deck with special characters may be answered as empty: only what was found there counts.
        doubtful = {deck: sorted(_cards(next(found)) - _cards(next(found))) for deck in wanted}
        doubtful = {deck: cards for deck, cards in doubtful.items() if cards}
        lying = self._wire.ask_each([Ask("getDecks", {"cards": cards}) for cards in doubtful.values()])
        moves = []
        for (deck, cards), places in zip(doubtful.items(), lying, strict=True):
            if wrong := sorted(set(cards) - set(places.get(deck, ()))):
                moves.append(Ask("changeDeck", {"cards": wrong, "deck": deck}))
        self._wire.ask_each(moves)


def _cards(answer: Any) -> set[int]:
    """What a search found; one that Anki does not understand finds nothing."""
    return set() if isinstance(answer, Refusal) else set(answer)


def _searches(deck: str, notes: Sequence[int]) -> tuple[Ask, Ask]:
    """All cards of these notes, and those of them that lie in the deck."""
    among = searching.of_notes(notes)
    return Ask("findCards", {"query": among}), Ask("findCards", {"query": f"{among} {searching.in_deck(deck)}"})
