"""Noun phrases: which words may stand as the subject of a question, and how they read within one."""

import re
from dataclasses import dataclass

from studium.workflows.questions.asking.english.words import (
    AUXILIARIES,
    CLAUSAL,
    DETERMINERS,
    HOPELESS,
    JOINERS,
    POINTERS,
    PREPOSITIONS,
    QUANTIFIERS,
    VAGUE,
    is_plural,
)
from studium.workflows.questions.asking.fact import Vocabulary

LONGEST_SUBJECT = 10
_WORD = re.compile(r"[^\W_][\w’'./+-]*(?:\([a-z]\))?|&")
_SHORT_FORM = re.compile(r" \([A-Z][\w./-]{1,12}\)$")
_NAME = re.compile(r"[^\W_]*[A-ZÀ-Þ\d]")
_NEVER_INSIDE = POINTERS | JOINERS | AUXILIARIES | CLAUSAL | QUANTIFIERS
_NEVER_FIRST = _NEVER_INSIDE | PREPOSITIONS | {"and", "or", "however", "therefore", "today", "now", "see", "note"}


@dataclass(frozen=True)
class Subject:
    """What a sentence speaks of: the words as they read within a question, and whether they say enough on their own."""

    text: str
    specific: bool
    plural: bool

    @property
    def named(self) -> bool:
        """Whether it is a name: every word but the small ones begins with a capital."""
        words = [word for word in self.text.split() if word.lower() not in {*DETERMINERS, *PREPOSITIONS, "and", "&"}]
        return bool(words) and all(_NAME.match(word) and not word[0].isdigit() for word in words)

    @property
    def definite(self) -> bool:
        """Whether it begins with `the`."""
        return self.text.startswith("the ")


def subject_of(text: str, vocabulary: Vocabulary) -> Subject | None:
    """The subject that these words are, if they surely are one noun phrase that points nowhere else."""
    words = _SHORT_FORM.sub("", text).split()
    if not 0 < len(words) <= LONGEST_SUBJECT or not is_noun_phrase(words):
        return None
    inside = _uncapitalised(words, vocabulary)
    head = _head(inside)
    if head in HOPELESS and not any(map(_NAME.match, inside)):
        return None
    return Subject(" ".join(inside), _is_specific(inside, head), is_plural(head))


def is_noun_phrase(words: list[str]) -> bool:
    """Whether these words can be read as a noun phrase only."""
    lowered = [word.lower() for word in words]
    if lowered[0] in _NEVER_FIRST or lowered[0].endswith("ly") or words[0][0].isdigit():
        return False
    if lowered[-1] in PREPOSITIONS | DETERMINERS | {"and", "or"} or lowered[-1].endswith("ly"):
        return False
    if any(word in _NEVER_INSIDE for word in lowered[1:]) or not all(map(_WORD.fullmatch, words)):
        return False
    return all(_may_follow(words, at) for at in range(1, len(words)))


def _may_follow(words: list[str], at: int) -> bool:
    """A second article stands only behind a preposition, and `and` only between two names."""
    word, before = words[at].lower(), words[at - 1].lower()
    if word in DETERMINERS:
        return before in PREPOSITIONS
    if word in ("and", "or"):
        return bool(_NAME.match(words[at - 1])) and at + 1 < len(words) and bool(_NAME.match(words[at + 1]))
    return True


def _uncapitalised(words: list[str], vocabulary: Vocabulary) -> list[str]:
    """`The OSPF router` → `the OSPF router`; `Routers` → `routers` where the document also writes it so."""
    first = words[0]
    ordinary = first.lower() in DETERMINERS or (first.istitle() and vocabulary.common(first))
    return [first.lower() if ordinary else first, *words[1:]]


def _head(words: list[str]) -> str:
    """The last word before the first preposition: `capital` in `the capital of France`."""
    cut = next((at for at, word in enumerate(words) if at and word.lower() in PREPOSITIONS), len(words))
    return words[cut - 1]


def _is_specific(words: list[str], head: str) -> bool:
    """Whether a reader who does not see the document knows what is meant."""
    if words[0] != "the":
        return head not in VAGUE
    content = [word for word in words[1:] if word.lower() not in {*PREPOSITIONS, *DETERMINERS}]
    if any(_NAME.match(word) for word in content):
        return True
    if any(word in DETERMINERS - {"a", "an"} for word in words[1:]):
        return False
    return len(content) > 1 and head not in VAGUE and content[0] not in VAGUE
