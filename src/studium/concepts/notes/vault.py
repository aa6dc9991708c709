"""Publishes concepts as notes of an Obsidian vault, and merges what their reader wrote there meanwhile."""

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from studium.concepts.domain import Concept, ConceptGraph, Content, Relation
from studium.concepts.notes.compose import CitedQuote, NoteComposer, NoteContent, wording_for
from studium.concepts.notes.merge import KeptEdit, is_untouched, merge_note
from studium.concepts.notes.note import Note, published_note
from studium.concepts.notes.note_files import NoteFiles
from studium.core.database import Database
from studium.core.domain.change import PublishedVersion
from studium.core.domain.errors import NotFound
from studium.core.domain.finding import Finding, Locator, Severity


@dataclass(frozen=True)
class NoteSources:
    """The concepts by id, and what each rests on and relates to."""

    concepts: dict[str, Concept]
    titles: dict[str, str]
    relations: dict[str, list[Relation]]
    passages: dict[str, list[CitedQuote]]

    @classmethod
    def of(cls, graph: ConceptGraph) -> "NoteSources":
        """Ask a graph for everything that notes tell."""
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
        """All that the note of a concept tells."""
        return NoteContent(self.concepts[uuid], self.passages.get(uuid, ()), self.relations.get(uuid, ()))

    def books_of(self, uuid: str) -> list[str]:
        """The titles of the books that a concept comes from."""
        return list(dict.fromkeys(passage.book.title for passage in self.passages.get(uuid, ())))


def _passages(graph: ConceptGraph) -> dict[str, list[CitedQuote]]:
    """What each concept rests on, in the order of the books."""
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
"""How every sink begins that is a folder of notes."""
_BATCH = 200
_WRITERS = 16


@dataclass(frozen=True)
class PublishResult:
    """What became of the notes: files new or renewed, files merged with a reader's edits, and what is to be known."""

    written: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    unchanged: int = 0
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class ConceptVault:
    """A folder of notes, one a concept, and all that is needed to keep it in step with the graph."""

    folder: Path
    graph: ConceptGraph
    database: Database
    language: str = "es"
    cards: bool = False

    @property
    def sink(self) -> str:
        """What the database knows this folder by."""
        return f"{SINK_PREFIX}{self.folder.expanduser().absolute()}"

    def publish(self, concepts: Sequence[str] | None = None) -> PublishResult:
        """Write the notes of these concepts and of those they relate to; of all, and remove those of gone ones."""
        round_ = self._begin()
        return round_.publish(concepts, list(round_.bases) if concepts is None else ())

    def withdraw(self, concepts: Sequence[str]) -> PublishResult:
        """Bring the notes of these concepts up to date, and remove those of the concepts among them that are gone."""
        return self._begin().publish(concepts, concepts)

    def clear(self) -> PublishResult:
        """Remove every note that its reader did not edit, and know of none in this folder any more."""
        return self._begin().clear()

    def _begin(self) -> "_Publication":
        folder = self.folder.expanduser().absolute()
        if not folder.is_dir():
            raise NotFound(
                f"There is no folder {folder}.", remedy="Create it, or name the folder of your vault that notes go to."
            )
        bases = self.database.published.versions(self.sink)
        return _Publication(self, NoteSources.of(self.graph), NoteFiles.of(folder, bases), bases)


@dataclass
class _Publication:
    """One publication: what is known of graph and folder, and what was done so far.

    What is `told` is taken for known only when all went well and the findings reach whoever asked.
    """

    vault: ConceptVault
    telling: NoteSources
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
        present = [uuid for uuid in self.telling.with_relatives(concepts) if self._is_wanted(uuid)]
        for uuid in present:
            if uuid not in self.files.paths:
                self.files.place(uuid, self.telling.titles[uuid], self.telling.books_of(uuid), said.name)
        composer = NoteComposer(said, self.telling.titles, self.files.links(), self.vault.cards)
        for uuid in present:
            self._settle(uuid, composer.note(self.telling.known(uuid), self.files.name(uuid)))
        self._flush()
        self._remove([uuid for uuid in perhaps_gone if uuid in self.bases and uuid not in self.telling.titles])
        self.vault.database.published.save(self.vault.sink, self.told)
        unchanged = len(present) - len(self.written) - len(self.merged)
        return PublishResult(tuple(self.written), tuple(self.merged), unchanged, tuple(self.findings))

    def clear(self) -> PublishResult:
        self._remove(list(self.bases))
        return PublishResult(findings=tuple(self.findings))

    def _is_wanted(self, uuid: str) -> bool:
        """Whether a concept is to have a note: one that its reader deleted stays deleted, which is said once."""
        base = self.bases.get(uuid)
        if base is None or uuid in self.files.paths:
            return True
        if not base.about.get("deleted"):
            self.told[uuid] = base.model_copy(update={"about": base.about | {"deleted": True}})
            message = f"You deleted the note of “{self.telling.titles[uuid]}”; it is not written again."
            self._tell("concept_note.deleted", Severity.INFO, message, base.about["path"])
        return False

    def _settle(self, uuid: str, note: Note) -> None:
        """Bring one file up to date."""
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
        """Write the files, and only then take what we wrote for known: a run killed between the two finds its own."""
        with ThreadPoolExecutor(_WRITERS) as pool:  # a disk flushes many files in hardly more time than one
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
