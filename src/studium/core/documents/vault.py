"""A vault: a folder of notes and attachments, with links resolved as Obsidian does.

[[Note]]                   the note of that name, in any folder
[[folder/Note#Heading]]    the note whose path ends like this
[[#Heading]]               the note itself
![](../img/a%20b.png)      decoded by the caller: a path from the note's folder
"""

import os
import posixpath
import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from unicodedata import normalize
from urllib.parse import quote

from studium.core.documents.files import has_valid_name

_NOT_IN_HEADING_LINKS = re.compile(r"[#|^\\:%\[\]\s]+")
_ABSOLUTE = re.compile(r"/|[a-z][a-z0-9+.-]*:", re.IGNORECASE)


@dataclass(frozen=True)
class Vault:
    """A folder of notes, its name in Obsidian, and its files as relative POSIX paths."""

    root: Path
    name: str
    files: Collection[str]

    @classmethod
    def of(cls, root: Path, name: str) -> "Vault":
        """The vault in a folder, without hidden files and folders (`.obsidian`) and names that are not text."""
        files: list[str] = []
        for folder, below, names in os.walk(root):
            below[:] = [each for each in below if _is_listed(each)]
            inside = Path(folder).relative_to(root).as_posix() + "/"
            files += [(inside + each).removeprefix("./") for each in names if _is_listed(each)]
        return cls(root, name, tuple(files))

    def resolve(self, target: str, from_note: str) -> str | None:
        """The file that a link in a note refers to, relative to the root; None if it is missing or outside."""
        found = self._find(target, from_note)
        return found if found is not None and self._is_inside(found) else None

    def leads_outside(self, target: str, from_note: str) -> bool:
        """Whether a link leaves the vault: upwards, by an absolute path, or through a symbolic link."""
        wanted = _path_of(target)
        found = self._find(target, from_note)
        if found is not None:
            return not self._is_inside(found)
        from_here = posixpath.normpath(posixpath.join(posixpath.dirname(from_note), wanted))
        return bool(_ABSOLUTE.match(wanted)) or from_here.startswith("..")

    def relative(self, path: str) -> str:
        """A note's path inside the vault, from a relative or absolute path."""
        return path.removeprefix(f"{self.root.as_posix()}/")

    def path(self, file: str) -> Path:
        """The path of a file of the vault on this machine."""
        return self.root / file

    def link(self, file: str, heading: str = "") -> str:
        """The URL that opens a file in Obsidian, at a heading or a block (`^id`)."""
        anchor = heading if heading.startswith("^") else _NOT_IN_HEADING_LINKS.sub(" ", heading).strip()
        place = file.removesuffix(".md") + (f"#{anchor}" if anchor else "")
        return self._opening + _quoted(place)

    def _find(self, target: str, from_note: str) -> str | None:
        wanted = _path_of(target)
        if not wanted:
            return from_note
        folder = from_note.rpartition("/")[0]
        anchored = wanted.startswith(("/", "./", "../"))
        path = wanted.lstrip("/")
        if anchored or "/." in wanted:
            path = posixpath.normpath(posixpath.join(folder if wanted.startswith(".") else "", path))
        key = _folded(path)
        name = key.rpartition("/")[2]
        for ending in ("", ".md"):
            matches = [
                file for file in self._by_name.get(name + ending, ()) if _ends_with(file, key + ending, anchored)
            ]
            if matches:
                return min(matches, key=lambda file: _distance(file, key + ending, folder))
        return None

    @cached_property
    def _opening(self) -> str:
        return f"obsidian://open?vault={_quoted(self.name)}&file="

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found = defaultdict(list)
        for file in self.files:
            found[_folded(posixpath.basename(file))].append(file)
        return dict(found)

    def _is_inside(self, file: str) -> bool:
        known = self._inside.get(file)
        if known is None:
            known = self._inside[file] = os.path.realpath(self.path(file)).startswith(self._real_root)
        return known

    @cached_property
    def _inside(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _real_root(self) -> str:
        return os.path.realpath(self.root).rstrip("/") + "/"


def _is_listed(name: str) -> bool:
    return not name.startswith(".") and has_valid_name(name)


@lru_cache(maxsize=4096)
def _quoted(text: str) -> str:
    return quote(text, safe="")


def _path_of(target: str) -> str:
    """The path of a link, without heading, block and alias."""
    return target.partition("|")[0].partition("#")[0].strip().replace("\\", "/")


def _folded(path: str) -> str:
    """A path for comparison, ignoring case and the encoding of accents (macOS decomposes them)."""
    return path.lower() if path.isascii() else normalize("NFC", path).casefold()


def _ends_with(file: str, key: str, whole: bool) -> bool:
    folded = _folded(file)
    return folded == key or (not whole and folded.endswith(f"/{key}"))


def _distance(file: str, key: str, folder: str) -> tuple[bool, bool, int, str]:
    """The sort key of matches: the exact path first, then files beside or below the note, then the shortest path."""
    near = not folder or file.startswith(f"{folder}/")
    return _folded(file) != key, not near, len(file), file
