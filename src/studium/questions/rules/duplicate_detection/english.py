"""Compare two English questions by grammar: what is asked, the predicate, its arguments and their roles.

Which address are messages forwarded from?  ≠  Which address are messages forwarded to?
Who maintains the package?                  =  By whom is the package maintained?
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from studium.core.text.english.tree import Word
from studium.questions.rules.comparison import synonym_tables
from studium.questions.rules.comparison.english_answers import codes_in
from studium.questions.rules.comparison.lemmas import is_content, key_of, likeness
from studium.questions.rules.comparison.predicates import Role
from studium.questions.rules.comparison.words import stems_of
from studium.questions.rules.validation.english_question import EnglishQuestion, read_english_question

_EMPTY = stems_of(synonym_tables.EMPTY.split(), ("en",))
_LIGHT_VERBS = frozenset({"be", "have", "do", "exist", "get"})
_IMPLIED = {
    "time": ("year", "date", "day", "time", "month"),
    "place": ("place", "location", "city", "town", "country", "directory", "folder", "site", "position"),
    "quantity": ("number", "count", "quantity", "total", "amount", "many", "much"),
    "measure": ("number", "amount", "value"),
    "reason": ("reason", "cause", "purpose"),
    "purpose": ("purpose", "function", "role", "aim", "use", "mean", "intend", "serve", "good", "design"),
    "manner": ("way", "method", "means", "procedure", "step", "possible"),
    "person": ("person", "name", "people", "man", "woman"),
    "name": ("name", "call", "title"),
    "outcome": ("happen", "consequence", "result", "effect", "outcome", "occur"),
    "polar": ("possible", "able", "allow", "permit", "necessary", "require", "need"),
}
_OPPOSITE_MARKERS = {
    frozenset(pair)
    for pair in (
        ("from", "to"),
        ("from", "into"),
        ("in", "out"),
        ("into", "out"),
        ("with", "without"),
        ("before", "after"),
        ("above", "below"),
        ("over", "under"),
        ("for", "against"),
    )
}
_WORD = re.compile(r"\w+(?:-\w+)*")
_POLITE = re.compile(
    r"^(?:(?:please|can you|could you|would you|do you know|tell me|explain|describe)[, ]+)+(?=\w)"
    r"|\b(?:according to|in) (?:the|this) (?:document|text|article|paper|passage|report|manual)\b,?\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Part:
    """A content word of a question: the role of its phrase, whether it is the main word, and the marker before it."""

    word: Word
    role: Role | None
    is_main: bool
    marker: str = ""
    is_predicate: bool = False


@dataclass(frozen=True)
class Comparison:
    """Two questions with the parts that only one of them has."""

    one: EnglishQuestion
    other: EnglishQuestion

    @cached_property
    def parts(self) -> tuple[list[Part], list[Part]]:
        """The content words of both."""
        return list(_parts(self.one)), list(_parts(self.other))

    @cached_property
    def only_one(self) -> list[Part]:
        """The words that only the first has."""
        return self._only(self.one, *self.parts)

    @cached_property
    def only_other(self) -> list[Part]:
        """The words that only the second has."""
        return self._only(self.other, *reversed(self.parts))

    def _only(self, own: EnglishQuestion, mine: list[Part], theirs: list[Part]) -> list[Part]:
        implied = {*_IMPLIED.get(self.one.gap, ()), *_IMPLIED.get(self.other.gap, ())}
        return [
            part
            for part in mine
            if part.word.lemma not in implied
            and not _is_empty(part)
            and not any(likeness(part.word, each.word) for each in theirs)
            and not _is_focus_of_gap(own, part, self.other if own is self.one else self.one)
        ]

    @property
    def is_reversed(self) -> bool:
        """Whether what does it in one question has it done in the other: `What starts the loader?`."""
        mine, theirs = self.one.predicate, self.other.predicate
        if mine is None or theirs is None or mine.linking or theirs.linking or mine.word.lemma != theirs.word.lemma:
            return False
        return any(
            _is_turned(self.one, part, self.other, each) or _is_turned(self.other, each, self.one, part)
            for part in self.parts[0]
            for each in self.parts[1]
            if part.is_main and each.is_main and part.word.lemma == each.word.lemma
        )

    @property
    def has_other_marker(self) -> bool:
        """Whether a preposition is the opposite of the other's: `from` and `to`, `before` and `after`."""
        mine, theirs = (
            {word.lower for word in question.tree.words if word.pos in ("ADP", "SCONJ", "ADV")}
            for question in (self.one, self.other)
        )
        return any(frozenset({here, there}) in _OPPOSITE_MARKERS for here in mine - theirs for there in theirs - mine)

    @property
    def has_other_predicate(self) -> bool:
        """Whether only the verbs differ: `When was she born?`, `When did she die?`."""
        return (
            [part.is_predicate for part in self.only_one] == [True]
            and [part.is_predicate for part in self.only_other] == [True]
            and self.one.gap == self.other.gap
            and self._has_same_frame
        )

    @property
    def _has_same_frame(self) -> bool:
        """Whether the gaps have the same role; what dies and what is injured has, too."""
        mine, theirs = self.one, self.other
        if mine.role == theirs.role:
            return mine.marker == theirs.marker
        whole = any(_has_role(each, "subject") and _has_role(each, "object") for each in (mine, theirs))
        return {mine.role, theirs.role} == {"subject", "object"} and not whole

    @property
    def _has_other_compound(self) -> bool:
        """Whether one has a word with a prefix that the other lacks: `semi-final` for `final`."""
        return _adds_prefix(self.one.tree.text, self.other.tree.text) or _adds_prefix(
            self.other.tree.text, self.one.tree.text
        )

    def verdict(self) -> bool | None:
        """Whether both ask the same; none if grammar cannot tell."""
        codes, others = (set(codes_in(question.tree.text)) for question in (self.one, self.other))
        if codes and others and codes != others:
            return False
        if self.is_reversed or self.has_other_marker or self.has_other_predicate or self._has_other_compound:
            return False
        if self.one.gap == self.other.gap and not self.only_one and not self.only_other:
            return True
        return None


