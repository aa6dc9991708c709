"""What the vocabulary graph asks of a language: the words of a song, and whether a claimed word is right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from studium.core.domain.finding import Finding
from studium.domain.word import Lyrics, VocabularyItem
from studium.workflows.vocabulary.skills import Claim


@dataclass(frozen=True)
class Checked:
    """A claimed word as the dictionary has it; `None` where it does not stand in the song or in the dictionary."""

    item: VocabularyItem | None
    findings: tuple[Finding, ...] = ()


class Lexicon(Protocol):
    """The words of one language for those who learn it."""

    def items_in(self, lyrics: Lyrics) -> Sequence[VocabularyItem]:
        """Every word worth learning, the most useful first."""
        ...

    def check(self, claim: Claim, items: Sequence[VocabularyItem]) -> Checked:
        """The word that a model claims, as it really is; `items` are the words of the song."""
        ...
