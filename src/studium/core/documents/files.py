"""Files as they lie on a learner's disk: every way in which one cannot be read is a Finding that names it."""

import codecs
import errno
import os
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
    """The text of a file, or the findings that say why there is none."""

    text: str | None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class FileBytes:
    """The bytes of a file, or the findings that say why there are none."""

    data: bytes | None
    findings: tuple[Finding, ...] = ()


class FileListing(NamedTuple):
    """The files of a folder, and what could not be looked into."""

    paths: tuple[Path, ...]
    findings: tuple[Finding, ...] = ()


class _UnreadableFileError(Exception):
    """Why a file is not read; turned into a Finding before it leaves this module."""

    def __init__(self, code: str, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.line = code, message, line

    def finding(self, path: Path) -> Finding:
        where = Locator(path=display_path(path), line=self.line)
        return Finding(code=f"file.{self.code}", severity=Severity.ERROR, message=self.message, where=where)


def display_path(path: Path) -> str:
    """A path as it can be written anywhere, even if the bytes of its name are no text."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def unreadable_finding(path: Path, code: str, message: str) -> Finding:
    """The finding that keeps a file out."""
    return _UnreadableFileError(code, message).finding(path)


def read_text(path: Path, *, max_bytes: int = MAX_BYTES) -> FileText:
    """The text of a file in UTF-8 or, with a byte order mark, UTF-16; line ends stay as they are."""
    try:
        return FileText(_decode(_read(path, max_bytes)))
    except _UnreadableFileError as refused:
        return FileText(None, (refused.finding(path),))


def read_bytes(path: Path, *, max_bytes: int = MAX_BYTES) -> FileBytes:
    """The bytes of a file that is no text."""
    try:
        return FileBytes(_read(path, max_bytes))
    except _UnreadableFileError as refused:
        return FileBytes(None, (refused.finding(path),))


def find_files(root: Path, suffixes: Collection[str]) -> FileListing:
    """The files under a folder with one of these suffixes, in order; or the one file that is named.

    Hidden folders are left out, and so is whatever links lead to outside the folder.
    """
    wanted = {suffix.lower() for suffix in suffixes}
    findings: list[Finding] = []
    try:
        inside = root.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        return FileListing((), (_refusal(error).finding(root),))
    if not inside.is_dir():
        return FileListing((root,))
    paths = tuple(_walk(root, inside, wanted, findings))
    return FileListing(paths, tuple(findings))


def _walk(root: Path, inside: Path, wanted: Collection[str], findings: list[Finding]) -> Iterator[Path]:
    """Folders behind links are left out: what they hold inside the root is found there, the rest is not ours."""
    waiting = [(root, True)]
    while waiting:
        path, is_folder = waiting.pop()
        if is_folder:
            waiting.extend(reversed(_entries(path, findings)))
        elif path.suffix.lower() in wanted and _belongs(path, inside, findings):
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
    """The bytes of a regular file; whatever else it is was never opened."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            what = next((words for holds, words in _SPECIAL.items() if holds(status.st_mode)), "is no regular file")
            raise _UnreadableFileError("special", f"This {what}, not a file that can be read. Name a file.")
        _check_size(status.st_size, max_bytes)
        # O_NONBLOCK: should a pipe have taken the file's place meanwhile, opening it must not wait for a writer.
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
        megabytes = f"{size / 1e6:.1f} MB, and {max_bytes / 1e6:.1f} MB is the most that is read"
        raise _UnreadableFileError("too_large", f"The file has {megabytes}. Split it.")


def _refusal(error: OSError | RuntimeError | ValueError) -> _UnreadableFileError:
    number = error.errno if isinstance(error, OSError) else None
    # Before 3.13 Python reports a loop of links as a RuntimeError; a ValueError is a name that no file can have.
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
