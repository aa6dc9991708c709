"""The file types that can be uploaded, and whether a file is what its name says."""

from collections.abc import Callable

DOCUMENT_TYPES = frozenset({"pdf", "md", "markdown", "txt", "html", "htm", "xhtml", "epub", "xml"})
QUOTE_TYPES = frozenset({"md", "txt", "html", "csv", "annot", "json"})
SONG_TYPES = frozenset({"txt", "lrc", "mp3", "flac", "ogg", "opus", "m4a"})
KNOWN_WORD_TYPES = frozenset({"csv", "txt", "anki2"})
RECORDING_TYPES = frozenset({"txt", "log", "json"})
CONFIGURATION_TYPES = frozenset({"yaml", "yml", "jsonl"})

ALL_FILE_TYPES = DOCUMENT_TYPES | QUOTE_TYPES | SONG_TYPES | KNOWN_WORD_TYPES | RECORDING_TYPES | CONFIGURATION_TYPES

HEADER_SIZE = 1024
"""The number of bytes at the start of a file that are looked at."""

_ID3 = b"ID3"
_MPEG_SYNC = 0xE0  # the upper bits of the second byte of every MPEG frame
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_TEXTS = {
    "cfg", "conf", "csv", "htm", "html", "json", "jsonl", "lrc", "log", "markdown", "md", "nxml", "srt", "svg", "text",
    "toml", "tsv", "txt", "vtt", "xhtml", "xml", "yaml", "yml",
}  # fmt: skip


def matches_signature(kind: str, head: bytes) -> bool:
    """Whether a file of this type (`pdf`, `mp3`) may start so; a type without a signature may start in any way."""
    if ours := _SIGNATURES.get(kind):
        return ours(head)
    import filetype  # slow to load

    known = filetype.get_type(ext="jpg" if kind == "jpeg" else kind)
    return known is None or bool(known.match(bytearray(head)))


def is_text(kind: str, head: bytes) -> bool:
    """Whether no byte of such a file may be 0; UTF-16, which announces itself with a mark, is full of them."""
    return kind in _TEXTS and not head.startswith(_UTF_16_MARKS)


def _starts_with(*marks: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(marks)


def _is_mpeg(head: bytes) -> bool:
    framed = len(head) > 1 and head[0] == 0xFF and head[1] & _MPEG_SYNC == _MPEG_SYNC  # noqa: PLR2004 - a bit pattern
    return head.startswith(_ID3) or framed


# Where `filetype` would refuse files that exist: a PDF after other bytes, tagged FLAC, further MPEG and MP4 variants.
_SIGNATURES: dict[str, Callable[[bytes], bool]] = {
    kind: signature
    for kinds, signature in (
        ("pdf", lambda head: b"%PDF-" in head),
        ("apkg colpkg epub zip", _starts_with(b"PK\x03\x04")),
        ("aac mp3", _is_mpeg),
        ("flac", _starts_with(b"fLaC", _ID3)),
        ("oga ogg ogv opus", _starts_with(b"OggS")),
        ("3gp m4a m4b m4v mov mp4", lambda head: head[4:8] == b"ftyp"),
    )
    for kind in kinds.split()
}
