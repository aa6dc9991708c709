"""From a note on disk to the cards it asks for."""

from collections.abc import Mapping
from dataclasses import dataclass

from studium.core.documents.document_cache import DocumentCache
from studium.core.domain.finding import Finding, Severity
from studium.domain.card import CardSource, NoteContext
from studium.readers.notes import ParsedNote, read_note
from studium.running.cards.scanning import NoteFile


@dataclass(frozen=True)
class ReadNote:
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


def read_cards(documents: DocumentCache, file: NoteFile) -> ReadNote:
    """Read one note."""
    document, findings = documents.read(file.path, file.name)
    if document is None:
        return ReadNote(file, None, findings)
    parsed = read_note(document, name=file.name)
    # That a note was passed over is worth saying; what is merely noticed beside its cards is not.
    said = tuple(f for f in parsed.findings if f.severity is not Severity.INFO or not parsed.cards)
    return ReadNote(file, parsed, said)
