"""Fronts: what a question needs to be understood alone, and how an overlong one is shortened by choosing."""

import re
from collections.abc import Iterator

from studium.workflows.cards.making.sentences import split_sentences
from studium.workflows.cards.words import STEM, Text, text_of

_CODE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)
_SHOWS = re.compile(r"```|~~~|!\[|\||\$\$|`[^`\n]{12,}`|\n\s*(?:[-*+]|\d+[.)])\s")
_PRONOUN = re.compile(
    r"\b(?:it|its|this|that|these|those|they|them|он|она|оно|они|\u0435\u0433\u043e|\u0435[\u0435\u0451]|их|это|этот|эта|эти|этого|этому)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:this|these|those|the following|the above|этот|эта|эти|этом|данн\w+|следующ\w+|приведённ\w+|приведенн\w+)\s+"
    r"(?:code|snippet|example|program|class|function|output|diagram|picture|table|command|configuration|approach|method"
    r"|pattern|case|(?:код|пример|класс|функци|программ|рисун|таблиц|команд|подход|метод|случа)\w*)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:see (?:above|below)|as (?:mentioned|shown|described) (?:above|below|earlier)"
    r"|previous (?:question|card|example)"
    r"|см\.? (?:выше|ниже)|(?:сказано|описано|показано|упомянуто) выше|предыдущ\w+ (?:вопрос|пример|карточк)\w*)",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    word[:STEM]
    for word in re.findall(
        r"\w+",
        """work works do does done mean means matter important happen happens need used useful better called example
        examples difference why how what работает делает нужен нужна нужно значит означает важно лучше называется пример
        примеры разница происходит используется""",
    )
)
LEAST_TELLING = 2


def standalone_faults(front: str) -> Iterator[str]:
    """Why a question cannot be understood without what stood around it in the note."""
    text = text_of(front)
    telling = text.content - _GENERIC
    shows = _SHOWS.search(front)
    if _ELSEWHERE.search(front):
        yield "The front points to another place of the note."
    elif _POINTING.search(front) and not shows:
        yield f"The front speaks of “{_found(_POINTING, front)}” and does not show it."
    elif _PRONOUN.search(text.uncoded) and len(telling) < LEAST_TELLING and not shows and not _names_something(text):
        yield f"The front says “{_found(_PRONOUN, text.uncoded)}” and nothing tells what is meant."
    elif not telling and not text.everything - _GENERIC and not shows and front.strip():
        yield "The front does not say what it asks about."
    elif front.rstrip().endswith(":") and len(front) < len("What are the advantages of X:"):
        yield "The front breaks off at a colon."


def front_length(front: str) -> int:
    """How long a front is to read; code that it shows is looked at, not read."""
    return len(_CODE.sub("", front).strip())


def short_front(front: str, limit: int) -> str:
    """The question itself, if what leads up to it makes the front too long; else the front as it is."""
    if front_length(front) <= limit:
        return front
    code = [found[0].strip("\r\n") for found in _CODE.finditer(front)]
    sentences = [" ".join(sentence.split()) for sentence in split_sentences(_CODE.sub("\n\n", front).strip())]
    asked = [sentence for sentence in sentences if sentence.endswith(("?", "\uff1f"))] or sentences[-1:]
    chosen = "\n\n".join([" ".join(asked), *code])
    if front_length(chosen) > limit or _PRONOUN.match(chosen) or any(standalone_faults(chosen)):
        return front
    return chosen


def _names_something(text: Text) -> bool:
    """Whether a name, an identifier or code says what a pronoun stands for."""
    return bool(re.search(r"`[^`]+`|\b\w*[A-Z]{2}\w*\b|\b\w+[a-z][A-Z]\w*", text.uncoded))


def _found(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[0] if found else ""
