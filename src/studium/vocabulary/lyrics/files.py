"""Reading a file of lyrics, whatever kind it is; what is wrong with it is in the findings."""

from dataclasses import dataclass
from pathlib import Path

from studium.core.documents.files import display_path, read_bytes, unreadable_finding
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.text.encodings import decode_text
from studium.vocabulary.domain import Lyrics
from studium.vocabulary.lyrics.audio_tags import AUDIO_SUFFIXES, AudioTags, UnreadableTagsError, read_tags
from studium.vocabulary.lyrics.text import build_lyrics, parse_lyrics

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
