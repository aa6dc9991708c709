"""Looks through a vault: which notes are there, and which of them changed since they were last settled."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from pathlib import Path

from studium.anki.store import AnkiStore
from studium.cards.models import CardSource, NoteContext
from studium.cards.notes import ParsedNote, read_note
from studium.cards.state import CardPolicy
from studium.core.database import Database
from studium.core.documents.files import find_files
from studium.core.documents.registry import DocumentCache
from studium.core.domain.change import FileState
from studium.core.domain.errors import NotFound
from studium.core.domain.finding import Finding, Severity
from studium.core.domain.ports import Model, Similarity
from studium.core.domain.usage import Limits

NOTE_SUFFIXES = (".md",)


@dataclass(frozen=True)
class NoteFile:
    """A note on disk: its path in the vault, where it is, and how it was seen."""

    name: str
    path: Path
    seen: FileState


@dataclass(frozen=True)
class VaultScan:
    """The notes of a vault, those that need work, and what could not be looked at.

    `names` are the notes that are there; only a whole scan can tell that a note is gone.
    """

    root: Path
    files: Mapping[str, NoteFile]
    changed: tuple[NoteFile, ...]
    names: frozenset[str]
    findings: tuple[Finding, ...] = ()
    whole: bool = True

    def also(self, names: Collection[str]) -> "VaultScan":
        """The same scan, with these notes taken for changed too."""
        known = {file.name for file in self.changed}
        more = tuple(file for name, file in self.files.items() if name in names and name not in known)
        return replace(self, changed=(*self.changed, *more))


def scan_vault(root: Path, ignore: Sequence[str], seen: Mapping[str, FileState], stamp: str) -> VaultScan:
    """Look through a folder; a note whose time and size are those it was settled with is not opened."""
    if not root.is_dir():
        raise NotFound(f"{root} is not a folder.", remedy="Name the folder of your vault; for one note use --note.")
    paths, findings = find_files(root, NOTE_SUFFIXES)
    names = {path.relative_to(root).as_posix(): path for path in paths}
    kept = {name: path for name, path in names.items() if not _ignored(name, ignore)}
    files = {name: file for name, path in kept.items() if (file := _note_file(name, path, stamp))}
    changed = tuple(file for file in files.values() if seen.get(file.name) != file.seen)
    return VaultScan(root, files, changed, frozenset(names), findings, whole=not findings)


def scan_note(root: Path, path: Path, stamp: str) -> VaultScan:
    """Look at one note of a vault, whether it changed or not."""
    inside = path.resolve()
    if not inside.is_relative_to(root.resolve()):
        raise NotFound(f"{path} is not in {root}.", remedy="Name a note of the vault.")
    file = _note_file(inside.relative_to(root.resolve()).as_posix(), inside, stamp)
    if file is None:
        raise NotFound(f"{path} does not exist.", remedy="Name a Markdown note of the vault.")
    return VaultScan(root, {file.name: file}, (file,), frozenset({file.name}), whole=False)


def _note_file(name: str, path: Path, stamp: str) -> NoteFile | None:
    try:
        found = path.stat()
    except OSError:
        return None  # it vanished since the folder was listed; the next scan knows
    return NoteFile(name, path, FileState(modified=found.st_mtime_ns, size=found.st_size, stamp=stamp))


def _ignored(name: str, ignore: Sequence[str]) -> bool:
    return any(fnmatch(name, pattern) or fnmatch(name, f"*/{pattern}") for pattern in ignore)


@dataclass(frozen=True)
class LoadedNote:
    """A note that was read, and what is wrong with it; without `parsed` it could not be read at all."""

    file: NoteFile
    parsed: ParsedNote | None
    findings: tuple[Finding, ...]

    @property
    def cards(self) -> tuple[CardSource, ...]:
        """The cards that the note asks for."""
        return self.parsed.cards if self.parsed else ()

    def context(self, cards: Mapping[str, CardSource]) -> NoteContext:
        """The note as the pipeline sees it, with these cards, each known by its id."""
        return NoteContext(
            slug=self.file.name,
            note_path=self.file.name,
            frontmatter=self.parsed.frontmatter if self.parsed else {},
            sections=self.parsed.sections if self.parsed else (),
            qa_pairs=tuple(card.model_copy(update={"card_id": key}) for key, card in cards.items()),
        )


def load_note(documents: DocumentCache, file: NoteFile) -> LoadedNote:
    """Read one note."""
    document, findings = documents.read(file.path, file.name)
    if document is None:
        return LoadedNote(file, None, findings)
    parsed = read_note(document, name=file.name)
    # That a note was passed over is worth saying; what is merely noticed beside its cards is not.
    said = tuple(f for f in parsed.findings if f.severity is not Severity.INFO or not parsed.cards)
    return LoadedNote(file, parsed, said)


@dataclass(frozen=True)
class SyncContext:
    """A vault and a sink, with all that is needed to keep them in step; without a `store` the sink is a package."""

    root: Path
    to: str
    sink: str
    database: Database
    store: AnkiStore | None
    model: Model
    policy: CardPolicy
    vault_name: str
    similarity: Similarity
    limits: Limits = field(default_factory=Limits)
