"""Which module finds which cards; adding a syntax is one line here and its name in the options."""

from collections.abc import Callable, Iterator, Mapping

from studium.domain.finding import Finding
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

Syntax = Callable[[NotePage], Iterator[Draft | Finding | Aside]]

FINDERS: Mapping[str, Syntax] = {
    "blocks": blocks.find_cards,
    "headings": headings.find_cards,
    "inka": inka.find_cards,
    "callouts": callouts.find_cards,
    "tagged": tagged.find_cards,
    "labelled": labelled.find_cards,
    "multiline": multiline.find_cards,
    "inline": inline.find_cards,
    "cloze": cloze.find_cards,
    "whole": whole.find_cards,
}
"""In the order in which they are tried: what one has found, the later ones do not see."""
