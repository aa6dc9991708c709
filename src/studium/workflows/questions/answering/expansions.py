"""What an abbreviation stands for: `Open Shortest Path First (OSPF)`, `OSPF (Open Shortest Path First)`."""

import re
from collections.abc import Iterator

from studium.workflows.questions.answering.kinds import WORDS
from studium.workflows.questions.answering.lookup import Found, Lookup
from studium.workflows.questions.comparing.words import words_in

_CAPITAL = r"[A-ZÄÖÜ\u0410-\u042f]"
_ABBREVIATION = re.compile(rf"\b{_CAPITAL}[^\W_]*(?:{_CAPITAL}|\d)[^\W_]*\b")
_STANDS_FOR = rf"\b[^.]{{0,30}}?\b(?:{WORDS.any_of('full_forms')})\s+[\"“„«]?(?P<full>[^.;,()\"”»]+)"
_IN_BRACKETS = r"s?\s*\(\s*(?:or |short for |kurz für |von )?(?P<full>[^()]{4,80})\)"
MOST_WORDS = 9


def expansions(lookup: Lookup) -> Iterator[Found]:
    """Every expansion of the abbreviation that the document gives."""
    asked = _ABBREVIATION.search(lookup.asked.text)
    if not asked:
        return
    short = asked[0]
    for line in lookup.reading.lines:
        if short in line.text:
            for full in _full_forms(short, line.text):
                yield Found(full.strip(), line.quote, 1.0)


def _full_forms(short: str, text: str) -> Iterator[str]:
    for pattern in (_STANDS_FOR, _IN_BRACKETS):
        for found in re.finditer(re.escape(short) + pattern, text):
            if _initials_fit(short, found["full"]):
                yield found["full"]
    for found in re.finditer(rf"\(\s*{re.escape(short)}s?\b[^()]*\)", text):
        if full := _before(short, text[: found.start()]):
            yield full


def _before(short: str, text: str) -> str | None:
    """The words right before the brackets whose initials make the abbreviation."""
    words = words_in(text)[-MOST_WORDS:]
    for count in range(1, len(words) + 1):
        chosen = words[-count:]
        full = text[chosen[0].start :].strip()
        if chosen[0].text[0].casefold() == short[0].casefold() and _initials_fit(short, full):
            return full
    return None


def _initials_fit(short: str, full: str) -> bool:
    """Whether the letters of the abbreviation begin the words, or parts of them, in order."""
    letters = [letter.casefold() for letter in short if letter.isalpha()]
    words = [word.text.casefold() for word in words_in(full)]
    if not words or not letters or words[0][0] != letters[0] or len(words) > MOST_WORDS:
        return False
    text, at = " ".join(words), 0
    for letter in letters:
        at = text.find(letter, at) + 1
        if not at:
            return False
    initials = [word[0] for word in words]
    return sum(letter in initials for letter in letters) * 2 >= len(letters)
