"""Splits and joins Sudachi's segments as the dictionary has them: 走り出す is one word, 無償化措置 is not."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from studium.core.text.word_lists import load_word_list
from studium.vocabulary.japanese.homographs import homograph_table
from studium.vocabulary.japanese.kana import has_kanji, hiragana
from studium.vocabulary.japanese.segmentation import Segment, Segmenter

_NUMBER = ("名詞", "数詞", "*", "*", "*", "*")
_NOUN = ("名詞", "普通名詞", "一般", "*", "*", "*")


def join_counters(segments: Sequence[Segment]) -> list[Segment]:
    """Join each number with its digits and its counter."""
    return list(_counted(segments))


def _counted(segments: Sequence[Segment]) -> Iterator[Segment]:
    at = 0
    while at < len(segments):
        end = at
        while end < len(segments) and segments[end].classes[1] == "数詞":
            end += 1
        if at < end < len(segments) and (is_counter(segments[end]) or segments[end].classes[0] == "接尾辞"):
            end += 1
        yield _as_one(segments[at:end]) if end > at + 1 else segments[at]
        at = max(end, at + 1)


def is_counter(segment: Segment) -> bool:
    """Tell whether a segment is a counter."""
    return segment.classes[2] in {"助数詞", "助数詞可能"}


def _as_one(parts: Sequence[Segment]) -> Segment:
    written = "".join(part.surface for part in parts)
    return replace(
        parts[0],
        surface=written,
        dictionary_form=written,
        normalized_form=written,
        reading="".join(part.reading for part in parts),
        # With a reading of its own (一日, 十分), it is a word.
        classes=_NOUN if written in homograph_table() else _NUMBER,
        end=parts[-1].end,
    )


ReadingsOf = Callable[[str], Collection[str]]

_LONGEST = 4
_SHORTEST_SPLIT = 3
_SHORTEST_NUMERIC = 3
_NOUN_PARTS = {"名詞", "接尾辞", "接頭辞", "代名詞", "形状詞"}
_SEPARATE = {"固有名詞", "数詞"}
_BEFORE_NOUNS = _NOUN_PARTS | {"副詞"}


@dataclass(frozen=True)
class Compounds:
    """Cuts a sentence into words that the dictionary has; `readings_of` returns its readings of a word."""

    readings_of: ReadingsOf
    segmenter: Segmenter

    def cut_by_dictionary(self, segments: Sequence[Segment]) -> list[Segment]:
        """Split and join segments into words that the dictionary has, where possible."""
        return list(self._joined([part for segment in segments for part in self._split(segment)]))

    def _split(self, segment: Segment) -> list[Segment]:
        if (
            len(segment.surface) < _SHORTEST_SPLIT
            or segment.classes[0] != "名詞"
            or segment.classes[1] != "普通名詞"
            or not has_kanji(segment.surface)
            or self.readings_of(segment.surface)
        ):
            return [segment]
        parts = self.segmenter.shortest(segment.surface)
        return [replace(part, start=segment.start + part.start, end=segment.start + part.end) for part in parts]

    def _joined(self, segments: list[Segment]) -> Iterator[Segment]:
        at = 0
        while at < len(segments):
            size, word = self._longest(segments, at)
            yield word
            at += size

    def _longest(self, segments: list[Segment], at: int) -> tuple[int, Segment]:
        limit = next((i for i in range(1, _LONGEST) if not _can_join(segments, at, i)), _LONGEST)
        for size in range(limit, 1, -1):
            if word := self._as_one(segments[at : at + size]):
                return size, word
        return 1, segments[at]

    def _as_one(self, parts: Sequence[Segment]) -> Segment | None:
        first, last = parts[0], parts[-1]
        stem = "".join(part.surface for part in parts[:-1])
        word = stem + last.dictionary_form
        known = {hiragana(reading) for reading in self.readings_of(word)}
        has_polite_prefix = first.classes[0] == "接頭辞" and first.surface in "おご御"
        if not known or (has_polite_prefix and word not in _polite_words()):
            return None
        reading = "".join(part.reading for part in parts)
        if first.classes[1] == "数詞" and (is_counter(last) or len(word) < _SHORTEST_NUMERIC):
            return None
        is_regular = reading in known or last.classes[0] == "動詞"
        surface = stem + last.surface
        return Segment(
            surface,
            word,
            word if last.classes[0] == "動詞" else surface,
            reading if is_regular else min(known, key=lambda kana: (abs(len(kana) - len(reading)), kana)),
            _classes(parts),
            first.start,
            last.end,
        )


def _classes(parts: Sequence[Segment]) -> tuple[str, ...]:
    last = parts[-1].classes
    if last[0] == "動詞":
        return (last[0], "一般", *last[2:])
    return last if last[0] in {"名詞", "形状詞"} and last[1] != "数詞" else ("名詞", "普通名詞", "一般", "*", "*", "*")


def _can_join(segments: list[Segment], at: int, distance: int) -> bool:
    """Tell whether a segment can be joined to those before it: nouns to nouns, a verb to a verb's stem."""
    if at + distance >= len(segments):
        return False
    before, word = segments[at + distance - 1], segments[at + distance]
    if before.end != word.start or before.classes[1] == "固有名詞":
        return False
    if word.classes[1] in _SEPARATE and before.classes[1] != "数詞":
        return False
    if before.classes[0] == "動詞":
        return distance == 1 and before.classes[5].startswith("連用形") and word.classes[0] == "動詞"
    allowed = _BEFORE_NOUNS if distance == 1 else _NOUN_PARTS
    return before.classes[0] in allowed and word.classes[0] in _NOUN_PARTS and _is_bound(before, word)


def _is_bound(before: Segment, word: Segment) -> bool:
    """Tell whether one of two nouns depends on the other; independent ones stay apart (経済 対策)."""
    return (
        len(before.surface) == 1
        or len(word.surface) == 1
        or word.classes[0] == "接尾辞"
        or before.classes[0] in {"接頭辞", "副詞"}
        or before.classes[1] == "数詞"
    )


def _polite_words() -> frozenset[str]:
    return load_word_list("studium.vocabulary.japanese", "tables/polite_words.txt")
