"""Splits Japanese text into sentences, and sentences into words with SudachiPy."""

import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from studium.core.extras import needs_extra
from studium.vocabulary.japanese.kana import hiragana

# Sudachi takes kana in round brackets for a reading, and drops them.
_PLAIN_BRACKETS = str.maketrans("()", "〔〕")


@dataclass(frozen=True, slots=True)
class Segment:
    """A word as cut by Sudachi; `classes` are its part of speech and inflection, from coarse to fine."""

    surface: str
    dictionary_form: str
    normalized_form: str
    reading: str
    classes: tuple[str, ...]
    start: int
    end: int
    is_unknown: bool = False


class Segmenter:
    """Cuts sentences with Sudachi; thread-safe."""

    def __init__(self) -> None:
        self._of_thread = threading.local()

    def segments(self, sentence: str) -> list[Segment]:
        """Cut a sentence into the longest words, punctuation included."""
        return list(self._segments(sentence, "C"))

    def shortest(self, word: str) -> list[Segment]:
        """Cut a word into the shortest words that it consists of."""
        return list(self._segments(word, "A"))

    def _segments(self, sentence: str, mode: str) -> Iterator[Segment]:
        for found in self._tokenizer.tokenize(sentence.translate(_PLAIN_BRACKETS), mode=mode):
            yield Segment(
                sentence[found.begin() : found.end()],
                found.dictionary_form(),
                found.normalized_form(),
                _cached_hiragana(found.reading_form()),
                found.part_of_speech(),
                found.begin(),
                found.end(),
                found.is_oov(),
            )

    @property
    def _tokenizer(self) -> Any:
        # A tokenizer cannot be used by two threads at once; the dictionary is shared.
        if not hasattr(self._of_thread, "tokenizer"):
            self._of_thread.tokenizer = _dictionary().tokenizer()
        return self._of_thread.tokenizer


@cache
def _dictionary() -> Any:
    with needs_extra("japanese", "Reading Japanese songs"):
        return import_module("sudachipy").Dictionary(dict="core")


_cached_hiragana = lru_cache(20_000)(hiragana)


# Sudachi accepts at most 49,149 bytes; sentences are far shorter.
SENTENCE_LIMIT = 2000

_LINE_END = re.compile(r"\r\n|[\n\r\u2028\u2029\x0b\x0c\x85]")
_SENTENCE = re.compile(rf"[^。！？!?]{{1,{SENTENCE_LIMIT}}}[。！？!?」』）)]*|[。！？!?]+")
# Half-width voicing marks and combining marks belong to the character before them.
_CLUSTER = re.compile(r"(?s).[ﾞﾟ\u0300-\u036f\u3099\u309a]*")
_WITH_RUBY = re.compile(
    r"(?P<bar>[|｜])?(?P<base>[\u3400-\u9fff々ヶ]+)"
    r"(?P<ruby>(?:《(?P<pointed>[ぁ-ゖァ-ヺー]+)》)|(?:\((?P<round>[ぁ-ゖァ-ヺー]+)\)))"
)
# Kana in brackets may be sung by a chorus: it is longer than a reading, or one of these.
_MAX_KANA_PER_KANJI = 4
_SUNG_ASIDE = re.compile(
    r"(.)\1{2,}|[らラ]{2,}|[おオうウ]ー*[おオうウーっッ]*|[あア][あアーっッ]+|ねえ?|ほら|もう|ずっと|きっと"
)


@dataclass(frozen=True)
class Sentence:
    """A normalised sentence, the offsets of its characters in the text, and the readings given in the text."""

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
    """Normalise a line without invisible characters; return it with the offset of each character and of the end."""
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
    """Remove the readings given in a line (運命(さだめ), 《さだめ》), and return them."""
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
    return len(kana) <= _MAX_KANA_PER_KANJI * len(base) and not _SUNG_ASIDE.fullmatch(kana)
