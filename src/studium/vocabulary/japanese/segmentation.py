"""Japanese text cut into words by SudachiPy, each with its dictionary form and the reading of its word alone."""

import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from studium.core.domain.errors import MissingExtra
from studium.vocabulary.japanese.kana import hiragana

JAPANESE_EXTRA = "pip install 'studium[japanese]'"

# Sudachi takes kana in round brackets for the reading of the word before them, and drops it.
_PLAIN_BRACKETS = str.maketrans("()", "〔〕")


@dataclass(frozen=True, slots=True)
class Segment:
    """A word as Sudachi cuts it; `classes` are its part of speech and inflection, from coarse to fine."""

    surface: str
    dictionary_form: str
    normalized_form: str
    reading: str
    classes: tuple[str, ...]
    start: int
    end: int
    is_unknown: bool = False


class Segmenter:
    """Cuts sentences into the longest words that Sudachi knows; safe to share between threads."""

    def __init__(self) -> None:
        self._of_thread = threading.local()

    def segments(self, sentence: str) -> list[Segment]:
        """The words of a sentence, punctuation and all."""
        return list(self._segments(sentence, "C"))

    def shortest(self, word: str) -> list[Segment]:
        """A word cut into the shortest words that it is made of."""
        return list(self._segments(word, "A"))

    def _segments(self, sentence: str, mode: str) -> Iterator[Segment]:
        for found in self._tokenizer.tokenize(sentence.translate(_PLAIN_BRACKETS), mode=mode):
            yield Segment(
                sentence[found.begin() : found.end()],
                found.dictionary_form(),
                found.normalized_form(),
                _in_hiragana(found.reading_form()),
                found.part_of_speech(),
                found.begin(),
                found.end(),
                found.is_oov(),
            )

    @property
    def _tokenizer(self) -> Any:
        # A tokenizer refuses to be used by two threads at once; the dictionary behind it is shared.
        if not hasattr(self._of_thread, "tokenizer"):
            self._of_thread.tokenizer = _dictionary().tokenizer()
        return self._of_thread.tokenizer


@cache
def _dictionary() -> Any:
    try:
        return import_module("sudachipy").Dictionary(dict="core")
    except ModuleNotFoundError as error:
        raise MissingExtra("Japanese words need SudachiPy: not installed.", remedy=JAPANESE_EXTRA) from error


@lru_cache(20_000)
def _in_hiragana(kana: str) -> str:
    return hiragana(kana)


# Sudachi refuses more than 49,149 bytes at a time, and a sentence is far shorter.
SENTENCE_LIMIT = 2000

_LINE_END = re.compile(r"\r\n|[\n\r\u2028\u2029\x0b\x0c\x85]")
_SENTENCE = re.compile(rf"[^。！？!?]{{1,{SENTENCE_LIMIT}}}[。！？!?」』）)]*|[。！？!?]+")
# Half-width voicing marks and combining marks belong to the sign before them.
_CLUSTER = re.compile(r"(?s).[ﾞﾟ\u0300-\u036f\u3099\u309a]*")
_WITH_RUBY = re.compile(
    r"(?P<bar>[|｜])?(?P<base>[\u3400-\u9fff々ヶ]+)"
    r"(?P<ruby>(?:《(?P<pointed>[ぁ-ゖァ-ヺー]+)》)|(?:\((?P<round>[ぁ-ゖァ-ヺー]+)\)))"
)
# What a chorus sings in brackets is longer than a reading would be, or is no reading at all.
_SIGNS_A_KANJI = 4
_SUNG_ASIDE = re.compile(
    r"(.)\1{2,}|[らラ]{2,}|[おオうウ]ー*[おオうウーっッ]*|[あア][あアーっッ]+|ねえ?|ほら|もう|ずっと|きっと"
)


@dataclass(frozen=True)
class Sentence:
    """A sentence in plain signs: where each of them stands in the text, and the readings given for spans of it."""

    text: str
    offsets: tuple[int, ...]
    line: int
    given: dict[tuple[int, int], str] = field(default_factory=dict)


def split_sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text, with the number of the line that each is in."""
    start = 0
    for number, line in enumerate(_LINE_END.split(text), 1):
        if line.strip():
            yield from _of_line(line, start, number)
        start += len(line)
        ending = _LINE_END.match(text, start)
        start = ending.end() if ending else start


def _of_line(line: str, start: int, number: int) -> Iterator[Sentence]:
    signs, offsets = _plain(line)
    signs, offsets, given = _without_ruby(signs, offsets)
    for match in _SENTENCE.finditer(signs):
        first, end = match.span()
        places = tuple(start + offset for offset in offsets[first : end + 1])
        inside = {(a - first, b - first): kana for (a, b), kana in given.items() if first <= a and b <= end}
        yield Sentence(match.group(), places, number, inside)


def _plain(line: str) -> tuple[str, list[int]]:
    """The line in plain signs without invisible ones, and where each sign stood; one offset more marks the end."""
    if line.isascii() or (unicodedata.is_normalized("NFKC", line) and line.isprintable()):
        return line, list(range(len(line) + 1))
    signs: list[str] = []
    offsets: list[int] = []
    for match in _CLUSTER.finditer(line):
        plain = unicodedata.normalize("NFKC", match.group())
        kept = [sign for sign in plain if unicodedata.category(sign) not in {"Cf", "Cc", "Cs", "Mn", "Co", "Cn"}]
        signs += kept
        offsets += [match.start()] * len(kept)
    return "".join(signs), [*offsets, len(line)]


def _without_ruby(signs: str, offsets: list[int]) -> tuple[str, list[int], dict[tuple[int, int], str]]:
    """The line without the readings its writer gave (運命(さだめ), 《さだめ》), and which they are."""
    if "(" not in signs and "《" not in signs:
        return signs, offsets, {}
    text, places, given, done = "", [], {}, 0
    for match in _WITH_RUBY.finditer(signs):
        kana = match["pointed"] or match["round"]
        if match["round"] and not _can_be_reading(kana, match["base"]):
            continue
        text += signs[done : match.start()]
        places += offsets[done : match.start()]
        given[len(text), len(text) + len(match["base"])] = kana
        text += match["base"]
        places += offsets[match.start("base") : match.end("base")]
        done = match.end()
    return text + signs[done:], places + offsets[done:], given


def _can_be_reading(kana: str, base: str) -> bool:
    return len(kana) <= _SIGNS_A_KANJI * len(base) and not _SUNG_ASIDE.fullmatch(kana)
