"""Reading a file of lyrics, whatever kind it is; what is wrong with it is in the findings."""

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from studium.core.documents.files import display_path, read_bytes, unreadable_finding
from studium.core.domain.errors import MissingExtra
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.text.encodings import decode_legacy, decode_text
from studium.vocabulary.domain import Lyrics
from studium.vocabulary.lyrics.parser import TimedLine, build_lyrics, parse_lyrics

AUDIO_SUFFIXES = frozenset({".mp3", ".m4a", ".mp4", ".m4b", ".flac", ".ogg", ".oga", ".opus", ".wav"})

# The synchronised ones first: their times are worth more.
_NAMES = ("syncedlyrics", "lyrics", "unsyncedlyrics", "unsynced lyrics", "unsynchronised lyrics")
_MP4_NAMES = {"©nam": "title", "©ART": "artist", "©lyr": "lyrics"}
_MP4_FREE = "----:com.apple.itunes:"
_LATIN_1 = 0
_MILLISECONDS = 2
_WORDS = (0, 1)  # what a SYLT frame holds: 0 other, 1 lyrics; the rest are chords, events and the like


class UnreadableTagsError(Exception):
    """The file is of a kind that has tags, and they are broken."""


@dataclass(frozen=True)
class AudioTags:
    """What the tags say about a song."""

    title: str = ""
    artist: str = ""
    text: str = ""
    timed: tuple[TimedLine, ...] = ()

    @property
    def size(self) -> int:
        """How many bytes of lyrics there are."""
        return len(self.text.strip().encode()) + sum(len(line.text.encode()) for line in self.timed)


class _NamedBytes(BytesIO):
    """A file in memory; mutagen looks at the name, too, to tell what it is."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


def read_tags(data: bytes, name: str) -> AudioTags | None:
    """What the tags of an audio file say; `None` if it is no audio file."""
    try:
        import mutagen
    except ImportError as error:
        raise MissingExtra(
            "Reading the tags of audio files needs the package mutagen.", remedy="pip install 'studium[lyrics]'"
        ) from error
    try:
        return _read(_NamedBytes(data, name))
    # What is not a MutagenError is raised where it trusts a length or a count that the file states wrongly.
    except (mutagen.MutagenError, ValueError, LookupError, EOFError, OverflowError, struct.error, zlib.error) as error:
        raise UnreadableTagsError(str(error) or type(error).__name__) from error


def _read(file: _NamedBytes) -> AudioTags | None:
    from mutagen import File, MutagenError
    from mutagen.id3 import ID3, ID3NoHeaderError

    try:
        opened = File(file)
    except MutagenError:
        # ID3 tags can be read even where what follows them is no audio.
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
    """The tags of MP4 and Vorbis under the same names, the first value of each."""
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
    # Of several languages the original is wanted: Japanese if it is there, else the first.
    plain = sorted(tags.getall("USLT"), key=lambda frame: frame.lang != "jpn")
    texts = [*(_mended(frame.text, frame.encoding) for frame in plain), *named]
    return AudioTags(title, artist, next((text for text in texts if text.strip()), ""))


def _texts(tags: Any, key: str) -> list[str]:
    return [_mended(str(text), frame.encoding) for frame in tags.getall(key) for text in frame.text]


def _mended(text: str, encoding: int) -> str:
    """A text as it was meant: old taggers wrote Shift_JIS and said that it was Latin-1."""
    if encoding != _LATIN_1 or text.isascii():
        return text
    try:
        found = decode_legacy(text.encode("latin-1"))
    except UnicodeEncodeError:
        return text
    return found.text if found else text


def _timed(frame: Any) -> Iterator[TimedLine]:
    """The lines of a SYLT frame: its pieces are lines, or syllables of which a line end begins or ends each line."""
    has_times = frame.format == _MILLISECONDS
    by_syllable = any("\n" in text for text, _ in frame.text)
    line, start = "", None
    for text, time in frame.text:
        for number, piece in enumerate(text.replace("\r\n", "\n").split("\n")):
            if number or not by_syllable:
                yield from _ended(line, start)
                line, start = "", None
            if piece and start is None:
                start = time / 1000 if has_times else None
            line += piece
    yield from _ended(line, start)


def _ended(line: str, start: float | None) -> Iterator[TimedLine]:
    if line.strip():
        yield TimedLine(line.strip(), start)


MAX_BYTES = 1_000_000
MAX_AUDIO_BYTES = 300_000_000

_ELSE = "Paste them, or name a text or .lrc file that holds them."


@dataclass(frozen=True)
class LyricsReading:
    """The lyrics, if there are any, and what was found wrong on the way."""

    lyrics: Lyrics | None
    findings: tuple[Finding, ...] = ()


def read_lyrics(path: Path, *, max_bytes: int = MAX_BYTES) -> LyricsReading:
    """Read the lyrics in a text, an LRC file or the tags of an audio file."""
    is_audio = path.suffix.lower() in AUDIO_SUFFIXES
    file = read_bytes(path, max_bytes=MAX_AUDIO_BYTES if is_audio else max_bytes)
    if file.data is None:
        return LyricsReading(None, file.findings)
    return _from_tags(path, file.data, max_bytes) if is_audio else _from_text(path, file.data)


def _from_text(path: Path, data: bytes) -> LyricsReading:
    decoded = decode_text(data)
    if decoded is None:
        binary = b"\0" in data
        told = "is binary, not a text" if binary else "is in no encoding that we know"
        return _refused(path, "binary" if binary else "encoding", f"The file {told}. Save the lyrics as UTF-8 text.")
    guessed = () if decoded.encoding.startswith("utf") else (_guess(path, decoded.encoding),)
    return _sung(path, parse_lyrics(decoded.text, source=display_path(path)), guessed)


def _from_tags(path: Path, data: bytes, max_bytes: int) -> LyricsReading:
    try:
        tags = read_tags(data, path.name)
    except UnreadableTagsError as error:
        return _refused(path, "broken_tags", f"The tags cannot be read ({error}). Mend the file, or: {_ELSE}")
    if tags is None:
        return _refused(path, "not_audio", f"This is not an audio file, whatever its name says. {_ELSE}")
    if tags.size > max_bytes:
        most = f"{tags.size / 1e6:.1f} MB, and {max_bytes / 1e6:.1f} MB is the most that is read"
        return _refused(path, "too_large", f"The lyrics in the tags have {most}. {_ELSE}")
    if not tags.size:
        return _refused(path, "no_lyrics", f"The tags of this file hold no lyrics. {_ELSE}")
    return _sung(path, _lyrics_in(tags, display_path(path)))


def _lyrics_in(tags: AudioTags, source: str) -> Lyrics:
    if tags.timed:
        return build_lyrics(tags.timed, title=tags.title, artist=tags.artist, source=source)
    found = parse_lyrics(tags.text, source=source)
    return Lyrics(found.lines, tags.title or found.title, tags.artist or found.artist, source)


def _sung(path: Path, lyrics: Lyrics, findings: tuple[Finding, ...] = ()) -> LyricsReading:
    if any(line.is_sung for line in lyrics.lines):
        return LyricsReading(lyrics, findings)
    return _refused(path, "no_text", f"There is no sung line in this file. {_ELSE}")


def _refused(path: Path, code: str, message: str) -> LyricsReading:
    return LyricsReading(None, (unreadable_finding(path, code, message),))


def _guess(path: Path, encoding: str) -> Finding:
    message = f"The file is not UTF-8; it was read as {encoding}. If the text looks wrong, save it as UTF-8."
    return Finding(
        code="file.encoding", severity=Severity.INFO, message=message, where=Locator(path=display_path(path))
    )
