"""A parsed English sentence: its words, and how they depend on each other (Universal Dependencies)."""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

ROOT = -1


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a mark: where it stands, what it is, and the word that it depends on (`ROOT` for the main one)."""

    index: int
    text: str
    start: int
    end: int
    lemma: str
    pos: str
    tag: str
    head: int
    relation: str

    @property
    def lower(self) -> str:
        """The word in lower case."""
        return self.text.lower()

    def is_(self, *relations: str) -> bool:
        """Whether the word has one of these relations to its head, subtypes included: `nsubj` is `nsubj:pass`, too."""
        return self.relation in relations or self.relation.partition(":")[0] in relations


@dataclass(frozen=True)
class ParsedText:
    """A sentence with its tree; the certainty is the parser's own, for all words together and for the least sure."""

    text: str
    words: tuple[Word, ...]
    certainty: float
    least_certain: float

    @cached_property
    def root(self) -> Word | None:
        """The main word of the sentence."""
        return next((word for word in self.words if word.head == ROOT), None)

    @cached_property
    def _children(self) -> tuple[tuple[Word, ...], ...]:
        found: list[list[Word]] = [[] for _ in self.words]
        for word in self.words:
            if word.head != ROOT:
                found[word.head].append(word)
        return tuple(map(tuple, found))

    def children(self, word: Word, *relations: str) -> tuple[Word, ...]:
        """The words that depend on a word, in order; with relations, only those."""
        found = self._children[word.index]
        return tuple(child for child in found if child.is_(*relations)) if relations else found

    def child(self, word: Word, *relations: str) -> Word | None:
        """The first word that depends on a word in one of these relations."""
        return next(iter(self.children(word, *relations)), None)

    def head(self, word: Word) -> Word | None:
        """The word that a word depends on."""
        return None if word.head == ROOT else self.words[word.head]

    def subtree(self, word: Word, without: Collection[int] = ()) -> set[int]:
        """The indices of a word and of all that depends on it, without some words and what depends on those."""
        found: set[int] = set()
        left = [word.index]
        while left:
            index = left.pop()
            if index not in without:
                found.add(index)
                left += [child.index for child in self._children[index]]
        return found

    def phrase(self, word: Word, without: Collection[int] = ()) -> str:
        """A word and all that depends on it, as written."""
        return self.text_of(self.subtree(word, without))

    def text_of(self, indices: Iterable[int], spelled: Callable[[Word], str] | None = None) -> str:
        """Some words of the sentence in order, spaced as written; `spelled` gives a word another form."""
        pieces: list[str] = []
        before: Word | None = None
        for index in sorted(set(indices)):
            word = self.words[index]
            if before is not None and (before.end < word.start or not self._is_joined(before, word)):
                pieces.append(" ")
            pieces.append(spelled(word) if spelled else word.text)
            before = word
        return _tidy("".join(pieces))

    def _is_joined(self, before: Word, word: Word) -> bool:
        """Whether two words that are not neighbours in the text may stand together without a space."""
        return before.index + 1 == word.index


_LEFT_BEFORE = re.compile(r" ([,.;:?!)\]\u201d%]+)(?=\s|$)")
_LEFT_COMMAS = re.compile(r",(?:\s?[,;])+")


def _tidy(text: str) -> str:
    """The text without the commas and spaces that words left out have left behind."""
    text = _LEFT_COMMAS.sub(",", _LEFT_BEFORE.sub(r"\1", text.strip(" ,;:\u2013\u2014")))
    return text.replace("( ", "(").replace("[ ", "[").replace(" ()", "").replace("  ", " ").strip(" ,;:")
