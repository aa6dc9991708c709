"""Signatures: whether a file holds what its name says, by how such files begin."""

from collections.abc import Callable

HEADER_SIZE = 1024
"""So many bytes of its beginning say what a file is."""

_ID3 = b"ID3"
_SYNC = 0xE0  # the upper bits of the second byte of every MPEG frame
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def _begins(*marks: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(marks)


def _is_mpeg(head: bytes) -> bool:
    framed = len(head) > 1 and head[0] == 0xFF and head[1] & _SYNC == _SYNC  # noqa: PLR2004 - likewise
    return head.startswith(_ID3) or framed


def _is_mp4(head: bytes) -> bool:
    return head[4:8] == b"ftyp"


def _is_wave(head: bytes) -> bool:
    return head.startswith(b"RIFF") and head[8:12] == b"WAVE"


def _is_webp(head: bytes) -> bool:
    return head.startswith(b"RIFF") and head[8:12] == b"WEBP"


def _is_pdf(head: bytes) -> bool:
    return b"%PDF-" in head


_MARKS: tuple[tuple[str, Callable[[bytes], bool]], ...] = (
    ("pdf", _is_pdf),
    ("apkg colpkg epub zip", _begins(b"PK\x03\x04")),
    ("aac mp3", _is_mpeg),
    ("flac", _begins(b"fLaC", _ID3)),
    ("oga ogg ogv opus", _begins(b"OggS")),
    ("3gp avif m4a m4b m4v mov mp4", _is_mp4),
    ("wav", _is_wave),
    ("mkv webm", _begins(b"\x1aE\xdf\xa3")),
    ("png", _begins(b"\x89PNG\r\n\x1a\n")),
    ("jpeg jpg", _begins(b"\xff\xd8\xff")),
    ("gif", _begins(b"GIF87a", b"GIF89a")),
    ("bmp", _begins(b"BM")),
    ("webp", _is_webp),
)
_MARK_OF = {kind: mark for kinds, mark in _MARKS for kind in kinds.split()}
_TEXTS = {
    "cfg", "conf", "csv", "htm", "html", "json", "jsonl", "lrc", "log", "markdown", "md", "nxml", "srt", "svg", "text",
    "toml", "tsv", "txt", "vtt", "xhtml", "xml", "yaml", "yml",
}  # fmt: skip


def matches_signature(kind: str, head: bytes) -> bool:
    """Whether a file of this kind (`pdf`, `mp3`) may begin so; what has no signature may begin anyhow."""
    mark = _MARK_OF.get(kind)
    return mark is None or mark(head)


def is_text(kind: str, head: bytes) -> bool:
    """Whether no byte of such a file may be 0; UTF-16, which says so at its beginning, is full of them."""
    return kind in _TEXTS and not head.startswith(_UTF_16_MARKS)


DOCUMENT_TYPES = frozenset({"pdf", "md", "markdown", "txt", "html", "htm", "xhtml", "epub", "xml"})
QUOTE_TYPES = frozenset({"md", "txt", "html", "csv", "annot", "json"})
SONG_TYPES = frozenset({"txt", "lrc", "mp3", "flac", "ogg", "opus", "m4a"})
KNOWN_WORD_TYPES = frozenset({"csv", "txt", "anki2"})
RECORDING_TYPES = frozenset({"txt", "log", "json"})
CONFIGURATION_TYPES = frozenset({"yaml", "yml", "jsonl"})

ALL_FILE_TYPES = DOCUMENT_TYPES | QUOTE_TYPES | SONG_TYPES | KNOWN_WORD_TYPES | RECORDING_TYPES | CONFIGURATION_TYPES
