"""Numbers with what they count: 三本, 10月 and 二十歳 are read as one, and so are one word here."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from studium.languages.japanese.homographs import table
from studium.languages.japanese.segmenting import Segment

_NUMBER = ("名詞", "数詞", "*", "*", "*", "*")
_NOUN = ("名詞", "普通名詞", "一般", "*", "*", "*")


def with_counters(segments: Sequence[Segment]) -> list[Segment]:
    """The segments, each number in one with its digits and its counter."""
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
    """Whether this is what numbers count with."""
    return segment.classes[2] in {"助数詞", "助数詞可能"}


def _as_one(parts: Sequence[Segment]) -> Segment:
    written = "".join(part.surface for part in parts)
    return replace(
        parts[0],
        surface=written,
        dictionary_form=written,
        normalized_form=written,
        reading="".join(part.reading for part in parts),
        # What has a reading of its own (一日, 十分) is a word of its own.
        classes=_NOUN if written in table() else _NUMBER,
        end=parts[-1].end,
    )
