"""Words to learn, of any language with a dictionary: from lyrics in it as they are sung, from English in reverse."""

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from studium.core.domain.finding import Finding, Severity
from studium.vocabulary.domain import Dictionary, DictionaryEntry, Lyrics, Part, VocabularyItem, WordToken
from studium.vocabulary.skills import Claim


@dataclass(frozen=True)
class CheckedClaim:
    """A claimed word as the dictionary has it; `None` where it does not stand in the song or in the dictionary."""

    item: VocabularyItem | None
    findings: tuple[Finding, ...] = ()


class Lexicon(Protocol):
    """The words of one language for those who learn it."""

    def items_in(self, lyrics: Lyrics) -> Sequence[VocabularyItem]:
        """Every word worth learning, the most useful first."""
        ...

    def check(self, claim: Claim, items: Sequence[VocabularyItem]) -> CheckedClaim:
        """The word that a model claims, as it really is; `items` are the words of the song."""
        ...


_LONG = str.maketrans({"ā": "aa", "ī": "ii", "ū": "uu", "ē": "ee", "ō": "ou"})
_WORD = re.compile(r"[a-z]+")
_EMPTY = frozenset({"a", "an", "the", "to", "of", "be", "is", "one", "s", "something", "someone"})


def check_claim(claim: Claim, items: Sequence[VocabularyItem]) -> CheckedClaim:
    """The word of the song that is claimed, as the dictionary has it; or that there is none."""
    wanted = claim.kanji.strip()
    item = next((each for each in items if wanted in (each.kanji, each.sung, each.reading)), None)
    if item is None:
        message = f"“{wanted}” stands neither in the song nor in the dictionary as a word of it; it is left out."
        return CheckedClaim(None, (_finding("word.unknown", message),))
    findings = []
    if claim.romaji and _bare(claim.romaji) not in (_bare(item.romaji), _bare(item.sung)):
        findings.append(_finding("word.reading", f"{item.kanji} is read {item.romaji}, not {claim.romaji}."))
    if claim.english and not _share_a_word(claim.english, (item.english, *item.meanings)):
        findings.append(_finding("word.gloss", f"{item.kanji} means {item.english}, not {claim.english}."))
    return CheckedClaim(item, tuple(findings))


def _bare(romaji: str) -> str:
    """A reading however it is spelt: `Tōkyō`, `toukyou` and `tokyo` are one."""
    folded = romaji.casefold().translate(_LONG)
    letters = "".join(char for char in unicodedata.normalize("NFKD", folded) if char.isalpha())
    return re.sub(r"(?<=o)u|([aeiou])\1", lambda found: found[1] or "", letters)


def _share_a_word(one: str, others: Sequence[str]) -> bool:
    said = _words(one)
    return not said or any(_alike(word, other) for other in _words(" ".join(others)) for word in said)


def _alike(one: str, other: str) -> bool:
    """`dreams` and `dream`, `running` and `run`."""
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter) and len(shorter) > 2  # noqa: PLR2004 - shorter stems agree with anything


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold())) - _EMPTY


def _finding(code: str, message: str) -> Finding:
    return Finding(code=code, severity=Severity.WARNING, message=message)


@dataclass(frozen=True)
class CollectedWord:
    """A word in its dictionary form where it is sung first, that line, and how often it is sung."""

    word: WordToken
    line: str
    line_number: int
    count: int


def collect_words(words: Iterable[WordToken], lyrics: Lyrics) -> list[CollectedWord]:
    """The content words of a song in the order in which they are first sung."""
    sung = [line for line in lyrics.lines if line.is_sung]
    first: dict[tuple[str, str], WordToken] = {}
    counts: dict[tuple[str, str], int] = {}
    for word in words:
        if word.is_content:
            key = (word.lemma, word.lemma_reading)
            first.setdefault(key, word)
            counts[key] = counts.get(key, 0) + 1
    return [
        CollectedWord(word, sung[word.line - 1].text, sung[word.line - 1].number, counts[key])
        for key, word in first.items()
        if word.line <= len(sung)
    ]


def sung_text(lyrics: Lyrics) -> str:
    """What is sung, one line a line: words count their lines in this text."""
    return "\n".join(line.text.replace("\n", " ") for line in lyrics.lines if line.is_sung)


