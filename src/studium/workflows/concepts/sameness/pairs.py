"""Whether two concepts are surely one idea, for whoever holds many of them against each other.

Among the many pairs of a whole book few are the same: what is likely enough for two concepts that somebody brought
together is not likely enough here.
"""

from typing import TYPE_CHECKING

from studium.workflows.concepts.desk import Embed
from studium.workflows.concepts.sameness.judging import compare, whole_text
from studium.workflows.concepts.sameness.scale import on_our_scale
from studium.workflows.concepts.skills import Idea

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SURE = 0.65  # cosine below which we are not


class SameConcept:
    """Compares concepts by their texts; each text is embedded once."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._vectors: dict[str, NDArray[np.float32] | None] = {}

    def __call__(self, one: Idea, other: Idea) -> bool:
        """Whether they are surely one idea."""
        first, second = self._vector(one), self._vector(other)
        if first is None or second is None:
            return one.concept == other.concept
        cosine = on_our_scale(self._embed, float(first @ second))
        return cosine >= SURE and compare(one, other, cosine).verdict == "same"

    def _vector(self, idea: Idea) -> "NDArray[np.float32] | None":
        text = whole_text(idea)
        if text not in self._vectors:
            rows = self._embed([text])
            self._vectors[text] = None if rows is None else rows[0]
        return self._vectors[text]
