"""Which reviews a visitor wants to see."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from studium.core.domain.decision import ReviewLine, ReviewStatus

EVERY = "all"
"""Stands for every status, or every faculty."""
STATUSES = (*(status.value for status in ReviewStatus), EVERY)


@dataclass
class Wanted:
    """The filters; `all` filters nothing."""

    faculty: str = EVERY
    status: str = ReviewStatus.OPEN.value
    words: str = ""

    def among(self, lines: Iterable[ReviewLine]) -> list[ReviewLine]:
        """The lines that fit."""
        words = self.words.casefold().split()
        return [line for line in lines if self._fits(line) and _speaks_of(line, words)]

    def faculties(self, lines: Iterable[ReviewLine]) -> dict[str, int]:
        """How many lines of the wanted status each faculty has."""
        counts = Counter(line.faculty for line in lines if self.status in (EVERY, line.status))
        return {EVERY: counts.total()} | dict(sorted(counts.items()))

    @property
    def is_usual(self) -> bool:
        """Whether nothing but what waits is wanted, and all of that."""
        return self.address() == "/inbox"

    def address(self, review: str = "") -> str:
        """Where this is found again, with a review open."""
        said = {"review": review, "faculty": self.faculty, "status": self.status, "words": self.words}
        usual = {"review": "", "faculty": EVERY, "status": ReviewStatus.OPEN.value, "words": ""}
        asked = urlencode({name: value for name, value in said.items() if value != usual[name]})
        return f"/inbox?{asked}" if asked else "/inbox"

    def _fits(self, line: ReviewLine) -> bool:
        return self.status in (EVERY, line.status) and self.faculty in (EVERY, line.faculty)


def _speaks_of(line: ReviewLine, words: list[str]) -> bool:
    text = f"{line.item} {line.doubt} {line.id}".casefold() if words else ""
    return all(word in text for word in words)
