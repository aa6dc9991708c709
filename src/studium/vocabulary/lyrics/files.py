"""Reads lyrics from text files, LRC files and the tags of audio files."""

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from studium.core.documents.files import decode_legacy, decode_text, display_path, read_bytes, unreadable_finding
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.extras import needs_extra
from studium.vocabulary.domain import Lyrics
from studium.vocabulary.lyrics.parser import TimedLine, build_lyrics, parse_lyrics

MAX_BYTES = 1_000_000
MAX_AUDIO_BYTES = 300_000_000

_ALTERNATIVE = "Paste the lyrics, or use a text or .lrc file."
AUDIO_SUFFIXES = frozenset({".mp3", ".m4a", ".mp4", ".m4b", ".flac", ".ogg", ".oga", ".opus", ".wav"})

# Synchronised lyrics first, because they have times.
_NAMES = ("syncedlyrics", "lyrics", "unsyncedlyrics", "unsynced lyrics", "unsynchronised lyrics")
_MP4_NAMES = {"©nam": "title", "©ART": "artist", "©lyr": "lyrics"}
_MP4_FREE = "----:com.apple.itunes:"
_LATIN_1 = 0
_MILLISECONDS = 2
_WORDS = (0, 1)  # content types of a SYLT frame: 0 other, 1 lyrics; the rest are chords, events and so on


class UnreadableTagsError(Exception):
    """The tags of an audio file are broken."""


@dataclass(frozen=True)
class AudioTags:
    """The tags of a song: title, artist, and lyrics with or without times."""

    title: str = ""
    artist: str = ""
    text: str = ""
    timed: tuple[TimedLine, ...] = ()

    @property
    def size(self) -> int:
        """The size of the lyrics in bytes."""
        return len(self.text.strip().encode()) + sum(len(line.text.encode()) for line in self.timed)


@dataclass(frozen=True)
class LyricsReading:
    """The lyrics, if any, and the problems found."""

    lyrics: Lyrics | None
    findings: tuple[Finding, ...] = ()


def read_lyrics(path: Path, *, max_bytes: int = MAX_BYTES) -> LyricsReading:
    """Read the lyrics in a text file, an LRC file or the tags of an audio file."""
    is_audio = path.suffix.lower() in AUDIO_SUFFIXES
    file = read_bytes(path, max_bytes=MAX_AUDIO_BYTES if is_audio else max_bytes)
    if file.data is None:
        return LyricsReading(None, file.findings)
    return _from_tags(path, file.data, max_bytes) if is_audio else _from_text(path, file.data)


def _from_text(path: Path, data: bytes) -> LyricsReading:
    decoded = decode_text(data)
    if decoded is None:
        binary = b"\0" in data
        problem = "is binary, not text" if binary else "has an unknown encoding"
        return _refused(path, "binary" if binary else "encoding", f"The file {problem}. Save the lyrics as UTF-8 text.")
    guessed = () if decoded.encoding.startswith("utf") else (_encoding_guessed(path, decoded.encoding),)
    return _if_sung(path, parse_lyrics(decoded.text, source=display_path(path)), guessed)


def _from_tags(path: Path, data: bytes, max_bytes: int) -> LyricsReading:
    try:
        tags = read_tags(data, path.name)
    except UnreadableTagsError as error:
        return _refused(path, "broken_tags", f"The tags cannot be read ({error}). {_ALTERNATIVE}")
    if tags is None:
        return _refused(path, "not_audio", f"This is not an audio file, despite its name. {_ALTERNATIVE}")
    if tags.size > max_bytes:
        sizes = f"{tags.size / 1e6:.1f} MB (at most {max_bytes / 1e6:.1f} MB)"
        return _refused(path, "too_large", f"The lyrics in the tags are too long: {sizes}. {_ALTERNATIVE}")
    if not tags.size:
        return _refused(path, "no_lyrics", f"The tags of this file have no lyrics. {_ALTERNATIVE}")
    return _if_sung(path, _lyrics_in(tags, display_path(path)))


def _lyrics_in(tags: AudioTags, source: str) -> Lyrics:
    if tags.timed:
        return build_lyrics(tags.timed, title=tags.title, artist=tags.artist, source=source)
    found = parse_lyrics(tags.text, source=source)
    return Lyrics(found.lines, tags.title or found.title, tags.artist or found.artist, source)


def _if_sung(path: Path, lyrics: Lyrics, findings: tuple[Finding, ...] = ()) -> LyricsReading:
    if any(line.is_sung for line in lyrics.lines):
        return LyricsReading(lyrics, findings)
    return _refused(path, "no_text", f"There are no sung lines in this file. {_ALTERNATIVE}")


