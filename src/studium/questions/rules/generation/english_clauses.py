"""Parse English sentences into clauses with a subject, a verb and the rest; recognise noun phrases."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from studium.questions.rules.generation.english_words import (
    AUXILIARIES,
    BE,
    CLAUSAL,
    DETERMINERS,
    JOINERS,
    MODAL,
    PAST,
    PLURAL_PRESENT,
    POINTERS,
    PREPOSITIONS,
    PRESENT,
    QUANTIFIERS,
    TOO_GENERAL,
    VAGUE,
    is_plural,
)
from studium.questions.rules.generation.facts import DocumentVocabulary

LONGEST_SUBJECT = 10
_WORD = re.compile(r"[^\W_][\w’'./+-]*(?:\([a-z]\))?|&")
_SHORT_FORM = re.compile(r" \([A-Z][\w./-]{1,12}\)$")
_NAME = re.compile(r"[^\W_]*[A-ZÀ-Þ\d]")
_NEVER_INSIDE = POINTERS | JOINERS | AUXILIARIES | CLAUSAL | QUANTIFIERS
_NEVER_FIRST = _NEVER_INSIDE | PREPOSITIONS | {"and", "or", "however", "therefore", "today", "now", "see", "note"}


@dataclass(frozen=True)
class Subject:
    """The subject of a sentence as it reads within a question, and whether it is clear on its own."""

    text: str
    specific: bool
    plural: bool

    @property
    def named(self) -> bool:
        """Whether it is a name: all words but function words are capitalised."""
        words = [word for word in self.text.split() if word.lower() not in {*DETERMINERS, *PREPOSITIONS, "and", "&"}]
        return bool(words) and all(_NAME.match(word) and not word[0].isdigit() for word in words)

    @property
    def definite(self) -> bool:
        """Whether it starts with `the`."""
        return self.text.startswith("the ")


def subject_of(text: str, vocabulary: DocumentVocabulary) -> Subject | None:
    """The words as a subject, if they clearly are one noun phrase without references."""
    words = _SHORT_FORM.sub("", text).split()
    if not 0 < len(words) <= LONGEST_SUBJECT or not is_noun_phrase(words):
        return None
    inside = _uncapitalised(words, vocabulary)
    head = _head(inside)
    if head in TOO_GENERAL and not any(map(_NAME.match, inside)):
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
    """A second article needs a preposition before it, and `and` two names around it."""
    word, before = words[at].lower(), words[at - 1].lower()
    if word in DETERMINERS:
        return before in PREPOSITIONS
    if word in ("and", "or"):
        return bool(_NAME.match(words[at - 1])) and at + 1 < len(words) and bool(_NAME.match(words[at + 1]))
    return True


def _uncapitalised(words: list[str], vocabulary: DocumentVocabulary) -> list[str]:
    """`The OSPF router` → `the OSPF router`; `Routers` → `routers` if the document also writes it so."""
    first = words[0]
    ordinary = first.lower() in DETERMINERS or (first.istitle() and vocabulary.common(first))
    return [first.lower() if ordinary else first, *words[1:]]


def _head(words: list[str]) -> str:
    """The last word before the first preposition: `capital` in `the capital of France`."""
    cut = next((at for at, word in enumerate(words) if at and word.lower() in PREPOSITIONS), len(words))
    return words[cut - 1]


def _is_specific(words: list[str], head: str) -> bool:
    """Whether a reader without the document knows what is meant."""
    if words[0] != "the":
        return head not in VAGUE
    content = [word for word in words[1:] if word.lower() not in {*PREPOSITIONS, *DETERMINERS}]
    if any(_NAME.match(word) for word in content):
        return True
    if any(word in DETERMINERS - {"a", "an"} for word in words[1:]):
        return False
    return len(content) > 1 and head not in VAGUE and content[0] not in VAGUE


_VERBS = sorted({*BE, *MODAL, *PAST, *PRESENT, *PLURAL_PRESENT, "MUST", "SHALL", "SHOULD"}, key=len, reverse=True)
_VERB = re.compile(rf" (?P<verb>{'|'.join(_VERBS)})(?= )")
_FINITE = sorted({*BE, *PAST, *PRESENT}, key=len, reverse=True)
_AND = re.compile(rf" and (?=(?:{'|'.join(_FINITE)}) )")
# Main clauses side by side: `A weighs 640 g and the B weighs 3.2 kg`, `A is 3; B is 4`.
_PARTS = re.compile(rf"; |,? and (?=(?:the|an?) (?:[\w-]+ ){{1,4}}(?:{'|'.join(_FINITE)}) )")
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan\.|Feb\.|Mar\.|Apr\.|Aug\.|Sept?\.|Oct\.|Nov\.|Dec\.)"
)
_YEAR = r"(?:1\d{3}|20\d{2})"
DATE = (
    rf"(?:{_MONTH} \d{{1,2}}, {_YEAR}|\d{{1,2}} {_MONTH},? {_YEAR}|{_MONTH},? {_YEAR}|{_YEAR}(?! ?[-–]|[.,]\d)(?: BC)?)"
)
_WHEN = re.compile(rf"(?:In|On) (?P<date>{DATE}),? (?P<main>[^,].*)", re.DOTALL)
_FULL_STOP = re.compile(r"[.](?:\[\d+\])*$")
_TWO_SENTENCES = re.compile(
    r"(?<!\b[A-Z])(?<!\b(?:Mr|Dr|Ms|St|No|vs))(?<!\b(?:Mrs|Inc|Ltd))(?<!Corp)[.!?](?:\[\d+\])? [A-Z]"
    r"|[.!?] (?:The|An?|It|In|On|This|They|He|She|His|Her|Its)\b"
)


@dataclass(frozen=True)
class Clause:
    """A main clause: the date it starts with, if any, its subject, its verb and the rest."""

    date: str
    subject: Subject
    verb: str
    rest: str

    @property
    def when(self) -> str:
        """The question for its date: `In which year` or `When`."""
        return when_question(self.date)


def clauses_of(sentence: str, vocabulary: DocumentVocabulary) -> Iterator[Clause]:
    """The clauses of a sentence that the rules can parse reliably."""
    stopped = _FULL_STOP.search(sentence)
    text = sentence[: stopped.start()] if stopped else ""
    if _TWO_SENTENCES.search(text):
        return
    for part in _PARTS.split(text):
        clauses = list(_main_clause(part, vocabulary))
        yield from clauses
        # What the first part says ("On old routers, …") may hold for the second too.
        if not clauses or clauses[0].date:
            return


def _main_clause(text: str, vocabulary: DocumentVocabulary) -> Iterator[Clause]:
    dated = _WHEN.fullmatch(text)
    date, main = (dated["date"], dated["main"]) if dated else ("", text)
    for found in _VERB.finditer(main):
        verb, rest = found["verb"].lower(), main[found.end() :].strip()
        subject = subject_of(main[: found.start()], vocabulary)
        if not _is_noun(verb, rest, subject):
            if subject:
                yield from _predicates(date, subject, f"{verb} {rest}")
            return


def _predicates(date: str, subject: Subject, text: str) -> Iterator[Clause]:
    """`was 11 miles long and had four stations`: two clauses with one subject."""
    parts = _AND.split(text)
    if len(parts) > 1 and any(re.search(r"[,;:]", part) for part in parts[:-1]):
        parts = [text]
    for part in parts:
        verb, _, rest = part.partition(" ")
        yield Clause(date, subject, verb, rest)


def _is_noun(verb: str, rest: str, subject: Subject | None) -> bool:
    """Whether what looks like a verb is a noun here: `the cost of gold is …`, `the memory use is …`."""
    if rest.startswith("of ") and verb not in ("consists", "consist"):
        return True
    return verb in PLURAL_PRESENT and not (subject and subject.plural)


def when_question(date: str) -> str:
    """`In which year` for a bare year, else `When`."""
    return "In which year" if date.isdigit() else "When"
