"""Publishes concepts as notes in an Obsidian vault, and merges the reader's edits."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, count
from pathlib import Path, PurePosixPath
from unicodedata import category, normalize

from studium.concepts.domain import Concept, ConceptGraph, Content, Relation
from studium.concepts.notes.merge import KeptEdit, is_untouched, merge_note
from studium.concepts.notes.note import CitedQuote, Note, NoteComposer, NoteContent, published_note, wording_for
from studium.core.database import Database
from studium.core.documents.vault import Vault
from studium.core.domain.decision import PublishedVersion
from studium.core.domain.errors import NotFound, StorageFailed
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.files import atomic_write

MAX_NAME_LENGTH = 100
_MOST_BYTES = 200  # of the 255 bytes that a name may have: a number and the extension follow
_WRITTEN = {"/": "-", "\\": "-", "|": "-", '"': "'", "[": "(", "]": ")"}
_SPACED_COLON = re.compile(r"(?<!\s)\s*:\s+")
_UNWELCOME = re.compile(r"[*?<>#^:]+|%%")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\..*)?", re.IGNORECASE)
_JOINERS = "\u200c\u200d"


def file_name(title: str, fallback: str) -> str:
    """A file name without extension that reads like the title; the fallback if nothing of the title is allowed."""
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
    """The name; if it is taken (`taken` holds folded names), with a qualifier in brackets, else a number."""
    wordy = (
        f"{name} ({qualifier})" for qualifier in qualifiers if len(f"{name} ({qualifier})".encode()) <= _MOST_BYTES
    )
    numbered = (f"{name} ({number})" for number in count(2))
    return next(each for each in chain([name], wordy, numbered) if fold_name(each) not in taken)


def _spaced(char: str) -> str:
    """Nothing for an invisible character, a space for any that separates words."""
    kind = category(char)
    if char.isspace() or kind in ("Zl", "Zp"):
        return " "
    return "" if kind in ("Cc", "Cs") or (kind == "Cf" and char not in _JOINERS) else char


def _trimmed(text: str) -> str:
    return " ".join(text.split()).lstrip(". -").rstrip(". -")


def _shortened(name: str) -> str:
    """Cut at a word, and never inside a letter or emoji that is made of several code points."""
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
_UUID = re.compile(
    r"^uuid[ \t]*:[ \t]*(?P<quote>[\"']?)(?P<uuid>[^\r\n]{1,200}?)(?P=quote)[ \t]{0,20}\r?$", re.MULTILINE
)
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)


@dataclass
class NoteFiles:
    """A folder with its notes: `paths` are the files by concept, also of notes that are not written yet."""

    folder: Path
    files: set[str]
    paths: dict[str, str]
    findings: list[Finding] = field(default_factory=list)

    @classmethod
    def scan(cls, folder: Path, bases: Mapping[str, PublishedVersion]) -> "NoteFiles":
        """Scan a folder; a note without its uuid is recognised by its path and what is left of its text."""
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
        """Of several copies of a note, use the one where it was written."""
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

    def assign_path(self, uuid: str, title: str, books: Sequence[str], fallback: str) -> None:
        """Give a new note a name that no other note has."""
        qualifiers = [file_name(book, fallback) for book in books]
        name = unique_name(file_name(title, fallback), qualifiers, self._names)
        self._names[fold_name(name)] += 1
        self.paths[uuid] = f"{name}.md"

    def exists(self, uuid: str) -> bool:
        """Whether the note was there when the folder was scanned."""
        return self.paths[uuid] in self.files

    def name(self, uuid: str) -> str:
        """A note's file name, without ending."""
        return PurePosixPath(self.paths[uuid]).stem

    def links(self) -> dict[str, str]:
        """The link to each note: its name, or its path if two notes have the same name."""
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
        """Write a note completely or not at all; a link to a file elsewhere stays a link."""
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


