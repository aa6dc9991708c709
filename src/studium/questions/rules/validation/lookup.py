"""Look a question up: find the lines, named values and lists that cover its topic."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from studium.questions.rules.comparison.words import Word, opposites, synonyms
from studium.questions.rules.validation.document_index import DocumentIndex, IndexedLine, IndexedList, NamedValue
from studium.questions.rules.validation.question_analysis import ParsedQuestion

SAME_ROOT = 6
SHARE_OF_ROOT = 0.7
MIN_NAMED = 2
MIN_COVERED = 3
_TYPED = ("quantity", "date", "year", "person", "place")
MIN_OWN = 1 / 3
MOSTLY = 2 / 3
INHERITED = 0.6  # the weight of a stem that only a heading or an earlier sentence has


@dataclass(frozen=True)
class FoundAnswer:
    """An answer with its quote, and how well its place fits the question."""

    answer: str
    quote: str
    fit: float


@dataclass(frozen=True)
class LineMatch:
    """A line that covers the topic of the question; `said` are its stems that the question has too."""

    line: IndexedLine
    said: frozenset[str]
    needed: tuple[frozenset[str], ...]
    fit: float

    def is_said(self, word: Word) -> bool:
        """Whether the question has this word too."""
        return word.key in self.said


@dataclass(frozen=True)
class QuestionLookup:
    """The lookup of one question in one document."""

    question: ParsedQuestion
    index: DocumentIndex

    @cached_property
    def forms(self) -> dict[str, frozenset[str]]:
        """Each required stem, with the stems that count as the same in this document."""
        return {key: self.forms_of(key) for key in self.question.hard}

    @cached_property
    def all_forms(self) -> frozenset[str]:
        """All stems of the question's topic in the document, including optional ones."""
        soft = frozenset().union(*map(self.forms_of, self.question.soft))
        return frozenset().union(*self.forms.values()) | soft

    @property
    def unknown(self) -> list[str]:
        """The required stems that the document never mentions."""
        known = self.index.vocabulary
        return [key for key, forms in self.forms.items() if not any(form in known.get(form[:5], ()) for form in forms)]

    def matches(self) -> list[LineMatch]:
        """The lines that cover the topic, best first."""
        found = [match for place in self._common(self.index.places) if (match := self._match(place))]
        return sorted(found, key=lambda match: -match.fit)

    def loose_matches(self) -> list[LineMatch]:
        """The lines that cover most of the topic, if the lines before them cover the rest.

        Of a question with many words, one may be missing from the document.
        """
        unknown = self.unknown if len(self.forms) > MIN_COVERED else []
        if self.question.kind not in _TYPED or len(unknown) > 1 or len(self.unknown) > len(unknown):
            return []
        counted = Counter(
            place
            for key, forms in self.forms.items()
            if key not in unknown
            for place in set[int]().union(*(self.index.places.get(form, ()) for form in forms))
        )
        likely = [place for place, count in counted.items() if count >= MOSTLY * len(self.forms)]
        found = (self._match(place, unknown) for place in likely if self._covered_around(place, unknown))
        return sorted((match for match in found if match), key=lambda match: -match.fit)

    def _covered_around(self, place: int, optional: Sequence[str]) -> bool:
        """Whether the line and the two before it under the same heading cover the topic."""
        line = self.index.lines[place]
        before = [each for each in self.index.lines[max(0, place - 2) : place] if each.heading == line.heading]
        said = (
            line.keys
            | line.inherited_keys
            | self.index.subject
            | frozenset[str]().union(*(each.keys for each in before))
        )
        return all(forms & said for key, forms in self.forms.items() if key not in optional)

    def entries(self) -> Iterator[NamedValue]:
        """The named values that cover the topic; the final verb of the question may be missing."""
        unknown = self.unknown
        verb = unknown if unknown == [self.question.verb] and len(self.forms) > MIN_NAMED else []
        for place in sorted(self._common(self.index.entry_places, verb)):
            yield self.index.entries[place]

    def lists(self) -> Iterator[IndexedList]:
        """The lists whose introduction or headings cover the topic."""
        for each in self.index.lists:
            if self.forms and all(forms & (each.keys | each.context) for forms in self.forms.values()):
                yield each

    def _common(self, places: dict[str, set[int]], optional: Sequence[str] = ()) -> set[int]:
        """The places that have every required stem, except those of the document's subject."""
        must = {key: forms for key, forms in self.forms.items() if key not in optional}
        needed = [forms for forms in must.values() if not forms & self.index.subject] or list(must.values())
        sets = [set[int]().union(*(places.get(form, ()) for form in forms)) for forms in needed]
        return set.intersection(*sorted(sets, key=len)) if sets else set()

    def _match(self, place: int, optional: Sequence[str] = ()) -> LineMatch | None:
        line = self.index.lines[place]
        own = [bool(forms & line.keys) for key, forms in self.forms.items() if key not in optional]
        turned = any(not forms & line.keys and opposites(key) & line.keys for key, forms in self.forms.items())
        if sum(own) < MIN_OWN * len(own) or turned:
            return None
        fit = sum(1.0 if here else INHERITED for here in own) / len(own)
        return LineMatch(line, self.all_forms & line.keys, tuple(self.forms.values()), fit)

    def forms_of(self, key: str) -> frozenset[str]:
        """The stems that mean the same. A name has only its own: `Harrowgate` is not `Harrow`, `X2 Long` no length."""
        return frozenset((key,)) if key in self.question.names else self._family(key) | synonyms(key)

    def _family(self, key: str) -> frozenset[str]:
        """The stems with the same root: `construction` and `construct`, but not `internal` and `international`."""
        near = [*self.index.vocabulary.get(key[:5], ()), *self.index.vocabulary.get(f"ge{key}"[:5], ())]
        return frozenset((key, *(other for other in near if _one_root(key, other.removeprefix("ge")))))


def _one_root(one: str, other: str) -> bool:
    if one == other or not (one.isalpha() and other.isalpha()):
        return one == other
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    whole = shared == min(len(one), len(other)) and shared >= SAME_ROOT - 1
    longer = max(len(one), len(other))
    return (whole or shared >= SAME_ROOT) and shared >= SHARE_OF_ROOT * longer
