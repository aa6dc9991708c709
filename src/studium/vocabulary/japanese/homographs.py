"""Words that are written alike and read differently, told apart by what stands around them."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

SUFFIX_MARK = "〜"


@dataclass(frozen=True)
class Homograph:
    """One reading of a word, and what must stand before, after or near it."""

    reading: str
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None
    near: re.Pattern[str] | None
    lemma: str

    def fits(self, sentence: str, start: int, end: int) -> bool:
        """Whether the word that stands there is this one."""
        return (
            (self.before is None or self.before.search(sentence[:start]) is not None)
            and (self.after is None or self.after.match(sentence, end) is not None)
            # The word itself is no hint to its reading.
            and (self.near is None or self.near.search(f"{sentence[:start]}\n{sentence[end:]}") is not None)
        )


def find_homograph(word: str, sentence: str, start: int, end: int) -> Homograph | None:
    """Which of the words that are written so stands there; nothing if the table cannot tell."""
    return next((each for each in homograph_table().get(word, ()) if each.fits(sentence, start, end)), None)


@cache
def homograph_table() -> dict[str, tuple[Homograph, ...]]:
    """The readings of each homograph, in the order in which they are tried."""
    found: dict[str, tuple[Homograph, ...]] = {}
    path = files("studium.vocabulary.japanese") / "tables" / "homographs.tsv"
    for row in path.read_text(encoding="utf-8").splitlines():
        if row and not row.startswith("#"):
            word, reading, before, after, near, lemma = (row + "\t" * 5).split("\t")[:6]
            found[word] = (
                *found.get(word, ()),
                Homograph(reading, _pattern(before), _pattern(after), _pattern(near), lemma),
            )
    return found


def _pattern(source: str) -> re.Pattern[str] | None:
    return re.compile(source) if source else None
