"""What kind of answer a question asks for, told by its wording in the language it is in."""

import re
from functools import cache
from typing import Literal, NamedTuple, get_args

from studium.workflows.questions.comparing.lexicon import lexicon

Kind = Literal[
    "polar",
    "expansion",
    "quantity",
    "date",
    "year",
    "reason",
    "purpose",
    "definition",
    "person",
    "place",
    "manner",
    "thing",
]
WORDS = lexicon("answering")
MEASURED: dict[str, frozenset[str]] = {
    word: frozenset(measures.split()) for measures, said in WORDS.by_language("measured").items() for word in said
}


class Wording(NamedTuple):
    """What a question asks for, where the words stand that say so, and what it is about besides them."""

    kind: Kind
    start: int
    end: int
    asking: str
    topic: str


def wording_of(question: str, language: str) -> Wording:
    """The wording of a question: the first of those known in its language that it has."""
    for kind, pattern in _wordings(language):
        if found := pattern.search(question):
            before, after = question[: found.start()], question[found.end() :]
            marked = found.groupdict().get("topic")
            topic = f"{marked}{after}" if marked else f"{before} {after}"
            asking = found[0].replace(marked, " ", 1) if marked else found[0]
            return Wording(kind, found.start(), found.end(), asking, topic)
    return Wording("thing", 0, 0, "", question)


def several_asked(question: str, language: str) -> re.Match[str] | None:
    """Whether a question asks for a list; the match holds the number of things, if it says one."""
    if language not in WORDS.concepts["lists"]:
        return None
    wordings = WORDS.concepts["lists"][language].split(" / ")
    return next((found for each in wordings if (found := re.match(each, question, re.IGNORECASE))), None)


@cache
def _wordings(language: str) -> list[tuple[Kind, re.Pattern[str]]]:
    known: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}
    return [
        (known[name], re.compile(wording, re.IGNORECASE))
        for kind in WORDS.concepts["kinds"][language]
        for name, said in kind.items()
        for wording in said.split(" / ")
    ]
