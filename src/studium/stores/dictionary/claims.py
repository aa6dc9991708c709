"""Checks what a model says about a word against the dictionary; where they disagree, the dictionary wins."""

from collections.abc import Sequence

from studium.domain.finding import Finding, Severity
from studium.stores.dictionary import glossing
from studium.stores.dictionary.headword import Headword, in_hiragana


def disagreements(written: str, reading: str, english: str, headwords: Sequence[Headword]) -> list[Finding]:
    """What the dictionary does not bear out about a word, its reading and its meaning."""
    if not headwords:
        return [_warning("word.unknown", f"{written} is not in the dictionary.")]
    read_so = [word for word in headwords if _reads(word, written, reading)]
    found: list[Finding] = []
    if reading and not read_so:
        usual = headwords[0].readings_of(written)[0].text
        found.append(_warning("word.reading", f"{written} is read {usual}, not {reading}."))
    if english and not any(_means(word, english) for word in read_so or headwords):
        usual = glossing.short(headwords[0].senses[0].glosses)
        found.append(_warning("word.gloss", f"{written} means “{usual}”; no sense of it says “{english}”."))
    return found


def _reads(word: Headword, written: str, reading: str) -> bool:
    wanted = in_hiragana(reading)
    return any(in_hiragana(form.text) == wanted for form in word.readings_of(written))


def _means(word: Headword, english: str) -> bool:
    claimed = glossing.telling_words(english)
    return not claimed or any(
        claimed & glossing.telling_words(gloss) for sense in word.senses for gloss in sense.glosses
    )


def _warning(code: str, message: str) -> Finding:
    return Finding(code=code, severity=Severity.WARNING, message=message)
