"""Parses lyrics, plain or LRC, and tells sung lines from headings, credits, chords and leftovers of websites."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple
from unicodedata import normalize

from studium.core.documents.plain_text import split_lines
from studium.core.text.word_lists import load_word_table
from studium.vocabulary.domain import LyricLine, Lyrics

_TIME = r"\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?"
_TIMES = re.compile(rf"\s*(?:\[{_TIME}\]\s*)+")
_ONE_TIME = re.compile(r"\[(\d{1,3}):(\d{1,2})(?:[.:](\d{1,3}))?\]")
_WORD_TIMES = re.compile(rf"<{_TIME}>|\[{_TIME}\]")
_TAG = re.compile(
    r"\s*\[(ti|ar|al|au|by|offset|length|re|ve|la|lr|tool|id|hash|sign|qq|total|kana|#)\s*:(.*)\]\s*", re.IGNORECASE
)
_OFFSET = re.compile(r"\s*[+-]?\d{1,7}\s*")
# The Walaoke extension marks the singer: female, male, duet.
_SINGER = re.compile(r"[FMD]:\s+")


class TimedLine(NamedTuple):
    """A line and its time in seconds, if known."""

    text: str
    time: float | None = None


class LrcText(NamedTuple):
    """The lines in order of time, and the tags by lower-case name."""

    lines: tuple[TimedLine, ...]
    tags: Mapping[str, str]


def parse_lrc(text: str) -> LrcText:
    """Parse a text as LRC; without times, the lines keep their order."""
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
    """How many seconds to subtract from the times."""
    offset = tags.get("offset", "")
    return int(offset) / 1000 if _OFFSET.fullmatch(offset) else 0.0


def _in_order(lines: list[str], offset: float) -> Iterator[TimedLine]:
    """Repeat each line for each of its times, in order; a line without a time follows the line before it."""
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

# Direction marks, zero-width spaces and control characters; not the joiner, which emoji need.
_INVISIBLE = dict.fromkeys(
    code
    for codes in (range(9), range(14, 32), (0x7F, 0xAD, 0xFEFF), range(0x200B, 0x2010), range(0x202A, 0x202F))
    for code in (*codes, 0x2060, *range(0x2066, 0x206A))
    if code != _JOINER
)
_LINE_ENDS = dict.fromkeys([0x0B, 0x0C, 0x85, 0x2028, 0x2029], "\n")


def parse_lyrics(text: str, *, source: str = "") -> Lyrics:
    """Parse lyrics, plain or LRC; blank lines between verses are kept, as not sung."""
    lrc = parse_lrc(text.translate(_INVISIBLE | _LINE_ENDS))
    return build_lyrics(lrc.lines, title=lrc.tags.get("ti", ""), artist=lrc.tags.get("ar", ""), source=source)


def build_lyrics(lines: Iterable[TimedLine], *, title: str = "", artist: str = "", source: str = "") -> Lyrics:
    """Build lyrics from lines, numbered in order."""
    bare = [TimedLine(line.text and strip_marks(line.text).strip(), line.time) for line in lines]
    has_chords = any(line.text and is_chords(line.text, surely=True) for line in bare)
    numbered = (
        LyricLine(line.text, number, line.time, is_sung=_is_sung(line.text, has_chords=has_chords))
        for number, line in enumerate(bare, start=1)
    )
    return Lyrics(tuple(numbered), title=title, artist=artist, source=source)


def _is_sung(line: str, *, has_chords: bool) -> bool:
    return bool(line) and not is_chords(line, surely=not has_chords) and not is_not_sung(line)


# A longer line is no heading or credit.
_MAX_LENGTH = 120
_TAIL = 40

_BRACKETED = re.compile(r"[\[【\u3014{].*[\]】\u3015}]")
_IN_PARENTHESES = re.compile(r"[(<《〈](.*)[)>》〉]")
_AFTER_MARK = re.compile(r"[※△▲☆★◆◇○●□■*#](.+)")
_OPEN, _CLOSE = r"[(\uff08\[\uff3b]", r"[)\uff09\]\uff3d]"
_REPEATED = re.compile(
    rf"\s*{_OPEN}\s*(?:[x×*]\s*\d{{1,2}}|\d{{1,2}}\s*(?:x|×|times|回))\s*{_CLOSE}\s*\Z"
    r"|\s+[x×]\s*\d{1,2}\s*\Z|×\d{1,2}\s*\Z",
    re.IGNORECASE,
)
_COUNT = re.compile(r"(?:[x×*]\s*\d{1,2}|\d{1,2}\s*[x×])")

_CHORD = r"[A-G][#♯b♭]?(?:maj|min|dim|aug|sus|add|omit|[mMΔø°\d+\-()♯♭#b])*(?:/[A-G][#♯b♭]?)?"
# Possessive: both sides of a bar may end a chord, so there are many ways to read `||||`, and one is enough.
_ONLY_CHORDS = re.compile(rf"(?:(?:{_CHORD}|N\.?C\.?|[|/%\-–>:])(?:\s+|(?=\|)|(?<=\|)|\Z))++")
_SURE_CHORD = re.compile(r"\||[A-G][#♯b♭]|[A-G]\S|\S {2,}\S")
_INLINE_CHORD = re.compile(rf"\[{_CHORD}\]")
_TABLATURE = re.compile(r"[eEBGDA]?[b#]?\s*\|[-\dhpbrx~/\\|\s]*-{3}[-\dhpbrx~/\\|\s]*")


def strip_marks(line: str) -> str:
    """Remove inline chords and repeat marks from a line."""
    bare = _INLINE_CHORD.sub("", line)
    once = bare[:-_TAIL] + _REPEATED.sub("", bare[-_TAIL:])
    return once if once.strip() else bare


def is_not_sung(line: str) -> bool:
    """Tell whether a line is a heading, a direction, a credit or a leftover, or has no words."""
    if not any(map(str.isalnum, line)):
        return True
    plain = normalize("NFKC", line).strip()
    if len(plain) > _MAX_LENGTH:
        return False
    return _is_heading(plain) or _is_credit(plain) or _matches("leftovers", plain.casefold())


def is_chords(line: str, *, surely: bool) -> bool:
    """Tell whether a line is only chords; if `surely`, single letters alone do not count as chords."""
    plain = normalize("NFKC", line).strip()
    if not plain or len(plain) > _MAX_LENGTH:
        return False
    if _TABLATURE.fullmatch(plain):
        return True
    return bool(_ONLY_CHORDS.fullmatch(plain)) and (not surely or bool(_SURE_CHORD.search(plain)))


def _is_heading(line: str) -> bool:
    folded = line.casefold()
    if _BRACKETED.fullmatch(line) or _COUNT.fullmatch(folded) or _matches("parts", folded):
        return True
    inside = _IN_PARENTHESES.fullmatch(folded) or _AFTER_MARK.fullmatch(folded)
    return inside is not None and _matches("directions", inside[1].strip(" ()※"))


def _is_credit(line: str) -> bool:
    return _matches("labels", line.casefold()) or bool(_patterns()["verbs"].match(line))


def _matches(kind: str, folded: str) -> bool:
    return bool(_patterns()[kind].fullmatch(folded))


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    words = load_word_table("studium.vocabulary.lyrics", "lyric_filter.yaml")
    parts, bare = _any_of(words["parts"]), _any_of(words["credits"]["bare"])
    label = _any_of([*words["credits"]["bare"], *words["credits"]["labels"]])
    direction = _any_of([*words["parts"], *words["directions"]])
    return {
        "parts": re.compile(rf"[-=~*#\s]*(?:{parts})(?:\s*[\divx]{{1,4}})?\s*:?[-=~*#\s]*"),
        "directions": re.compile(rf"(?:[x×*]\s*\d|\d\s*[x×]|(?:{direction})|\d|[-\s:,.&/])++"),
        "labels": re.compile(
            rf"(?:{label})(?:\s*[・&/、,と+]\s*(?:{label}))*\s*:.*|(?:{bare})(?:[・&/、](?:{bare}))*(?:[\s/|].*)?"
        ),
        "verbs": re.compile(rf"(?i:{_any_of(words['credits']['verbs'])})\s+(?i:by)[\s:]+[^a-z\s]"),
        "leftovers": re.compile("|".join(f"(?:{pattern})" for pattern in words["leftovers"])),
    }


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
