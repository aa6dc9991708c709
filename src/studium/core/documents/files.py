"""Find, read and decode files; whatever cannot be read becomes a finding with the file's path."""

import codecs
import errno
import os
import re
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from studium.core.domain.finding import Finding, Locator, Severity

MAX_BYTES = 50_000_000

_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}

_SPECIAL = {
    stat.S_ISDIR: "is a folder",
    stat.S_ISFIFO: "is a pipe",
    stat.S_ISSOCK: "is a socket",
    stat.S_ISCHR: "is a device",
    stat.S_ISBLK: "is a device",
}


@dataclass(frozen=True)
class FileText:
    """The text of a file, or the findings why it could not be read."""

    text: str | None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class FileBytes:
    """The bytes of a file, or the findings why they could not be read."""

    data: bytes | None
    findings: tuple[Finding, ...] = ()


class FileListing(NamedTuple):
    """The files of a folder, and findings for folders that cannot be opened."""

    paths: tuple[Path, ...]
    findings: tuple[Finding, ...] = ()


class _UnreadableFileError(Exception):
    """Why a file cannot be read; becomes a finding within this module."""

    def __init__(self, code: str, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.line = code, message, line

    def finding(self, path: Path) -> Finding:
        where = Locator(path=display_path(path), line=self.line)
        return Finding(code=f"file.{self.code}", severity=Severity.ERROR, message=self.message, where=where)


BAD_NAME = "file.name"
_BAD_NAME = _UnreadableFileError("name", "Its name is not valid UTF-8. Rename it; the other files are read.")


def display_path(path: Path) -> str:
    """A path as printable text, even if its name is not valid text."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def has_valid_name(path: "str | os.PathLike[str]") -> bool:
    """Whether a path is valid text; on Linux a file name may be any bytes, which no text can hold."""
    try:
        os.fspath(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def unreadable_finding(path: Path, code: str, message: str) -> Finding:
    """The finding for a file that cannot be read."""
    return _UnreadableFileError(code, message).finding(path)


def read_text(path: Path, *, max_bytes: int = MAX_BYTES) -> FileText:
    """Read a text file in UTF-8 or, with a byte order mark, UTF-16; line ends are kept."""
    try:
        return FileText(_decode(_read(path, max_bytes)))
    except _UnreadableFileError as refused:
        return FileText(None, (refused.finding(path),))


def read_bytes(path: Path, *, max_bytes: int = MAX_BYTES) -> FileBytes:
    """Read a binary file."""
    try:
        return FileBytes(_read(path, max_bytes))
    except _UnreadableFileError as refused:
        return FileBytes(None, (refused.finding(path),))


def find_files(root: Path, suffixes: Collection[str], others: list[Path] | None = None) -> FileListing:
    """The files under a folder with one of these suffixes, in order, or the given file; `others` gets the rest.

    Hidden folders are left out, and so is whatever links lead to outside the folder, or has a name that is not text.
    """
    wanted = {suffix.lower() for suffix in suffixes}
    findings: list[Finding] = []
    if not has_valid_name(root):
        return FileListing((), (_BAD_NAME.finding(root),))
    try:
        inside = root.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        return FileListing((), (_refusal(error).finding(root),))
    if not inside.is_dir():
        return FileListing((root,))
    paths = tuple(_walk(root, inside, wanted, findings, others if others is not None else []))
    return FileListing(paths, tuple(findings))


def _walk(
    root: Path, inside: Path, wanted: Collection[str], findings: list[Finding], others: list[Path]
) -> Iterator[Path]:
    """Linked folders are skipped: their files are found inside the root, or do not belong to it."""
    waiting = [(root, True)]
    while waiting:
        path, is_folder = waiting.pop()
        if not has_valid_name(path):
            if is_folder or path.suffix.lower() in wanted:
                findings.append(_BAD_NAME.finding(path))
        elif is_folder:
            waiting.extend(reversed(_entries(path, findings)))
        elif path.suffix.lower() not in wanted:
            others.append(path)
        elif _belongs(path, inside, findings):
            yield path


def _entries(folder: Path, findings: list[Finding]) -> list[tuple[Path, bool]]:
    try:
        with os.scandir(folder) as entries:
            visible = sorted(
                (entry for entry in entries if not entry.name.startswith(".")), key=lambda entry: entry.name
            )
    except OSError as error:
        findings.append(_refusal(error).finding(folder))
        return []
    return [(folder / entry.name, entry.is_dir(follow_symlinks=False)) for entry in visible]


def _belongs(path: Path, inside: Path, findings: list[Finding]) -> bool:
    if not path.is_symlink():
        return True
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        findings.append(_refusal(error).finding(path))
        return False
    return target.is_relative_to(inside) and target.is_file()


def _read(path: Path, max_bytes: int) -> bytes:
    """Read a regular file; other kinds are never opened."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            what = next((words for holds, words in _SPECIAL.items() if holds(status.st_mode)), "is no regular file")
            raise _UnreadableFileError("special", f"This {what}, not a regular file. Give the path of a file.")
        _check_size(status.st_size, max_bytes)
        # O_NONBLOCK: if a pipe has replaced the file meanwhile, opening it must not wait for a writer.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            data = file.read(max_bytes + 1)
    except (OSError, RuntimeError, ValueError) as error:
        raise _refusal(error) from error
    _check_size(len(data), max_bytes)
    return data


def _check_size(size: int, max_bytes: int) -> None:
    if size == 0:
        raise _UnreadableFileError("empty", "The file is empty. Write something into it or remove it.")
    if size > max_bytes:
        megabytes = f"{size / 1e6:.1f} MB; the limit is {max_bytes / 1e6:.1f} MB"
        raise _UnreadableFileError("too_large", f"The file has {megabytes}. Split it.")


def _refusal(error: OSError | RuntimeError | ValueError) -> _UnreadableFileError:
    number = error.errno if isinstance(error, OSError) else None
    # Before 3.13 Python reports a loop of links as a RuntimeError; a ValueError is an invalid file name.
    if number == errno.ELOOP or isinstance(error, RuntimeError):
        return _UnreadableFileError("link_loop", "The link leads back to itself. Remove it or point it at a file.")
    if number in (errno.ENOENT, errno.ENOTDIR) or isinstance(error, ValueError):
        return _UnreadableFileError(
            "missing", "The file is not there, or vanished while it was being read. Check the path."
        )
    reason = os.strerror(number) if number else str(error)
    return _UnreadableFileError("unreadable", f"The file cannot be read ({reason}). Check its permissions.")


def _decode(data: bytes) -> str:
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    if not mark and b"\0" in data:
        raise _UnreadableFileError("binary", f"The file is binary (a NUL at byte {data.index(0)}). Export it as text.")
    body, encoding = data[len(mark) :], _MARKS.get(mark, "utf-8")
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        line = body[: error.start].decode(encoding, "replace").count("\n") + 1
        place = f"byte {error.start + len(mark)} (line {line})"
        raise _UnreadableFileError(
            "encoding", f"The file is not {encoding.upper()} at {place}. Save it as UTF-8.", line
        ) from error
    if not text.strip():
        raise _UnreadableFileError("empty", "The file holds only white space. Write something into it or remove it.")
    return text


# Of texts that are not UTF-8, the encoding is guessed: Shift_JIS, EUC-JP or a Western one.
_ESCAPE = b"\x1b$"
_LEGACY = ("cp932", "euc_jp", "cp1252")
_NEEDED = 0.6
_SEEN = 50_000

_FOREIGN = re.compile(r"[^\x00-\x7f]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff\ufdd0-\ufdef\ue000-\uf8ff]")
_ACCENTED = r"[\u00c0-\u00ff\u0153\u0161]"
# Evidence for an encoding, by character. Kanji and half-width kana amid Latin letters are misread accents.
_WEIGHTS = (
    (re.compile(r"[\u3041-\u3096\u30a1-\u30fe\u3001-\u3015\uff01-\uff5e\u2026\u266a]"), 1.0),
    (re.compile(r"(?<![A-Za-z])[\uff66-\uff9f](?![A-Za-z])"), 0.85),
    (
        re.compile(rf"(?<=[A-Za-z]){_ACCENTED}|{_ACCENTED}(?=[A-Za-z])|(?<=\s){_ACCENTED}(?=\s)|(?<=[A-Za-z])\u2019"),
        0.7,
    ),
)
_KANJI = re.compile(r"(?<![A-Za-z])[\u4e00-\u9fff]")
_FIRST_LEVEL, _LAST_OF_FIRST_LEVEL = 0x889F, 0x9872


class DecodedText(NamedTuple):
    """A decoded text and its encoding."""

    text: str
    encoding: str


def decode_text(data: bytes) -> DecodedText | None:
    """Decode a file with the encoding that fits best; `None` if it is not text or none fits."""
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return _in(encoding, data[len(mark) :])
    if b"\0" in data:
        return _plausible(_in("utf-16-le", data)) or _plausible(_in("utf-16-be", data))
    if _ESCAPE in data and (found := _in("iso2022_jp_2", data)):
        return found
    return _in("utf-8", data) or decode_legacy(data)


def decode_legacy(data: bytes) -> DecodedText | None:
    """Decode with the older encoding that gives the most plausible text, if one does."""
    candidates = [found for encoding in _LEGACY if (found := _in(encoding, data))]
    return _plausible(max(candidates, key=lambda found: _sense(found.text), default=None))


def _in(encoding: str, data: bytes) -> DecodedText | None:
    try:
        return DecodedText(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        return None


def _plausible(found: DecodedText | None) -> DecodedText | None:
    return found if found and _sense(found.text) >= _NEEDED else None


def _sense(text: str) -> float:
    """The share of non-ASCII text that looks like words, from 0 to 1; 0 for a text with control characters."""
    text = text[:_SEEN]
    foreign = _FOREIGN.findall(text)
    if _CONTROL.search(text):
        return 0.0
    if not foreign:
        return 1.0
    fitting = sum(weight * len(pattern.findall(text)) for pattern, weight in _WEIGHTS)
    return (fitting + sum(map(_kanji_weight, _KANJI.findall(text)))) / len(foreign)


def _kanji_weight(sign: str) -> float:
    """The kanji of everyday use are the first level of JIS X 0208; a misread text is full of the others."""
    code = int.from_bytes(sign.encode("cp932", "ignore"), "big")
    return 0.8 if _FIRST_LEVEL <= code <= _LAST_OF_FIRST_LEVEL else 0.3
