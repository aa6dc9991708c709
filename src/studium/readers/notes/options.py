"""What a learner may say about how cards are found in notes."""

from dataclasses import dataclass
from typing import Literal

SYNTAXES = (
    "blocks",
    "headings",
    "inka",
    "callouts",
    "tagged",
    "labelled",
    "multiline",
    "inline",
    "cloze",
    "whole",
)
"""Every way of writing cards, in the order in which they are tried: what one has found, the later ones do not see."""


@dataclass(frozen=True)
class NoteOptions:
    """Which syntaxes are read, and how eagerly those are that ordinary notes contain too.

    `bare_clozes` is about `==x==` and `{x}`, which mark and group in ordinary notes: `marked` makes them cards only
    where the note or the paragraph has a tag such as `#cloze` or `#flashcards`.
    """

    syntaxes: frozenset[str] = frozenset(SYNTAXES)
    bare_clozes: Literal["marked", "always", "never"] = "marked"
    one_note_one_card: bool = False
    filename_as_question: bool = False
