"""LRC: lines with the times at which they are sung, in any order, and tags about the song."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from studium.core.documents.plain_text import split_lines

_TIME = r"\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?"
_TIMES = re.compile(rf"\s*(?:\[{_TIME}\]\s*)+")
_ONE_TIME = re.compile(r"\[(\d{1,3}):(\d{1,2})(?:[.:](\d{1,3}))?\]")
_WORD_TIMES = re.compile(rf"<{_TIME}>|\[{_TIME}\]")
_TAG = re.compile(
    r"\s*\[(ti|ar|al|au|by|offset|length|re|ve|la|lr|tool|id|hash|sign|qq|total|kana|#)\s*:(.*)\]\s*", re.IGNORECASE
)
_OFFSET = re.compile(r"\s*[+-]?\d{1,7}\s*")
# The Walaoke extension says who sings: a man, a woman, both.
_SINGER = re.compile(r"[FMD]:\s+")


class TimedLine(NamedTuple):
    """A line and the second at which it is sung, if that is known."""

    text: str
    time: float | None = None


class LrcText(NamedTuple):
    """The lines in the order in which they are sung, and the tags by their lower-case names."""

    lines: tuple[TimedLine, ...]
    tags: Mapping[str, str]


def parse_lrc(text: str) -> LrcText:
    """Read a text as LRC; one without times keeps its lines as they stand."""
    tags: dict[str, str] = {}
    untagged: list[str] = []
    for line in split_lines(text):
        if "[" in line.text and (tag := _TAG.fullmatch(line.text)):
            tags.setdefault(tag[1].lower(), tag[2].strip())
        else:
            untagged.append(line.text)
    if not any(map(_TIMES.match, untagged)):
        return LrcText(tuple(map(TimedLine, untagged)), tags)
    return LrcText(tuple(_in_order(untagged, _offset(tags))), tags)


def _offset(tags: Mapping[str, str]) -> float:
    """How many seconds sooner the lines are sung than their times say."""
    told = tags.get("offset", "")
    return int(told) / 1000 if _OFFSET.fullmatch(told) else 0.0


def _in_order(lines: list[str], offset: float) -> Iterator[TimedLine]:
    """Each line once for each of its times; what has no time stays behind the line before it."""
    placed: list[tuple[float, TimedLine]] = []
    latest = 0.0
    for line in lines:
        opening = _TIMES.match(line)
        words = _SINGER.sub("", _WORD_TIMES.sub("", line[opening.end() :] if opening else line).strip(), count=1)
        times = [max(0.0, _seconds(time) - offset) for time in _ONE_TIME.finditer(opening[0])] if opening else []
        latest = times[0] if times else latest
        placed += [(time, TimedLine(words, time)) for time in times] or [(latest, TimedLine(words))]
    return (line for _, line in sorted(placed, key=lambda place: place[0]))


def _seconds(time: re.Match[str]) -> float:
    minutes, seconds, fraction = time.groups(default="0")
    return int(minutes) * 60 + int(seconds) + float(f"0.{fraction}")
