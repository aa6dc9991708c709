"""Two questions beside each other: what contradicts, which words only one has, and where these stand.

Who asks for something else keeps the frame and puts another word into it (`What is the [hello|dead] interval?`); who
asks the same in other words mostly builds another frame (`How often does it …?`, `What is the interval of …?`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from studium.workflows.questions.comparing.words import Word
from studium.workflows.questions.sameness.asked import Asked, read_question
from studium.workflows.questions.sameness.kinds import THING, compatible
from studium.workflows.questions.sameness.lexicon import EMPTY, LIGHT, say_the_opposite, say_the_same

ENOUGH_SHARED = 2
_JOINED = frozenset({"and", "or", "between"})
_DIRECTIONS = frozenset({"north", "south", "east", "west", "northern", "southern", "eastern", "western", "new"})


@dataclass(frozen=True)
class Pair:
    """Two questions; `here` and `there` are the words about the matter that only the one or the other has."""

    one: Asked
    other: Asked

    @cached_property
    def here(self) -> list[Word]:
        """What only the first says."""
        return _unmatched(self.one, self.other)

    @cached_property
    def there(self) -> list[Word]:
        """What only the second says."""
        return _unmatched(self.other, self.one)

    @property
    def contradicts(self) -> bool:
        """Whether they ask for another kind of thing, or differ in a number, a negation, an opposite or a direction."""
        return (
            not (self.one.words and self.other.words)
            or not compatible(self.one.kind, self.other.kind)
            or not self.one.said.agrees(self.other.said)
            or self._opposed
            or self._turned
        )

    @property
    def says_the_same(self) -> bool:
        """Whether neither says anything about the matter that the other does not."""
        if self.here and self.there:
            return False
        extra = [*self.here, *self.there]
        light = self._shared >= ENOUGH_SHARED and all(word.key in LIGHT for word in extra)
        return not extra or light or _completes_names(extra, self.one if self.here else self.other)

    @property
    def asks_for_another(self) -> bool:
        """Whether one puts another word or name into the same frame, or only asks what the other asks more about."""
        named = any(_is_name(word) for word in (*self.here, *self.there)) and self.one.language != "de"
        return named or self.one.frame == self.other.frame or self._asks_only_what_it_is

    @property
    def replaces_a_word(self) -> bool:
        """Whether each has as many words of its own as the other, and all else stands in the same order."""
        unmatched = (*self.here, *self.there)
        here, there = ([word for word in each.words if word not in unmatched] for each in (self.one, self.other))
        in_order = len(here) == len(there) and all(map(_same_word, here, there))
        return len(self.here) == len(self.there) and self.one.kind.name == self.other.kind.name and in_order

    @property
    def mostly_shared(self) -> bool:
        """Whether at most one word on each side has nothing to match it."""
        return self._shared >= ENOUGH_SHARED and len(self.here) <= 1 and len(self.there) <= 1

    @property
    def _shared(self) -> int:
        return min(len(self.one.words) - len(self.here), len(self.other.words) - len(self.there))

    @property
    def _opposed(self) -> bool:
        """Whether one says `before` where the other says `after`."""
        here, there = self.one.stems - self.other.stems, self.other.stems - self.one.stems
        return any(say_the_opposite(word, other) for word in here for other in there)

    @property
    def _turned(self) -> bool:
        """`What did A say to B?` is not `What did B say to A?`, though it has the same words in the same frame."""
        frame = self.one.frame
        if frame != self.other.frame or "do" not in frame or _JOINED & set(frame):
            return False
        here, there = ([word.key for word in each.words] for each in (self.one, self.other))
        return here != there and sorted(here) == sorted(there)

    @property
    def _asks_only_what_it_is(self) -> bool:
        return (not self.here and _only_what_it_is(self.one, self.other)) or (
            not self.there and _only_what_it_is(self.other, self.one)
        )


def pair_of(one: str, other: str) -> Pair:
    """Read two questions, each with the other at hand."""
    return Pair(read_question(one, other), read_question(other, one))


def _unmatched(mine: Asked, theirs: Asked) -> list[Word]:
    """The words about the matter for which the other question has none."""
    return [
        word
        for word in mine.words
        if word.key not in EMPTY
        and not (theirs.kind.bare and word.text == mine.kind.noun)
        and not _among(word, theirs.words)
    ]


def _among(word: Word, others: Sequence[Word]) -> bool:
    return any(_same_word(word, other) for other in others)


def _same_word(word: Word, other: Word) -> bool:
    if _is_code(word) or _is_code(other):
        return word.text.casefold() == other.text.casefold()
    return say_the_same(word.key, other.key)


def _is_name(word: Word) -> bool:
    return word.capital and word.start > 1


def _completes_names(words: Sequence[Word], asked: Asked) -> bool:
    """Whether each is part of a name that the other question knows too: `Albert Einstein`, `Mount Everest`."""
    names = [word for word in asked.words if _is_name(word) and word not in words]
    return all(
        _is_name(word)
        and word.text.casefold() not in _DIRECTIONS
        and any(name.start - word.end == 1 or word.start - name.end == 1 for name in names)
        for word in words
    )


def _is_code(word: Word) -> bool:
    """`HTTPS` is not the plural of `HTTP`."""
    return len(word.text) > 1 and (word.text.isupper() or any(sign.isdigit() for sign in word.text))


def _only_what_it_is(asked: Asked, other: Asked) -> bool:
    """`What is a turbine?`; and, beside `How do you change the port?`, also `What is the port of the server?`."""
    what_is = asked.kind.name == THING and not asked.kind.noun and asked.frame[:1] == ("be",)
    return what_is and (asked.frame == ("be",) or other.kind.name == "manner")
