"""Uploads: the files that learners bring, each in a folder of its own, written piece by piece."""

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
from studium.core.jobs.file_types import HEADER_SIZE, is_text, matches_signature

_BESIDE = 4_096
"""What a file takes on disk beside its bytes; or a million of one byte each would be next to nothing."""


class UploadQuota:
    """The room under a folder in which every file lies in a folder of its own, which is named `.KEY` while it comes.

    The folder is counted at first, and again before anything is refused: others may have removed something, and what is
    old enough is swept out then.
    """

    def __init__(self, folder: Path, most: int, sweep: Callable[[], object]) -> None:
        self._folder, self._most, self._sweep = folder, most, sweep
        self._kept: int | None = None
        self._coming: dict[str, int] = {}
        self._counting = asyncio.Lock()

    async def take(self, key: str, size: int) -> None:
        """So much more of a file is about to be written; refused where there is no room for it."""
        self._coming[key] = self._coming.get(key, _BESIDE) + size
        if self._is_over():
            await self._count()
        if self._is_over():
            raise StorageFailed(
                f"The files that were brought fill the {self._most / 1_000_000:g} MB that they may take.",
                remedy="Remove some that you do not need any more (“What was brought”), or raise `serve.max_uploads`.",
            )

    @asynccontextmanager
    async def keeping(self, key: str) -> AsyncIterator[None]:
        """While a file that has come gets its place; not while the folder is counted, or it would be missed."""
        async with self._counting:
            yield
            if self._kept is not None:
                self._kept += self._coming.pop(key, 0)

    def leave(self, key: str) -> None:
        """Whatever came of this file, it is not coming any more."""
        self._coming.pop(key, None)

    def _is_over(self) -> bool:
        return self._kept is None or self._kept + sum(self._coming.values()) > self._most

    async def _count(self) -> None:
        async with self._counting:
            await asyncio.to_thread(self._sweep)
            coming = {f".{key}" for key in self._coming}
            self._kept = await asyncio.to_thread(_taken, self._folder, coming)


def _taken(folder: Path, besides: Collection[str]) -> int:
    taken = 0
    for each in _inside(folder):
        if each.name not in besides and each.is_dir(follow_symlinks=False):
            with suppress(FileNotFoundError):  # removed this very moment
                taken += sum(_BESIDE + file.stat(follow_symlinks=False).st_size for file in _inside(each.path))
    return taken


def _inside(folder: str | Path) -> list["os.DirEntry[str]"]:
    with os.scandir(folder) as entries:
        return list(entries)


RETENTION = timedelta(days=30)
"""For so long a file that was brought can be looked at again beside what was made of it."""

_ID = re.compile(r"[0-9a-f]{32}")
_LONGEST_NAME = 200  # bytes; file systems take 255
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_JOINERS = "\u200c\u200d"  # Persian, Hindi and many emoji are not written without them
_HALF = "."
"""Begins the name of a folder whose file is still coming."""


@dataclass(frozen=True)
class Upload:
    """One file that was brought."""

    id: str
    name: str
    path: Path
    size: int
    brought_at: datetime = field(compare=False)


