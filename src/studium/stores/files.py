"""Writes a file whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from studium.domain.errors import StorageFailed


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """A path to write to; it takes the target's place only when the block ends well."""
    part = target.with_name(f".{target.name}.{token_hex(4)}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield part
        _flush(part)
        part.replace(target)
    except OSError as error:
        raise StorageFailed(f"{target} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_text(target: Path, text: str) -> None:
    """Write a text file whole or not at all."""
    with written_whole(target) as part:
        part.write_text(text, encoding="utf-8")


def _flush(path: Path) -> None:
    """A rename may reach the disk before the bytes do, unless they are flushed first."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
