"""The files of a vault's folder: which note is whose, wherever its reader moved it, and which names are free."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, count
from pathlib import Path, PurePosixPath
from unicodedata import category, normalize

from studium.concepts.notes.note import published_note
from studium.core.documents.vault import Vault
from studium.core.domain.change import PublishedVersion
from studium.core.domain.errors import StorageFailed
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.files import atomic_write

MAX_NAME_LENGTH = 100
_MOST_BYTES = 200  # of the 255 that a name may have: a number and the ending come behind it
_WRITTEN = {"/": "-", "\\": "-", "|": "-", '"': "'", "[": "(", "]": ")"}
_SPACED_COLON = re.compile(r"\s*:\s+")
_UNWELCOME = re.compile(r"[*?<>#^:]+|%%")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\..*)?", re.IGNORECASE)
_JOINERS = "\u200c\u200d"


def file_name(title: str, fallback: str) -> str:
    """A name, without ending, that reads like the title; the fallback where nothing of the title can stand in one."""
    text = "".join(_WRITTEN.get(char, char) for char in map(_spaced, normalize("NFC", title)))
    text = _UNWELCOME.sub(" ", _SPACED_COLON.sub(" - ", text))
    name = _shortened(_trimmed(text))
    if not name.strip("-' ()"):
        return fallback
    return f"({name})" if _RESERVED.fullmatch(name) else name


def fold_name(name: str) -> str:
    """A name as file systems compare it: neither case nor the form of an accent counts."""
    return normalize("NFC", normalize("NFC", name).casefold())


def unique_name(name: str, qualifiers: Iterable[str], taken: Collection[str]) -> str:
    """The name, or what tells it from the (folded) names that are taken: a qualifier in brackets, else a number."""
    wordy = (
        f"{name} ({qualifier})" for qualifier in qualifiers if len(f"{name} ({qualifier})".encode()) <= _MOST_BYTES
    )
    numbered = (f"{name} ({number})" for number in count(2))
    return next(each for each in chain([name], wordy, numbered) if fold_name(each) not in taken)


def _spaced(char: str) -> str:
    """Nothing for a sign that cannot be seen, a space for any that parts words."""
    kind = category(char)
    if char.isspace() or kind in ("Zl", "Zp"):
        return " "
    return "" if kind in ("Cc", "Cs") or (kind == "Cf" and char not in _JOINERS) else char


def _trimmed(text: str) -> str:
    return " ".join(text.split()).lstrip(". -").rstrip(". -")


def _shortened(name: str) -> str:
    """Cut at a word, and never inside a letter or emoji that is made of several signs."""
    if len(name) <= MAX_NAME_LENGTH and len(name.encode()) <= _MOST_BYTES:
        return name
    import regex

    kept, size = "", 0
    for letter in regex.findall(r"\X", name):
        size += len(letter.encode())
        if len(kept) + len(letter) > MAX_NAME_LENGTH or size > _MOST_BYTES:
            break
        kept += letter
    words = kept.rpartition(" ")[0]
    return _trimmed(words if len(words) > len(kept) // 2 else kept) + "…"


_HEAD = 16_384
_UUID = re.compile(r"^uuid[ \t]*:[ \t]*(?P<quote>[\"']?)(?P<uuid>[^\r\n]+?)(?P=quote)[ \t]*\r?$", re.MULTILINE)
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)


@dataclass
class NoteFiles:
    """A folder with its notes: `paths` leads from a concept to its file, which may be one still to be written."""

    folder: Path
    files: set[str]
    paths: dict[str, str]
    findings: list[Finding] = field(default_factory=list)

    @classmethod
    def of(cls, folder: Path, bases: Mapping[str, PublishedVersion]) -> "NoteFiles":
        """Look through a folder; a note without its uuid is known by where we wrote it and what is left of it."""
        files = sorted(file for file in Vault.of(folder, folder.name).files if file.lower().endswith(".md"))
        found = cls(folder, set(files), {})
        for file in files:
            if uuid := _uuid(folder / file):
                found._take(uuid, file, bases)
        free = found.files - set(found.paths.values())
        for uuid, base in bases.items():
            path = base.about["path"]
            if uuid not in found.paths and path in free and _is_left_of(base, folder / path):
                found.paths[uuid] = path
        return found

    def _take(self, uuid: str, file: str, bases: Mapping[str, PublishedVersion]) -> None:
        """Of copies of a note, the one that lies where we wrote it is the note."""
        first = self.paths.setdefault(uuid, file)
        if first == file:
            return
        if uuid in bases and bases[uuid].about["path"] == file:
            first, self.paths[uuid] = file, file
        message = (
            f"Several notes have the uuid {uuid}; only {first} is kept up to date. Remove the uuid from the others."
        )
        self.findings.append(
            Finding(code="concept_note.copy", severity=Severity.WARNING, message=message, where=Locator(path=file))
        )

    def place(self, uuid: str, title: str, books: Sequence[str], fallback: str) -> None:
        """Give a new note a name that no other note has."""
        qualifiers = [file_name(book, fallback) for book in books]
        name = unique_name(file_name(title, fallback), qualifiers, self._names)
        self._names[fold_name(name)] += 1
        self.paths[uuid] = f"{name}.md"

    def exists(self, uuid: str) -> bool:
        """Whether the note was there when we looked."""
        return self.paths[uuid] in self.files

    def name(self, uuid: str) -> str:
        """A note's file name, without ending."""
        return PurePosixPath(self.paths[uuid]).stem

    def links(self) -> dict[str, str]:
        """What leads to each note: its name, or its path where two notes have one name."""
        return {
            uuid: self.name(uuid) if self._names[fold_name(self.name(uuid))] == 1 else path.removesuffix(".md")
            for uuid, path in self.paths.items()
        }

    @cached_property
    def _names(self) -> Counter[str]:
        return Counter(fold_name(PurePosixPath(file).stem) for file in self.files)

    def read(self, uuid: str) -> str | None:
        """A note's text; `None` if it is not in UTF-8."""
        path = self.folder / self.paths[uuid]
        try:
            return path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            return None
        except OSError as error:
            raise StorageFailed(f"{path} cannot be read: {error.strerror or error}") from error

    def write(self, uuid: str, text: str) -> None:
        """Write a note whole or not at all; a link to a file elsewhere stays a link."""
        with atomic_write((self.folder / self.paths[uuid]).resolve()) as part:
            part.write_bytes(text.encode("utf-8"))
        self.files.add(self.paths[uuid])

    def remove(self, uuid: str) -> None:
        """Remove a note."""
        path = self.folder / self.paths[uuid]
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StorageFailed(f"{path} cannot be removed: {error.strerror or error}") from error


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8", errors="replace").removeprefix("\ufeff")
    except OSError:
        return ""


def _uuid(path: Path) -> str | None:
    """The uuid in a note's frontmatter."""
    head = _head(path)
    if not head.startswith("---"):
        return None
    closing = _CLOSING.search(head, 3)
    found = _UUID.search(head, 3, closing.start() if closing else len(head))
    return found["uuid"] if found else None


def _is_left_of(base: PublishedVersion, path: Path) -> bool:
    """Whether a file without a uuid still has a section of the note that we wrote there."""
    lines = {line.strip() for line in _head(path).splitlines()}
    return _uuid(path) is None and any(section.heading in lines for section in published_note(base).sections.values())