@dataclass(frozen=True)
class NoteSources:
    """The concepts by id, each with its quotes and relations."""

    concepts: dict[str, Concept]
    titles: dict[str, str]
    relations: dict[str, list[Relation]]
    passages: dict[str, list[CitedQuote]]

    @classmethod
    def of(cls, graph: ConceptGraph) -> "NoteSources":
        """Read everything that notes say from a graph."""
        concepts = {concept.uuid: concept for concept in graph.concepts()}
        relations: dict[str, list[Relation]] = defaultdict(list)
        for relation in graph.relations():
            relations[relation.source].append(relation)
        return cls(concepts, {uuid: concept.title for uuid, concept in concepts.items()}, relations, _passages(graph))

    def with_relatives(self, uuids: Sequence[str] | None) -> list[str]:
        """These concepts and those they relate to, as far as the graph has them, in its order; `None` is all."""
        if uuids is None:
            return list(self.concepts)
        named = set(uuids)
        near = {relation.target for uuid in named for relation in self.relations.get(uuid, ())} | named
        return [uuid for uuid in self.concepts if uuid in near]

    def known(self, uuid: str) -> NoteContent:
        """All that the note of a concept says."""
        return NoteContent(self.concepts[uuid], self.passages.get(uuid, ()), self.relations.get(uuid, ()))

    def books_of(self, uuid: str) -> list[str]:
        """The titles of the books that a concept comes from."""
        return list(dict.fromkeys(passage.book.title for passage in self.passages.get(uuid, ())))


def _passages(graph: ConceptGraph) -> dict[str, list[CitedQuote]]:
    """The quotes of each concept, in the order of the books."""
    carried: dict[str, list[str]] = defaultdict(list)
    for support in graph.supports():
        carried[support.quote].append(support.concept)
    passages: dict[str, list[CitedQuote]] = defaultdict(list)
    for book in graph.books():
        named = _with_author(graph, book)
        for quote in graph.quotes_of(book.uuid):
            for concept in carried.get(quote.uuid, ()):
                passages[concept].append(CitedQuote(quote, named))
    return passages


def _with_author(graph: ConceptGraph, book: Content) -> Content:
    if book.author or not (author := graph.author_of(book.uuid)):
        return book
    return book.model_copy(update={"author": author.name})


SINK_PREFIX = "concepts:"
"""The prefix of every sink that is a folder of notes."""
_BATCH = 200
_WRITERS = 16


@dataclass(frozen=True)
class PublishResult:
    """The result of publishing: files written, files merged with a reader's edits, and findings."""

    written: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    unchanged: int = 0
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class ConceptVault:
    """A folder with one note for each concept, and all that is needed to keep it up to date with the graph."""

    folder: Path
    graph: ConceptGraph
    database: Database
    language: str = "es"
    cards: bool = False

    @property
    def sink(self) -> str:
        """The name of this folder in the database."""
        return f"{SINK_PREFIX}{self.folder.expanduser().absolute()}"

    def publish(self, concepts: Sequence[str] | None = None) -> PublishResult:
        """Write the notes of these and related concepts; by default of all, removing the notes of deleted ones."""
        round_ = self._begin()
        return round_.publish(concepts, list(round_.bases) if concepts is None else ())

    def update_or_remove(self, concepts: Sequence[str]) -> PublishResult:
        """Update the notes of these concepts, and remove the notes of deleted ones."""
        return self._begin().publish(concepts, concepts)

    def clear(self) -> PublishResult:
        """Remove every note that its reader did not edit, and forget all notes of this folder."""
        return self._begin().clear()

    def _begin(self) -> "_Publication":
        folder = self.folder.expanduser().absolute()
        if not folder.is_dir():
            raise NotFound(
                f"There is no folder {folder}.", remedy="Create it, or name the folder of your vault that notes go to."
            )
        bases = self.database.published.versions(self.sink)
        return _Publication(self, NoteSources.of(self.graph), NoteFiles.scan(folder, bases), bases)


