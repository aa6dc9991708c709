"""Room: how much all the files together may take that learners bring, those still coming included."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from studium.domain.errors import StorageFailed

_BESIDE = 4_096
"""What a file takes on disk beside its bytes; or a million of one byte each would be next to nothing."""


class Room:
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