def compare_by_grammar(one: str, other: str) -> bool | None:
    """Whether two English questions ask the same; none if grammar cannot tell."""
    mine, theirs = _read(one), _read(other)
    if mine is None or theirs is None:
        return None
    if not (list(_parts(mine)) and list(_parts(theirs))):
        return None
    return Comparison(mine, theirs).verdict()


@lru_cache(maxsize=4096)
def _read(question: str) -> EnglishQuestion | None:
    return read_english_question(_POLITE.sub("", " ".join(question.split())))


def _parts(question: EnglishQuestion) -> Iterator[Part]:
    """The terms of a question, its predicate, the noun and the adjective of its gap."""
    known: set[int] = set()
    predicate = question.predicate
    for term in question.terms:
        known.add(term.word.index)
        yield Part(term.word, term.role, term.is_main, term.marker)
    if (
        predicate
        and not predicate.linking
        and predicate.word.index not in known
        and predicate.word.lemma not in _LIGHT_VERBS
    ):
        known.add(predicate.word.index)
        yield Part(predicate.word, None, is_main=True, is_predicate=True)
    for word in question.tree.words:
        named = word.index > 0 and word.text[:1].isupper()
        asked = (is_content(word) or named) and word.index not in known and word.pos != "AUX"
        light = predicate is not None and word.index == predicate.word.index and word.lemma in _LIGHT_VERBS
        if asked and not light:
            yield Part(word, question.role, is_main=word == question.focus, marker=question.marker)


def _adds_prefix(one: str, other: str) -> bool:
    """Whether a text has a hyphenated word of which the other has only the last part."""
    said = _WORD.findall(other.casefold())
    known = "".join(said)
    return any(
        word.replace("-", "") not in known and word.rsplit("-", 1)[-1] in said
        for word in _WORD.findall(one.casefold())
        if "-" in word
    )


def asks_for_the_same(one: str, other: str) -> bool:
    """Whether the gaps of two questions are of one kind and in one role: `To whom …?`, `Who … to?`."""
    mine, theirs = _read(one), _read(other)
    if mine is None or theirs is None:
        return False
    return (mine.gap, mine.role, mine.marker) == (theirs.gap, theirs.role, theirs.marker)


def _is_turned(doing: EnglishQuestion, part: Part, done: EnglishQuestion, each: Part) -> bool:
    """Whether a word does something to another in one question, and has it done by another in the other."""
    if part.role != "subject" or each.role != "object":
        return False
    return _has_role(doing, "object") and _has_role(done, "subject")


def _has_role(question: EnglishQuestion, role: Role) -> bool:
    return question.role == role or bool(question.predicate and question.predicate.of(role))


def _is_empty(part: Part) -> bool:
    return key_of(part.word) in _EMPTY or (part.is_predicate and part.word.lemma in _LIGHT_VERBS)


def _is_focus_of_gap(own: EnglishQuestion, part: Part, other: EnglishQuestion) -> bool:
    """The noun of `which company` where the other asks `who`, of `in which directory` where it asks `where`."""
    return (
        own.focus is not None
        and part.word == own.focus
        and other.focus is None
        and other.gap in ("person", "place", "time")
    )