def _refused(path: Path, code: str, message: str) -> LyricsReading:
    return LyricsReading(None, (unreadable_finding(path, code, message),))


def _encoding_guessed(path: Path, encoding: str) -> Finding:
    message = f"The file is not UTF-8; it was read as {encoding}. If the text looks wrong, save it as UTF-8."
    return Finding(
        code="file.encoding", severity=Severity.INFO, message=message, where=Locator(path=display_path(path))
    )


class _NamedBytes(BytesIO):
    """A file in memory with a name, which mutagen needs to recognise the format."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


def read_tags(data: bytes, name: str) -> AudioTags | None:
    """Read the tags of an audio file; `None` if it is not one."""
    with needs_extra("lyrics", "Reading the tags of audio files"):
        import mutagen
    try:
        return _read(_NamedBytes(data, name))
    except RecursionError as error:
        raise UnreadableTagsError("they are nested too deeply") from error
    # The other errors come from wrong lengths and counts in the file.
    except (mutagen.MutagenError, ValueError, LookupError, EOFError, OverflowError, struct.error, zlib.error) as error:
        raise UnreadableTagsError(str(error) or type(error).__name__) from error


def _read(file: _NamedBytes) -> AudioTags | None:
    from mutagen import File, MutagenError
    from mutagen.id3 import ID3, ID3NoHeaderError

    try:
        opened = File(file)
    except MutagenError:
        # ID3 tags can be read even if no audio follows.
        file.seek(0)
        try:
            id3: Any = ID3
            return _from_id3(id3(file))
        except ID3NoHeaderError:
            return None
    if opened is None:
        return None
    if isinstance(opened.tags, ID3):
        return _from_id3(opened.tags)
    return _from_names(dict(_named(opened.tags or {})))


def _named(tags: Mapping[str, Any] | Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield MP4 and Vorbis tags under common names, each with its first value."""
    for key, values in tags.items() if isinstance(tags, Mapping) else dict(tags).items():
        name = _MP4_NAMES.get(key) or key.lower().removeprefix(_MP4_FREE)
        for value in values[:1] if isinstance(values, list) else [values]:
            yield name, value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _from_names(tags: Mapping[str, str]) -> AudioTags:
    text = next((tags[name] for name in _NAMES if tags.get(name, "").strip()), "")
    return AudioTags(tags.get("title", ""), tags.get("artist", ""), text)


def _from_id3(tags: Any) -> AudioTags:
    title, artist = ("".join(_texts(tags, frame)[:1]) for frame in ("TIT2", "TPE1"))
    for frame in tags.getall("SYLT"):
        if frame.type in _WORDS and (timed := tuple(_timed(frame))):
            return AudioTags(title, artist, timed=timed)
    free = {frame.desc.lower(): _texts(tags, frame.HashKey) for frame in tags.getall("TXXX")}
    named = ["".join(free.get(name, [])[:1]) for name in _NAMES]
    # Of several languages, prefer the original: Japanese, else the first.
    plain = sorted(tags.getall("USLT"), key=lambda frame: frame.lang != "jpn")
    texts = [*(_fix_encoding(frame.text, frame.encoding) for frame in plain), *named]
    return AudioTags(title, artist, next((text for text in texts if text.strip()), ""))


def _texts(tags: Any, key: str) -> list[str]:
    return [_fix_encoding(str(text), frame.encoding) for frame in tags.getall(key) for text in frame.text]


def _fix_encoding(text: str, encoding: int) -> str:
    """Decode a text again: old taggers wrote Shift_JIS and declared it as Latin-1."""
    if encoding != _LATIN_1 or text.isascii():
        return text
    try:
        found = decode_legacy(text.encode("latin-1"))
    except UnicodeEncodeError:
        return text
    return found.text if found else text


def _timed(frame: Any) -> Iterator[TimedLine]:
    """Yield the lines of a SYLT frame, whose pieces are lines or syllables with line ends."""
    has_times = frame.format == _MILLISECONDS
    by_syllable = any("\n" in text for text, _ in frame.text)
    line, start = "", None
    for text, time in frame.text:
        for number, piece in enumerate(text.replace("\r\n", "\n").split("\n")):
            if number or not by_syllable:
                yield from _finished_line(line, start)
                line, start = "", None
            if piece and start is None:
                start = time / 1000 if has_times else None
            line += piece
    yield from _finished_line(line, start)


def _finished_line(line: str, start: float | None) -> Iterator[TimedLine]:
    if line.strip():
        yield TimedLine(line.strip(), start)
