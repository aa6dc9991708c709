"""A song's text: its lines in order, the sung ones told from headings, credits and chords."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from studium.core.documents.plain_text import split_lines
from studium.vocabulary.domain import LyricLine, Lyrics
from studium.vocabulary.lyrics.lyric_filter import is_chords, is_not_sung, strip_marks

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


_JOINER = 0x200D

# Direction marks, zero-width spaces and control characters are not sung; the joiner stays, for it makes emoji.
_UNSEEN = dict.fromkeys(
    code
    for codes in (range(9), range(14, 32), (0x7F, 0xAD, 0xFEFF), range(0x200B, 0x2010), range(0x202A, 0x202F))
    for code in (*codes, 0x2060, *range(0x2066, 0x206A))
    if code != _JOINER
)
_LINE_ENDS = dict.fromkeys([0x0B, 0x0C, 0x85, 0x2028, 0x2029], "\n")


def parse_lyrics(text: str, *, source: str = "") -> Lyrics:
    """The lyrics that a text holds, be it plain or LRC; blank lines part the verses and are kept, unsung."""
    lrc = parse_lrc(text.translate(_UNSEEN | _LINE_ENDS))
    return build_lyrics(lrc.lines, title=lrc.tags.get("ti", ""), artist=lrc.tags.get("ar", ""), source=source)


def build_lyrics(lines: Iterable[TimedLine], *, title: str = "", artist: str = "", source: str = "") -> Lyrics:
    """The lyrics that these lines make, numbered as they stand."""
    bare = [TimedLine(line.text and strip_marks(line.text).strip(), line.time) for line in lines]
    has_chords = any(line.text and is_chords(line.text, surely=True) for line in bare)
    numbered = (
        LyricLine(line.text, number, line.time, is_sung=_is_sung(line.text, has_chords=has_chords))
        for number, line in enumerate(bare, start=1)
    )
    return Lyrics(tuple(numbered), title=title, artist=artist, source=source)


def _is_sung(line: str, *, has_chords: bool) -> bool:
    return bool(line) and not is_chords(line, surely=not has_chords) and not is_not_sung(line)