class Uploads:
    """The files brought so far, under one folder; none is larger than `max_bytes`, nor all than `max_together`.

    Of what is `needed`, told by ids, nothing is removed, however old it is.
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
        self._room = UploadQuota(folder, max_together, self.purge)

    async def save(self, name: str, chunks: AsyncIterator[bytes], *, kinds: frozenset[str]) -> Upload:
        """Keep a file of one of these kinds (`pdf`, `epub`) as it comes in; of what cannot be kept nothing stays."""
        clean = safe_name(name)
        check = _Check(clean, kinds, self._max_bytes)
        key = secrets.token_hex(16)
        half = self._folder / f"{_HALF}{key}"
        try:
            file = await asyncio.to_thread(_begun, half / clean)
            with file:
                async for chunk in chunks:
                    check.take(chunk)
                    await self._room.take(key, len(chunk))
                    await asyncio.to_thread(file.write, chunk)
                check.end()
            async with self._room.keeping(key):
                await asyncio.to_thread(half.rename, self._folder / key)
        except OSError as error:
            raise StorageFailed(f"{clean} cannot be kept: {error.strerror or error}.") from error
        finally:
            self._room.leave(key)
            await asyncio.to_thread(shutil.rmtree, half, ignore_errors=True)
        return Upload(key, clean, self._folder / key / clean, check.size, datetime.now(UTC))

    def find(self, key: str) -> Upload:
        """The upload with this id."""
        with suppress(FileNotFoundError):  # removed this very moment
            for path in self._folder.joinpath(key).glob("*") if _ID.fullmatch(key) else ():
                brought_at = datetime.fromtimestamp(path.parent.stat().st_mtime, UTC)
                return Upload(key, path.name, path, path.stat().st_size, brought_at)
        raise NotFound("There is no such upload.", remedy="Upload the file again; uploads are kept for some days only.")

    def all(self) -> list[Upload]:
        """Every upload, the newest first."""
        whole = [each for each in self._folder.glob("*") if _ID.fullmatch(each.name)]
        found = []
        for each in sorted(whole, key=_age):
            with suppress(NotFound):  # removed this very moment
                found.append(self.find(each.name))
        return found

    def remove(self, key: str) -> None:
        """Forget an upload and its file."""
        found = self.find(key)
        if key in self._needed():
            raise Conflict(
                f"{found.name} is being worked on.", remedy="Remove it when that is over, or cancel the work first."
            )
        shutil.rmtree(found.path.parent, ignore_errors=True)

    def purge(self, older_than: timedelta = RETENTION) -> int:
        """Remove what was brought longer ago than this, half-brought files too; how many those were."""
        latest = time() - older_than.total_seconds()
        old = [each for each in self._folder.glob("*") if _is_ours(each) and -_age(each) < latest]
        needed = self._needed() if old else ()
        unneeded = [each for each in old if each.name not in needed]
        for each in unneeded:
            shutil.rmtree(each, ignore_errors=True)
        return len(unneeded)


def upload_ids_in(text: str) -> set[str]:
    """The ids in a text, each of which may be an upload's."""
    return set(_ID.findall(text))


class _Check:
    """What is held against one file while it comes in."""

    def __init__(self, name: str, kinds: frozenset[str], max_bytes: int) -> None:
        self._name, self._max_bytes = name, max_bytes
        self._kind = Path(name).suffix.removeprefix(".").lower()
        if self._kind not in kinds:
            wanted = ", ".join(f".{kind}" for kind in sorted(kinds))
            raise BadInput(f"{name} is not a file that is taken here.", remedy=f"Choose one of: {wanted}.")
        self._head = b""
        self._judged = False
        self.size = 0

    def take(self, chunk: bytes) -> None:
        """The next piece."""
        self.size += len(chunk)
        if self.size > self._max_bytes:
            raise BadInput(
                f"{self._name} is larger than {self._max_bytes / 1_000_000:g} MB.",
                remedy="Choose a smaller file, or raise `serve.max_upload`.",
            )
        if len(self._head) < HEADER_SIZE:
            self._head += chunk[: HEADER_SIZE - len(self._head)]
        if len(self._head) == HEADER_SIZE and not self._judged:
            self._judge()
        if b"\0" in chunk and is_text(self._kind, self._head):
            raise self._mistaken()

    def end(self) -> None:
        """The whole file was seen."""
        if not self.size:
            raise BadInput(f"{self._name} is empty.", remedy="Choose a file that holds something.")
        if not self._judged:
            self._judge()

    def _judge(self) -> None:
        self._judged = True
        if not matches_signature(self._kind, self._head):
            raise self._mistaken()

    def _mistaken(self) -> BadInput:
        return BadInput(
            f"{self._name} does not hold what a .{self._kind} file holds.",
            remedy="Choose the file itself, or give it the ending that fits it.",
        )


def safe_name(given: str) -> str:
    """A file's name as it can stand in a folder: its last part, seen as it is written, in any language."""
    last = given.replace("\\", "/").rpartition("/")[2]
    shown = "".join(sign for sign in last if unicodedata.category(sign)[0] != "C" or sign in _JOINERS)
    name = shown.strip().lstrip(". ").rstrip(". ") or "unnamed"
    name = f"_{name}" if _RESERVED.fullmatch(name) else name
    stem, dot, suffix = name.rpartition(".")
    if len(name.encode()) <= _LONGEST_NAME:
        return name
    ending = f"{dot}{suffix}".encode() if stem and len(suffix) <= 10 else b""  # noqa: PLR2004 - longer is no ending
    whole = (stem if ending else name).encode()[: _LONGEST_NAME - len(ending)]
    return whole.decode(errors="ignore") + ending.decode()


def _begun(path: Path) -> BinaryIO:
    path.parent.mkdir(parents=True)
    return path.open("xb")


def _age(folder: Path) -> float:
    try:
        return -folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _is_ours(folder: Path) -> bool:
    return bool(_ID.fullmatch(folder.name.removeprefix(_HALF)))
