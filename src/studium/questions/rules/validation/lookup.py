"""Looking a question up: the lines, entries and lists that speak of all it is about."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from studium.questions.rules.comparison.words import Word, opposites, synonyms
from studium.questions.rules.validation.document_index import DocumentIndex, IndexedLine, IndexedList, NamedValue
from studium.questions.rules.validation.question_analysis import ParsedQuestion

SAME_ROOT = 6
SHARE_OF_ROOT = 0.7
LEAST_NAMED = 2
LEAST_TOLD = 3
_TYPED = ("quantity", "date", "year", "person", "place")
LEAST_OWN = 1 / 3
MOSTLY = 2 / 3
LENT = 0.6  # what a word counts that only a heading or an earlier sentence says


@dataclass(frozen=True)
class FoundAnswer:
    """An answer that was found: how well its place fits the question, and the quote that holds it."""

    answer: str
    quote: str
    fit: float


@dataclass(frozen=True)
class LineMatch:
    """A line that speaks of all that the question is about; `said` are the stems of it that the question has too."""

    line: IndexedLine
    said: frozenset[str]
    needed: tuple[frozenset[str], ...]
    fit: float

    def is_said(self, word: Word) -> bool:
        """Whether the question has this word of the line."""
        return word.key in self.said


@dataclass(frozen=True)
class QuestionLookup:
    """One question before one document."""

    asked: ParsedQuestion
    reading: DocumentIndex

    @cached_property
    def forms(self) -> dict[str, frozenset[str]]:
        """Every stem that must be found, in the forms in which the document may have it."""
        return {key: self._family(key) | self._synonyms(key) for key in self.asked.hard}

    @cached_property
    def all_forms(self) -> frozenset[str]:
        """The stems of the document that the question speaks of, also those that need not be found."""
        soft = frozenset().union(*(self._family(key) | self._synonyms(key) for key in self.asked.soft))
        return frozenset().union(*self.forms.values()) | soft

    @property
    def unknown(self) -> list[str]:
        """What the question is about and the document never mentions."""
        known = self.reading.vocabulary
        return [key for key, forms in self.forms.items() if not any(form in known.get(form[:5], ()) for form in forms)]

    def matches(self) -> list[LineMatch]:
        """The lines that cover the question, best first."""
        found = [match for place in self._common(self.reading.places) if (match := self._match(place))]
        return sorted(found, key=lambda match: -match.fit)

    def loose_matches(self) -> list[LineMatch]:
        """The lines that say most of it, where the lines before say the rest.

        One word that the document never uses may be missing from a question that has many.
        """
        unknown = self.unknown if len(self.forms) > LEAST_TOLD else []
        if self.asked.kind not in _TYPED or len(unknown) > 1 or len(self.unknown) > len(unknown):
            return []
        counted = Counter(
            place
            for key, forms in self.forms.items()
            if key not in unknown
            for place in set[int]().union(*(self.reading.places.get(form, ()) for form in forms))
        )
        likely = [place for place, count in counted.items() if count >= MOSTLY * len(self.forms)]
        found = (self._match(place, unknown) for place in likely if self._told_around(place, unknown))
        return sorted((match for match in found if match), key=lambda match: -match.fit)

    def _told_around(self, place: int, spared: Sequence[str]) -> bool:
        """Whether the line with the two before it, under the same heading, says all that is asked."""
        line = self.reading.lines[place]
        before = [each for each in self.reading.lines[max(0, place - 2) : place] if each.heading == line.heading]
        said = line.keys | line.context | self.reading.subject | frozenset[str]().union(*(each.keys for each in before))
        return all(forms & said for key, forms in self.forms.items() if key not in spared)

    def entries(self) -> Iterator[NamedValue]:
        """The named values that cover the question; the verb that it ends with may be missing from a table."""
        unknown = self.unknown
        verb = unknown if unknown == [self.asked.verb] and len(self.forms) > LEAST_NAMED else []
        for place in sorted(self._common(self.reading.entry_places, verb)):
            yield self.reading.entries[place]

    def lists(self) -> Iterator[IndexedList]:
        """The lists whose lead or headings cover the question."""
        for each in self.reading.lists:
            if self.forms and all(forms & (each.keys | each.context) for forms in self.forms.values()):
                yield each

    def _common(self, places: dict[str, set[int]], spared: Sequence[str] = ()) -> set[int]:
        """The places where every stem that must be found stands, in some form, but for what the document is about."""
        must = {key: forms for key, forms in self.forms.items() if key not in spared}
        needed = [forms for forms in must.values() if not forms & self.reading.subject] or list(must.values())
        sets = [set[int]().union(*(places.get(form, ()) for form in forms)) for forms in needed]
        return set.intersection(*sorted(sets, key=len)) if sets else set()

    def _match(self, place: int, spared: Sequence[str] = ()) -> LineMatch | None:
        line = self.reading.lines[place]
        own = [bool(forms & line.keys) for key, forms in self.forms.items() if key not in spared]
        turned = any(not forms & line.keys and opposites(key) & line.keys for key, forms in self.forms.items())
        if sum(own) < LEAST_OWN * len(own) or turned:
            return None
        fit = sum(1.0 if here else LENT for here in own) / len(own)
        return LineMatch(line, self.all_forms & line.keys, tuple(self.forms.values()), fit)

    def _synonyms(self, key: str) -> frozenset[str]:
        """A name means nothing but itself: the `X2 Long` is not the `X2` that takes its time."""
        return frozenset((key,)) if key in self.asked.names else synonyms(key)

    def _family(self, key: str) -> frozenset[str]:
        """Words of one root: `construction` and `construct`, but not `internal` and `international`."""
        near = [*self.reading.vocabulary.get(key[:5], ()), *self.reading.vocabulary.get(f"ge{key}"[:5], ())]
        return frozenset((key, *(other for other in near if _one_root(key, other.removeprefix("ge")))))


def _one_root(one: str, other: str) -> bool:
    if one == other or not (one.isalpha() and other.isalpha()):
        return one == other
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    whole = shared == min(len(one), len(other)) and shared >= SAME_ROOT - 1
    longer = max(len(one), len(other))
    return (whole or shared >= SAME_ROOT) and shared >= SHARE_OF_ROOT * longer
