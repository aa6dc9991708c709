"""Which files requests may name: those under the configured folders, and uploads."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from studium.core.domain.errors import BadInput, NotFound
from studium.core.jobs.uploads import Uploads

UPLOAD_PREFIX = "upload:"
"""Starts the name of an upload: `upload:<id>`."""

_LONGEST = 4096
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|//|.*\\")
_REMEDY = "Add the folder under `serve.roots` (`studium serve --root FOLDER`), or upload the file."


class PathPolicy:
    """The allowed folders, and the uploads."""

    def __init__(self, roots: Iterable[Path], uploads: Uploads) -> None:
        # Both as written and with links resolved: a path may be named either way.
        self.roots = tuple(dict.fromkeys(Path(os.path.abspath(root)) for root in roots))  # noqa: PTH100 - links stay
        self._real = tuple(root.resolve() for root in self.roots)
        self._uploads = uploads

    def resolve(self, given: str) -> Path:
        """The file or folder with this name, links resolved; says nothing about what lies outside the folders."""
        if given.startswith(UPLOAD_PREFIX):
            return self._uploads.find(given.removeprefix(UPLOAD_PREFIX)).path
        _refuse_odd(given)
        candidates = [path for path in self._candidates(given) if self._holds(path)]
        if not candidates:
            raise BadInput(f"{given} is outside the folders that may be read.", remedy=_REMEDY)
        found = next((path for path in candidates if path.exists()), None)
        if found is None:
            raise NotFound(f"{given} does not exist.", remedy="Check the name and the folder.")
        if not (found.is_file() or found.is_dir()):
            raise BadInput(f"{given} is neither a file nor a folder.", remedy="Name a file or a folder.")
        return found.resolve()

    def resolve_for_writing(self, given: str) -> Path:
        """The file to write with this name; its folder must exist and be allowed."""
        folder, _, name = given.rpartition("/")
        if not name or name in (".", ".."):
            raise BadInput(f"{given} is not a file name.", remedy="Name a file.")
        if folder or given.startswith("/"):
            return self._no_link(self.resolve(folder or "/") / name, given)
        return self._no_link(self.roots[0] / name, given) if self.roots else self.resolve(given)

    def _no_link(self, path: Path, given: str) -> Path:
        """A file that exists must not be a link to elsewhere."""
        _refuse_odd(given)
        return self.resolve(str(path)) if path.exists() or path.is_symlink() else path

    def _candidates(self, given: str) -> list[Path]:
        """What a path may mean: itself, or a path under each folder."""
        if given.startswith("/"):
            return [Path(given)]
        return [root / given for root in self.roots]

    def _holds(self, path: Path) -> bool:
        """Whether a path is under a folder both as written and with links resolved."""
        written = Path(os.path.normpath(path))
        if not any(written.is_relative_to(root) for root in (*self.roots, *self._real)):
            return False
        try:
            lies = path.resolve()
        except (OSError, RuntimeError):  # links in a circle
            return False
        return any(lies.is_relative_to(root) for root in self._real)


def _refuse_odd(given: str) -> None:
    """Refuse what is not a path on this system, or what a shell would expand."""
    try:
        length = len(given.encode())
    except UnicodeEncodeError:
        length = 0
    if not length or _CONTROL.search(given):
        raise BadInput("The path is empty or has control characters.", remedy="Correct the path.")
    if length > _LONGEST or any(len(part.encode()) > 255 for part in given.split("/")):  # noqa: PLR2004 - as file systems
        raise BadInput("The path is too long.", remedy="Name a file with a shorter path.")
    if given.startswith("~") or _WINDOWS.match(given):
        raise BadInput(
            f"{given} is not a supported path.",
            remedy="Write it with `/`, from the root folder or from one of the folders under `serve.roots`.",
        )
