"""Uploaded files: which types there are, the folder that each has of its own, and the quota they share."""

import asyncio
import os
import re
import secrets
import shutil
import unicodedata
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import time
from typing import BinaryIO

from studium.core.domain.errors import BadInput, Conflict, NotFound, StorageFailed
from studium.core.files import keep_private, make_folder

DOCUMENT_TYPES = frozenset({"pdf", "md", "markdown", "txt", "adoc", "asciidoc", "html", "htm", "xhtml", "epub", "xml"})
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
    "adoc", "asciidoc", "cfg", "conf", "csv", "htm",
    "html", "json", "jsonl", "lrc", "log", "markdown", "md", "nxml", "srt", "svg", "text",
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


_OVERHEAD = 4_096
"""What a file takes on disk besides its bytes; otherwise a million tiny files would count as almost nothing."""


class UploadQuota:
    """The storage that uploads share; a file that is still being uploaded is in a folder named `.KEY`.

    Usage is measured first, and again before a file is refused: files may have been removed, and old ones are purged
    then.
    """

    def __init__(self, folder: Path, max_bytes: int, sweep: Callable[[], object]) -> None:
        self._folder, self._max_bytes, self._sweep = folder, max_bytes, sweep
        self._used: int | None = None
        self._pending: dict[str, int] = {}
        self._counting = asyncio.Lock()

    async def reserve(self, key: str, size: int) -> None:
        """Reserve storage for the next part of a file, or refuse it."""
        self._pending[key] = self._pending.get(key, _OVERHEAD) + size
        if self._is_over():
            await self._count()
        if self._is_over():
            raise StorageFailed(
                f"Upload storage is full ({self._max_bytes / 1_000_000:g} MB).",
                remedy="Remove uploaded files that you no longer need, or raise `serve.max_uploads`.",
            )

    @asynccontextmanager
    async def committing(self, key: str) -> AsyncIterator[None]:
        """Hold this while a complete file is moved into place: measuring at that moment would miss it."""
        async with self._counting:
            yield
            if self._used is not None:
                self._used += self._pending.pop(key, 0)

    def release(self, key: str) -> None:
        """Release what is reserved for a file."""
        self._pending.pop(key, None)

    def _is_over(self) -> bool:
        return self._used is None or self._used + sum(self._pending.values()) > self._max_bytes

    async def _count(self) -> None:
        async with self._counting:
            await asyncio.to_thread(self._sweep)
            coming = {f".{key}" for key in self._pending}
            self._used = await asyncio.to_thread(_disk_usage, self._folder, coming)


def _disk_usage(folder: Path, besides: Collection[str]) -> int:
    taken = 0
    for each in _entries(folder):
        if each.name not in besides and each.is_dir(follow_symlinks=False):
            with suppress(FileNotFoundError):  # removed meanwhile
                taken += sum(_OVERHEAD + file.stat(follow_symlinks=False).st_size for file in _entries(each.path))
    return taken


def _entries(folder: str | Path) -> list["os.DirEntry[str]"]:
    with os.scandir(folder) as entries:
        return list(entries)


RETENTION = timedelta(days=30)
"""How long an uploaded file is kept."""

_ID = re.compile(r"[0-9a-f]{32}")
_LONGEST_NAME = 200  # bytes; file systems take 255
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_JOINERS = "\u200c\u200d"  # Persian, Hindi and many emoji are not written without them
_PARTIAL = "."
"""Starts the name of a folder whose file is still arriving."""


@dataclass(frozen=True)
class Upload:
    """One uploaded file."""

    id: str
    name: str
    path: Path
    size: int
    brought_at: datetime = field(compare=False)


