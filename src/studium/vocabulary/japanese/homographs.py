"""Homographs: words with the same spelling and different readings, distinguished by their context."""

import re
from dataclasses import dataclass
from functools import cache

from studium.core.text.word_lists import load_text

SUFFIX_MARK = "〜"


@dataclass(frozen=True)
class Homograph:
    """One reading of a spelling, and what must be before, after or near it."""

    reading: str
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None
    near: re.Pattern[str] | None
    lemma: str

    def fits(self, sentence: str, start: int, end: int) -> bool:
        """Tell whether the word at a position has this reading."""
        return (
            (self.before is None or self.before.search(sentence[:start]) is not None)
            and (self.after is None or self.after.match(sentence, end) is not None)
            # The word itself does not count as context.
            and (self.near is None or self.near.search(f"{sentence[:start]}\n{sentence[end:]}") is not None)
        )


def find_homograph(word: str, sentence: str, start: int, end: int) -> Homograph | None:
    """Find the reading of the word at a position; `None` if the table does not decide."""
    return next((each for each in homograph_table().get(word, ()) if each.fits(sentence, start, end)), None)


@cache
def homograph_table() -> dict[str, tuple[Homograph, ...]]:
    """Load the readings of each homograph, in the order in which they are tried."""
    found: dict[str, tuple[Homograph, ...]] = {}
    for row in load_text("studium.vocabulary.japanese", "tables/homographs.tsv").splitlines():
        if row and not row.startswith("#"):
            word, reading, before, after, near, lemma = (row + "\t" * 5).split("\t")[:6]
            found[word] = (
                *found.get(word, ()),
                Homograph(reading, _pattern(before), _pattern(after), _pattern(near), lemma),
            )
    return found


def _pattern(source: str) -> re.Pattern[str] | None:
    return re.compile(source) if source else None
