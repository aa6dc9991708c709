"""Detect the encoding of a text that is not UTF-8: Western, Central European, Cyrillic, Greek and East Asian ones."""

import re
from pathlib import Path

from studium.core.documents.files import DecodedText, FileText, decode_text, display_path, read_bytes, read_text
from studium.core.domain.finding import Finding, Locator, Severity

# Those that texts are still found in; charset-normalizer knows a hundred, and takes one for another in short texts.
_CANDIDATES = (
    *("cp1252", "cp1250", "iso8859_2", "cp1251", "koi8_r", "iso8859_5", "cp1253", "cp1254", "mac_roman", "cp850"),
    *("cp932", "euc_jp", "gb18030", "big5", "cp949"),
)
# Letters that stand together only where Czech, Hungarian or Turkish is read as a Western language: one of each group,
# and none of the last.
_MISREAD = (
    ("\u00f8", "\u00ec\u0161\u017e\u00f9", ""),
    ("\u00f5\u00fb", "\u00e1\u00e9", "\u00f6\u00fc", "\u00e3\u00e7\u00ea\u00e0\u00e8\u00f1"),
    ("\u00fe", "\u00f0", "\u00e6"),
)
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_WESTERN = re.compile(
    r"(?<=[A-Za-z])[\u00c0-\u00ff\u0152\u0153\u0160\u0161]|[\u00c0-\u00ff\u0152\u0153](?=[A-Za-z])"
    r"|[\u2013\u2014\u2018\u2019\u201c-\u201e\u2022\u2026\u20ac\u00a0\u00a3\u00a7\u00a9\u00ab\u00ae\u00b0\u00bb]"
    r"|(?<![A-Za-z])[\u00a1\u00bf]"
)
_HIRAGANA = re.compile("[\u3041-\u3093]")
_SURE = 0.9
_KANA = 0.15
_SEEN = 100_000
_ESCAPE = b"\x1b$"
_NAMES = {"cp1252": "Windows-1252", "cp932": "Shift_JIS", "koi8_r": "KOI8-R", "mac_roman": "Mac Roman"}


def read_document_text(path: Path, *, max_bytes: int) -> FileText:
    """Read a text in UTF-8, or in another encoding that is detected; a finding then says which."""
    file = read_text(path, max_bytes=max_bytes)
    if file.text is not None or file.findings[0].code not in ("file.encoding", "file.binary"):
        return _without_escapes(file)
    data = read_bytes(path, max_bytes=max_bytes).data
    decoded = decode_document(data) if data else None
    if decoded is None or not decoded.text.strip():
        return file
    name = _NAMES.get(decoded.encoding) or decoded.encoding.upper().replace("_", "-")
    message = f"The file is not UTF-8: it was read as {name}. If characters are wrong, save it as UTF-8."
    where = Locator(path=display_path(path))
    return FileText(
        decoded.text, (Finding(code="document.encoding", severity=Severity.INFO, message=message, where=where),)
    )


def _without_escapes(file: FileText) -> FileText:
    """A Japanese text that was written with escapes is valid UTF-8."""
    if file.text is None or _ESCAPE.decode() not in file.text:
        return file
    decoded = decode_text(file.text.encode())
    return FileText(decoded.text, file.findings) if decoded else file


def decode_document(data: bytes) -> DecodedText | None:
    """Decode a text in whichever encoding it is; `None` if it is not text."""
    if b"\0" in data or _ESCAPE in data or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return decode_text(data)
    try:
        return DecodedText(data.decode("utf-8-sig"), "utf-8")
    except UnicodeDecodeError:
        pass
    return _western(data) or _japanese(data) or _detected(data) or decode_text(data)


def _detected(data: bytes) -> DecodedText | None:
    from charset_normalizer import from_bytes

    for match in from_bytes(data[:_SEEN], cp_isolation=list(_CANDIDATES)):
        try:
            return DecodedText(data.decode(match.encoding), match.encoding)
        except UnicodeDecodeError:  # the first part was cut within a character, or only that part is in this encoding
            continue
    return None


def _japanese(data: bytes) -> DecodedText | None:
    """The text in a Japanese encoding, if it is full of hiragana then."""
    for encoding in ("cp932", "euc_jp"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        foreign = len(_FOREIGN.findall(text[:_SEEN]))
        if len(_HIRAGANA.findall(text[:_SEEN])) > _KANA * foreign:
            return DecodedText(text, encoding)
    return None


def _western(data: bytes) -> DecodedText | None:
    """The text in Windows-1252, if it looks like a Western language in it and like none of Central Europe."""
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    foreign = _FOREIGN.findall(text[:_SEEN].lower())
    if len(_WESTERN.findall(text[:_SEEN])) < _SURE * len(foreign):
        return None
    letters = set(foreign)
    is_misread = any(
        all(letters.intersection(group) for group in groups) and letters.isdisjoint(others)
        for *groups, others in _MISREAD
    )
    return None if is_misread else DecodedText(text, "cp1252")
