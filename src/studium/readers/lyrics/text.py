"""A song's text: its lines in order, the sung ones told from headings, credits and chords."""

from collections.abc import Iterable

from studium.domain.word import LyricLine, Lyrics
from studium.readers.lyrics.lrc import TimedLine, parse_lrc
from studium.readers.lyrics.unsung import is_chords, is_unsung, without_marks

_JOINER = 0x200D

# Direction marks, zero-width spaces and control characters are not sung; the joiner stays, for it makes emoji.
_UNSEEN = dict.fromkeys(
    code
    for codes in (range(9), range(14, 32), (0x7F, 0xAD, 0xFEFF), range(0x200B, 0x2010), range(0x202A, 0x202F))
    for code in (*codes, 0x2060, *range(0x2066, 0x206A))
    if code != _JOINER
)
_LINE_ENDS = dict.fromkeys([0x0B, 0x0C, 0x85, 0x2028, 0x2029], "\n")


def lyrics_of(text: str, *, source: str = "") -> Lyrics:
    """The lyrics that a text holds, be it plain or LRC; blank lines part the verses and are kept, unsung."""
    lrc = parse_lrc(text.translate(_UNSEEN | _LINE_ENDS))
    return song(lrc.lines, title=lrc.tags.get("ti", ""), artist=lrc.tags.get("ar", ""), source=source)


def song(lines: Iterable[TimedLine], *, title: str = "", artist: str = "", source: str = "") -> Lyrics:
    """The lyrics that these lines make, numbered as they stand."""
    bare = [TimedLine(line.text and without_marks(line.text).strip(), line.time) for line in lines]
    has_chords = any(line.text and is_chords(line.text, surely=True) for line in bare)
    numbered = (
        LyricLine(line.text, number, line.time, is_sung=_is_sung(line.text, has_chords=has_chords))
        for number, line in enumerate(bare, start=1)
    )
    return Lyrics(tuple(numbered), title=title, artist=artist, source=source)


def _is_sung(line: str, *, has_chords: bool) -> bool:
    return bool(line) and not is_chords(line, surely=not has_chords) and not is_unsung(line)
