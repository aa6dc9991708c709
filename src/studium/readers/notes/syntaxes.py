"""Which module finds which cards; adding a syntax is one line here and its name in the options."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from studium.core.domain.finding import Finding
from studium.readers.notes import (
    blocks,
    callouts,
    cloze,
    headings,
    inka,
    inline,
    labelled,
    multiline,
    tagged,
    whole,
)
from studium.readers.notes.page import Aside, Draft, NotePage

Finder = Callable[[NotePage], Iterator[Draft | Finding | Aside]]


class Syntax(NamedTuple):
    """How the cards of one syntax are found, and the signs of which a note has one if it may hold any."""

    find: Finder
    signs: tuple[str, ...]

    def may_occur(self, text: str) -> bool:
        """Whether looking for it can be worth while."""
        return any(sign in text for sign in self.signs)


FINDERS: Mapping[str, Syntax] = {
    "blocks": Syntax(blocks.find_cards, ("START",)),
    "headings": Syntax(headings.find_cards, ("#",)),
    "inka": Syntax(inka.find_cards, ("Deck:", "Tags:", "<!--ID:")),
    "callouts": Syntax(callouts.find_cards, ("[!",)),
    "tagged": Syntax(tagged.find_cards, ("#card", "#flashcard", "#Card", "#Flashcard", "#CARD", "#FLASHCARD")),
    "labelled": Syntax(labelled.find_cards, ("Q", "A:", "A*", "A_", "Answer", "Вопрос", "Ответ")),
    "multiline": Syntax(multiline.find_cards, ("\n?", "\r?", " ?", "\t?")),
    "inline": Syntax(inline.find_cards, ("::",)),
    "cloze": Syntax(cloze.find_cards, ("{", "==")),
    "whole": Syntax(whole.find_cards, ("",)),
}
"""In the order in which they are tried: what one has found, the later ones do not see."""
