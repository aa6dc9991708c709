"""A sentence in its parts: when, who or what, does, the rest."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from studium.workflows.questions.asking.english.phrases import Subject, subject_of
from studium.workflows.questions.asking.english.verbs import BE, MODAL, PAST, PLURAL_PRESENT, PRESENT
from studium.workflows.questions.asking.fact import Vocabulary

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
    """One main clause: its date if it begins with one, its subject, its verb, and all that follows."""

    date: str
    subject: Subject
    verb: str
    rest: str

    @property
    def when(self) -> str:
        """How to ask for the date: a year is asked for as a year."""
        return when(self.date)


def clauses_of(sentence: str, vocabulary: Vocabulary) -> Iterator[Clause]:
    """The clauses of a sentence that the rules surely understand: what its subject does, and what it does besides."""
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


def _main_clause(text: str, vocabulary: Vocabulary) -> Iterator[Clause]:
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


def when(date: str) -> str:
    """`In which year` for a bare year, else `When`."""
    return "In which year" if date.isdigit() else "When"