USEFUL_FREQUENCY = 4.8
"""The frequency (Zipf scale) of words that are common enough to meet again, and not known to everybody."""
UNKNOWN_FREQUENCY = 2.5
"""How frequent a word is taken to be that no list has."""


def learning_value(item: VocabularyItem) -> float:
    """How much is gained by learning a word: it is sung often, met often elsewhere, and no mere grammar."""
    frequency = UNKNOWN_FREQUENCY if item.frequency is None else item.frequency
    listed = 0.5 if item.jlpt else 0.0
    return math.log2(1 + item.count) + listed - abs(frequency - USEFUL_FREQUENCY)


def most_useful_first(items: list[VocabularyItem]) -> list[VocabularyItem]:
    """The words in the order in which to learn them; of equals, the one that is sung first."""
    return sorted(items, key=lambda item: (-learning_value(item), item.line_number or 0))


Analyse = Callable[[str], Sequence[WordToken]]
_REMEMBERED = 32


@dataclass(frozen=True)
class Language:
    """A language as its learners meet it: its words, whether a text is in it, and how a word is read and spoken."""

    words: Analyse
    is_written_in: Callable[[str], bool]
    romaji: Callable[[str, str], str]
    parts: Callable[[str, str], tuple[Part, ...]]
    accent: Callable[[str, str], int | None]


class SongLexicon:
    """Finds the words of songs, and says what they are by the dictionary."""

    def __init__(self, tongue: Language, dictionary: Dictionary, english: Analyse) -> None:
        self._tongue, self._dictionary, self._english = tongue, dictionary, english
        # The agent, the extraction and the verification ask for the same song one after the other.
        self._items = lru_cache(maxsize=_REMEMBERED)(self._found)

    def items_in(self, lyrics: Lyrics) -> Sequence[VocabularyItem]:
        """Every word worth learning, the most useful first."""
        return self._items(lyrics)

    def check(self, claim: Claim, items: Sequence[VocabularyItem]) -> CheckedClaim:
        """The word that a model claims, as the dictionary has it."""
        return check_claim(claim, items)

    def words_in(self, lyrics: Lyrics) -> Sequence[WordToken]:
        """Every word of the lyrics where it stands."""
        text = sung_text(lyrics)
        return self._tongue.words(text) if self._tongue.is_written_in(text) else self._english(text)

    def _found(self, lyrics: Lyrics) -> tuple[VocabularyItem, ...]:
        foreign = not self._tongue.is_written_in(sung_text(lyrics))
        make = self._translated if foreign else self._sung
        items: dict[tuple[str, str], VocabularyItem] = {}
        for each in collect_words(self.words_in(lyrics), lyrics):
            item = make(each)
            if item:
                items.setdefault((item.kanji, item.reading), item)
        return tuple(most_useful_first(list(items.values())))

    def _sung(self, each: CollectedWord) -> VocabularyItem | None:
        word = each.word
        gloss = self._dictionary.gloss(word, each.line)
        if gloss is None:
            return None
        entries = self._dictionary.look_up(word.lemma, word.lemma_reading, word.part_of_speech)
        known = entries[0] if entries else DictionaryEntry(gloss.entry, "", "", "other", ())
        entry = replace(
            known,
            written=word.lemma,
            reading=word.lemma_reading,
            part_of_speech=word.part_of_speech,
            glosses=gloss.meanings,
        )
        return self._item(each, entry, gloss.english)

    def _translated(self, each: CollectedWord) -> VocabularyItem | None:
        entries = self._dictionary.reverse(each.word.lemma, each.word.part_of_speech)
        return self._item(each, entries[0], each.word.lemma) if entries else None

    def _item(self, each: CollectedWord, entry: DictionaryEntry, english: str) -> VocabularyItem:
        written, reading = entry.written, entry.reading
        return VocabularyItem(
            kanji=written,
            romaji=self._tongue.romaji(written, reading),
            english=english,
            parts=self._tongue.parts(written, reading),
            reading=reading,
            sung=each.word.surface,
            part_of_speech=entry.part_of_speech,
            meanings=entry.glosses,
            jlpt=entry.jlpt,
            frequency=entry.frequency,
            pitch=self._tongue.accent(written, reading),
            line=each.line,
            line_number=each.line_number,
            count=each.count,
        )
