"""Scans a vault: which notes it has, which changed since the last sync, and what a sync needs to work on them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from studium.anki.store import AnkiStore
from studium.cards.models import CardSource, NoteContext
from studium.cards.notes import ParsedNote, read_note
from studium.cards.state import CardPolicy
from studium.core.database import Database
from studium.core.documents.files import BAD_NAME, display_path, find_files, has_valid_name
from studium.core.documents.registry import DocumentCache
from studium.core.domain.decision import FileState
from studium.core.domain.errors import BadInput, NotFound
from studium.core.domain.finding import Finding, Severity
from studium.core.domain.ports import Model, Similarity
from studium.core.domain.usage import Limits
from studium.core.text.patterns import compile_globs

NOTE_SUFFIXES = (".md",)


@dataclass(frozen=True)
class NoteFile:
    """A note on disk: its path in the vault, its path on this machine, and its state (time, size, settings)."""

    name: str
    path: Path
    state: FileState


@dataclass(frozen=True)
class VaultScan:
    """The notes of a vault, those that changed, and findings about folders that could not be read.

    `names` are all notes, ignored ones too; only a `whole` scan can tell that a note is gone.
    """

    root: Path
    files: Mapping[str, NoteFile]
    changed: tuple[NoteFile, ...]
    names: frozenset[str]
    findings: tuple[Finding, ...] = ()
    whole: bool = True

    def including(self, names: Collection[str]) -> "VaultScan":
        """The same scan, with these notes counted as changed."""
        known = {file.name for file in self.changed}
        more = tuple(file for name, file in self.files.items() if name in names and name not in known)
        return replace(self, changed=(*self.changed, *more))


def scan_vault(root: Path, ignore: Sequence[str], known: Mapping[str, FileState], stamp: str) -> VaultScan:
    """List the notes of a folder; a note is changed if its time, size or stamp differ from the known state."""
    if not root.is_dir():
        raise NotFound(f"{root} is not a folder.", remedy="Pass the folder of your vault; for one note use --note.")
    if not has_valid_name(root):
        raise BadInput(f"The name of the folder {display_path(root)} is not valid UTF-8.", remedy="Rename the folder.")
    paths, findings = find_files(root, NOTE_SUFFIXES)
    names = {path.relative_to(root).as_posix(): path for path in paths}
    ignored = compile_globs(ignore)
    kept = {name: path for name, path in names.items() if not ignored(name)}
    files = {name: file for name, path in kept.items() if (file := _note_file(name, path, stamp))}
    changed = tuple(file for file in files.values() if known.get(file.name) != file.state)
    # A note whose name is not text was never known, so leaving it out makes no known note look gone.
    is_whole = all(finding.code == BAD_NAME for finding in findings)
    return VaultScan(root, files, changed, frozenset(names), findings, whole=is_whole)


def scan_note(root: Path, path: Path, stamp: str) -> VaultScan:
    """Scan one note of a vault, changed or not."""
    inside = path.resolve()
    if not inside.is_relative_to(root.resolve()):
        raise NotFound(f"{path} is not in {root}.", remedy="Pass a note inside the vault.")
    if not has_valid_name(inside):
        raise BadInput(f"The name {display_path(inside)} is not valid UTF-8.", remedy="Rename the note or its folder.")
    file = _note_file(inside.relative_to(root.resolve()).as_posix(), inside, stamp)
    if file is None:
        raise NotFound(f"{path} does not exist.", remedy="Pass a Markdown note of the vault.")
    return VaultScan(root, {file.name: file}, (file,), frozenset({file.name}), whole=False)


def _note_file(name: str, path: Path, stamp: str) -> NoteFile | None:
    try:
        found = path.stat()
    except OSError:
        return None  # deleted since the folder was listed; the next scan notices
    return NoteFile(name, path, FileState(modified=found.st_mtime_ns, size=found.st_size, stamp=stamp))


@dataclass(frozen=True)
class LoadedNote:
    """A note that was read, and findings about it; `parsed` is None if it could not be read."""

    file: NoteFile
    parsed: ParsedNote | None
    findings: tuple[Finding, ...]

    @property
    def cards(self) -> tuple[CardSource, ...]:
        """The cards that the note defines."""
        return self.parsed.cards if self.parsed else ()

    def context(self, cards: Mapping[str, CardSource]) -> NoteContext:
        """The note as the pipeline sees it, with these cards by their ids."""
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
    # That a note was skipped is worth reporting; a remark beside its cards is not.
    reported = tuple(each for each in parsed.findings if each.severity is not Severity.INFO or not parsed.cards)
    return LoadedNote(file, parsed, reported)


@dataclass(frozen=True)
class SyncContext:
    """A vault, a destination and everything a sync needs; without a `store` the destination is a package."""

    root: Path
    address: str
    destination: str
    database: Database
    store: AnkiStore | None
    model: Model
    policy: CardPolicy
    vault_name: str
    similarity: Similarity
    limits: Limits = field(default_factory=Limits)
