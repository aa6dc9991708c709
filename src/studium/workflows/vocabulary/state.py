"""What the vocabulary graph carries from step to step."""

from typing import TypedDict

from studium.core.domain.finding import Finding
from studium.domain.word import VocabularyItem
from studium.workflows.vocabulary.skills import Claim

LEAST = 5
"""So many words at least are returned, where the song has as many."""
MOST = 400
"""No more words than these."""


class VocabularyState(TypedDict, total=False):
    """A song on its way to its words. `lyrics`, `vocabulary` and `errors` are what the agent has so far."""

    song: str
    artist: str
    count: int
    lyrics: str
    source: str
    claims: list[Claim]
    vocabulary: list[VocabularyItem]
    errors: list[str]
    findings: list[Finding]