class Uploads:
    """The uploaded files in one folder; each has at most `max_bytes`, all together at most `max_together`.

    `needed` returns the ids of files that must not be removed, however old.
    """

    def __init__(
        self,
        folder: Path,
        max_bytes: int,
        max_together: int = 5_000_000_000,
        *,
        needed: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        self._folder, self._max_bytes, self._needed = folder, max_bytes, needed
        self._quota = UploadQuota(folder, max_together, self.purge)

    async def save(self, name: str, chunks: AsyncIterator[bytes], *, kinds: frozenset[str]) -> Upload:
        """Save a file of one of these types (`pdf`, `epub`) as it arrives; on failure nothing is left."""
        clean = safe_name(name)
        check = _Check(clean, kinds, self._max_bytes)
        key = secrets.token_hex(16)
        partial = self._folder / f"{_PARTIAL}{key}"
        try:
            file = await asyncio.to_thread(_create, partial / clean)
            with file:
                async for chunk in chunks:
                    check.take(chunk)
                    await self._quota.reserve(key, len(chunk))
                    await asyncio.to_thread(file.write, chunk)
                check.end()
            async with self._quota.committing(key):
                await asyncio.to_thread(partial.rename, self._folder / key)
        except OSError as error:
            raise StorageFailed(f"{clean} cannot be saved: {error.strerror or error}.") from error
        finally:
            self._quota.release(key)
            await asyncio.to_thread(shutil.rmtree, partial, ignore_errors=True)
        return Upload(key, clean, self._folder / key / clean, check.size, datetime.now(UTC))

    def find(self, key: str) -> Upload:
        """The upload with this id."""
        with suppress(FileNotFoundError):  # removed meanwhile
            for path in self._folder.joinpath(key).glob("*") if _ID.fullmatch(key) else ():
                brought_at = datetime.fromtimestamp(path.parent.stat().st_mtime, UTC)
                return Upload(key, path.name, path, path.stat().st_size, brought_at)
        raise NotFound("There is no such upload.", remedy="Upload the file again; uploads are kept for some days only.")

    def all(self) -> list[Upload]:
        """Every upload, the newest first."""
        whole = [each for each in self._folder.glob("*") if _ID.fullmatch(each.name)]
        found = []
        for each in sorted(whole, key=_age):
            with suppress(NotFound):  # removed meanwhile
                found.append(self.find(each.name))
        return found

    def remove(self, key: str) -> None:
        """Delete an upload and its file."""
        found = self.find(key)
        if key in self._needed():
            raise Conflict(
                f"{found.name} is used by a job.",
                remedy="Remove it when the job has finished, or cancel the job first.",
            )
        shutil.rmtree(found.path.parent, ignore_errors=True)

    def purge(self, older_than: timedelta = RETENTION) -> int:
        """Remove older uploads, incomplete ones too, and return how many."""
        latest = time() - older_than.total_seconds()
        old = [each for each in self._folder.glob("*") if _is_ours(each) and -_age(each) < latest]
        needed = self._needed() if old else ()
        unneeded = [each for each in old if each.name not in needed]
        for each in unneeded:
            shutil.rmtree(each, ignore_errors=True)
        return len(unneeded)


def upload_ids_in(text: str) -> set[str]:
    """The upload ids in a text."""
    return set(_ID.findall(text))


class _Check:
    """Checks one file while it arrives."""

    def __init__(self, name: str, kinds: frozenset[str], max_bytes: int) -> None:
        self._name, self._max_bytes = name, max_bytes
        self._kind = Path(name).suffix.removeprefix(".").lower()
        if self._kind not in kinds:
            wanted = ", ".join(f".{kind}" for kind in sorted(kinds))
            raise BadInput(f"{name} is not a supported file type.", remedy=f"Choose one of: {wanted}.")
        self._head = b""
        self._is_checked = False
        self.size = 0

    def take(self, chunk: bytes) -> None:
        """Check the next chunk."""
        self.size += len(chunk)
        if self.size > self._max_bytes:
            raise BadInput(
                f"{self._name} is larger than {self._max_bytes / 1_000_000:g} MB.",
                remedy="Choose a smaller file, or raise `serve.max_upload`.",
            )
        if len(self._head) < HEADER_SIZE:
            self._head += chunk[: HEADER_SIZE - len(self._head)]
        if len(self._head) == HEADER_SIZE and not self._is_checked:
            self._check_signature()
        if b"\0" in chunk and is_text(self._kind, self._head):
            raise self._wrong_type()

    def end(self) -> None:
        """Check the end of the file."""
        if not self.size:
            raise BadInput(f"{self._name} is empty.", remedy="Choose a file with content.")
        if not self._is_checked:
            self._check_signature()

    def _check_signature(self) -> None:
        self._is_checked = True
        if not matches_signature(self._kind, self._head):
            raise self._wrong_type()

    def _wrong_type(self) -> BadInput:
        return BadInput(
            f"{self._name} is not a valid .{self._kind} file.",
            remedy="Choose another file, or rename it to its real type.",
        )


def safe_name(given: str) -> str:
    """A safe file name: the last part of the path, without control characters, in any language."""
    last = given.replace("\\", "/").rpartition("/")[2]
    shown = "".join(sign for sign in last if unicodedata.category(sign)[0] != "C" or sign in _JOINERS)
    name = shown.strip().lstrip(". ").rstrip(". ") or "unnamed"
    name = f"_{name}" if _RESERVED.fullmatch(name) else name
    stem, dot, suffix = name.rpartition(".")
    if len(name.encode()) <= _LONGEST_NAME:
        return name
    ending = f"{dot}{suffix}".encode() if stem and len(suffix) <= 10 else b""  # noqa: PLR2004 - longer is not a suffix
    whole = (stem if ending else name).encode()[: _LONGEST_NAME - len(ending)]
    return whole.decode(errors="ignore") + ending.decode()


def _create(path: Path) -> BinaryIO:
    make_folder(path.parent)
    file = path.open("xb")
    keep_private(path)
    return file


def _age(folder: Path) -> float:
    try:
        return -folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _is_ours(folder: Path) -> bool:
    return bool(_ID.fullmatch(folder.name.removeprefix(_PARTIAL)))
