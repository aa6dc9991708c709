"""Abbreviations: a long form and its initials, one of them in parentheses behind the other."""

import re
from collections.abc import Iterator

from studium.questions.rules.generation.facts import QuestionDraft, QuestionFamily
from studium.questions.rules.generation.wording import templates_for

_SHORT_BEHIND = re.compile(
    r"(?P<before>(?:[\w’'/-]+ ){2,10})\((?P<short>[A-Z\u0410-\u042fÄÖÜ][A-Za-z\u0410-\u044f\d/-]{1,9})\)"
)
_LONG_BEHIND = re.compile(r"\b(?P<short>[A-Z\u0410-\u042fÄÖÜ]{2,8}) \((?P<long>[^\W\d_][\w’'/ -]{5,70})\)")
_STANDS_FOR = re.compile(
    r"\b(?P<short>[A-Z][A-Za-z\d/-]{1,9}) (?:stands for|is short for|is an abbreviation (?:of|for)) "
    r"(?P<long>[^,;.()]{5,70})"
)
_ELIDED = re.compile(r"^[ldLD][’']")
_SMALL = re.compile(r"(?:of|the|for|and|in|on|to|an?|de|la|el|los|las|del|y|des|du|et|le|der|die|das|und|für|von|i|и)")


def abbreviation_questions(sentence: str, language: str) -> Iterator[QuestionDraft]:
    """What each abbreviation of a sentence stands for."""
    for found in _SHORT_BEHIND.finditer(sentence):
        if long := _long_form(found["before"].split(), found["short"]):
            yield _draft(found["short"], long, language)
    for found in _LONG_BEHIND.finditer(sentence):
        if _initials_match(found["long"].split(), found["short"]):
            yield _draft(found["short"], found["long"], language)
    for found in _STANDS_FOR.finditer(sentence):
        if _initials_match(found["long"].split(), found["short"]):
            yield _draft(found["short"], found["long"].strip(), language)


def _draft(short: str, long: str, language: str) -> QuestionDraft:
    return QuestionDraft(QuestionFamily.ABBREVIATION, templates_for(language).stands_for.format(short=short), long)


def _long_form(before: list[str], short: str) -> str:
    """The shortest run of words right before the abbreviation that begins with its letters."""
    sizes = range(2, len(before) + 1)
    runs = (before[-size:] for size in sizes)
    return next(
        (
            _ELIDED.sub("", " ".join(run))
            for run in runs
            if not _SMALL.fullmatch(run[0].lower()) and _initials_match(run, short)
        ),
        "",
    )


def _initials_match(words: list[str], short: str) -> bool:
    """Whether the letters are the first ones of the words, small words left out or not."""
    words = [_ELIDED.sub("", word) for word in words]
    letters = "".join(char for char in short if char.isalpha()).lower().removesuffix("s" if short[-1] == "s" else "\0")
    pieces = [piece for word in words for piece in word.split("-") if piece]
    every = "".join(piece[0] for piece in pieces).lower()
    telling = "".join(piece[0] for piece in pieces if not _SMALL.fullmatch(piece.lower())).lower()
    whole = "".join(word[0] for word in words).lower()
    return len(letters) > 1 and letters in (every, telling, whole)