@dataclass
class _Publication:
    """One publication: the graph, the folder, and what was done so far.

    `told` is recorded only when everything succeeded and the findings were reported.
    """

    vault: ConceptVault
    sources: NoteSources
    files: NoteFiles
    bases: dict[str, PublishedVersion]
    pending: dict[str, str] = field(default_factory=dict)
    kept: dict[str, PublishedVersion] = field(default_factory=dict)
    told: dict[str, PublishedVersion] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def publish(self, concepts: Sequence[str] | None, perhaps_gone: Sequence[str]) -> PublishResult:
        said = wording_for(self.vault.language)
        self.findings += self.files.findings
        present = [uuid for uuid in self.sources.with_relatives(concepts) if self._is_wanted(uuid)]
        for uuid in present:
            if uuid not in self.files.paths:
                self.files.assign_path(uuid, self.sources.titles[uuid], self.sources.books_of(uuid), said.name)
        composer = NoteComposer(said, self.sources.titles, self.files.links(), self.vault.cards)
        for uuid in present:
            self._settle(uuid, composer.note(self.sources.known(uuid), self.files.name(uuid)))
        self._flush()
        self._remove([uuid for uuid in perhaps_gone if uuid in self.bases and uuid not in self.sources.titles])
        self.vault.database.published.save(self.vault.sink, self.told)
        unchanged = len(present) - len(self.written) - len(self.merged)
        return PublishResult(tuple(self.written), tuple(self.merged), unchanged, tuple(self.findings))

    def clear(self) -> PublishResult:
        self._remove(list(self.bases))
        return PublishResult(findings=tuple(self.findings))

    def _is_wanted(self, uuid: str) -> bool:
        """Whether a concept gets a note: one that its reader deleted stays deleted, which is reported once."""
        base = self.bases.get(uuid)
        if base is None or uuid in self.files.paths:
            return True
        if not base.about.get("deleted"):
            self.told[uuid] = base.model_copy(update={"about": base.about | {"deleted": True}})
            message = f"You deleted the note of “{self.sources.titles[uuid]}”; it is not written again."
            self._tell("concept_note.deleted", Severity.INFO, message, base.about["path"])
        return False

    def _settle(self, uuid: str, note: Note) -> None:
        """Update one file."""
        path, base = self.files.paths[uuid], self.bases.get(uuid)
        published = PublishedVersion(fields=note.fields, about={"path": path})
        if base and self.files.exists(uuid) and base.fields == published.fields:
            if base.about != published.about:
                self.kept[uuid] = published
        elif self.files.exists(uuid):
            self._merge(uuid, published, note, published_note(base) if base else None)
        else:
            self.kept[uuid] = published
            self._write(uuid, note.text, self.written)

    def _merge(self, uuid: str, published: PublishedVersion, note: Note, base: Note | None) -> None:
        path, text = self.files.paths[uuid], self.files.read(uuid)
        if text is None:
            message = "This note is not written in UTF-8, so it is left as it is. Save it as UTF-8."
            self._tell("concept_note.encoding", Severity.WARNING, message, path)
            return
        merged = merge_note(base, note, text)
        self.findings += (_kept_theirs(path, refused) for refused in merged.refused)
        (self.told if merged.refused else self.kept)[uuid] = published
        if merged.text != text:
            self._write(uuid, merged.text, self.written if base and is_untouched(base, text) else self.merged)

    def _write(self, uuid: str, text: str, done: list[str]) -> None:
        done.append(self.files.paths[uuid])
        self.pending[uuid] = text
        if len(self.pending) >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        """Write the files, and only then record them: a run that is killed in between recognises its own files."""
        with ThreadPoolExecutor(_WRITERS) as pool:  # flushing many files takes hardly longer than one
            list(pool.map(self.files.write, self.pending, self.pending.values()))
        self.vault.database.published.save(self.vault.sink, self.kept)
        self.pending, self.kept = {}, {}

    def _remove(self, gone: Sequence[str]) -> None:
        """Remove the notes of concepts that the graph no longer has; one that was edited is its reader's now."""
        for uuid in gone:
            if uuid not in self.files.paths:
                continue
            text = self.files.read(uuid)
            if text is not None and is_untouched(published_note(self.bases[uuid]), text):
                self.files.remove(uuid)
            else:
                message = "Its concept is no longer in the graph. You edited this note, so it stays; it is yours now."
                self._tell("concept_note.orphan", Severity.WARNING, message, self.files.paths[uuid])
        self.vault.database.published.delete(self.vault.sink, gone)

    def _tell(self, code: str, severity: Severity, message: str, path: str) -> None:
        self.findings.append(Finding(code=code, severity=severity, message=message, where=Locator(path=path)))


def _kept_theirs(path: str, refused: KeptEdit) -> Finding:
    place = "the frontmatter" if refused.place == "---" else f"“{refused.place.lstrip('# ')}”"
    ours = f"Studium would have written:\n{refused.text}" if refused.text else "Studium would have removed it."
    message = f"You changed {place} where the concept changed too, so your text stays. Please review it. {ours}"
    return Finding(code="concept_note.kept_yours", severity=Severity.WARNING, message=message, where=Locator(path=path))
