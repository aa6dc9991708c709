"""Anki's side of a card: notes, note types and media, and the port that a collection fills."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from studium.core.domain.finding import Finding
from studium.core.domain.value import Value

MEDIA_PREFIX = "studium-"
"""What the names of the media files that we store begin with."""

ID_FIELD = "Studium"
"""The field of our note types that holds our own id; no template shows it."""


class NoteType(Value):
    """A note type: its fields in order, its templates (name, front, back) and its style."""

    name: str
    fields: tuple[str, ...]
    templates: tuple[tuple[str, str, str], ...]
    css: str
    is_cloze: bool = False


class AnkiCard(Value):
    """One card of a note, as Anki schedules it; None stands for what was not asked, as `our_notes` may not."""

    id: int
    deck: str
    suspended: bool = False
    reps: int | None = None
    lapses: int | None = None
    interval: int | None = None


class AnkiNote(Value):
    """A note as it stands in Anki; the fields hold HTML."""

    id: int
    note_type: str
    fields: dict[str, str]
    tags: tuple[str, ...] = ()
    cards: tuple[AnkiCard, ...] = ()
    modified: int = 0

    @property
    def card_id(self) -> str | None:
        """Our own id, if the note carries one."""
        return self.fields.get(ID_FIELD) or None


class NewNote(Value):
    """A note to be added."""

    note_type: str
    deck: str
    fields: dict[str, str]
    tags: tuple[str, ...] = ()


class MediaFile(Value):
    """A file that a card shows or plays: its name in Anki's media folder and where it lies on this machine."""

    name: str
    path: str


class RenderedCard(Value):
    """A card's fields as Anki shows them, the media they use, and what could not be rendered."""

    note_type: str
    fields: dict[str, str]
    media: tuple[MediaFile, ...] = ()
    findings: tuple[Finding, ...] = ()


class AnkiStore(Protocol):
    """A collection that can be read and written: Anki through AnkiConnect, or a collection file.

    Every write is safe to repeat, and nothing that is not named is touched.
    """

    place: str
    """Which collection this is, for messages and for the database."""

    def note_types(self) -> dict[str, tuple[str, ...]]:
        """Every note type with its fields in order."""
        ...

    def add_note_types(self, types: Sequence[NoteType]) -> None:
        """Make those of these note types that are missing; those that are there stay as they are."""
        ...

    def our_notes(self) -> list[AnkiNote]:
        """Every note that carries an id of ours."""
        ...

    def notes(self, ids: Sequence[int]) -> dict[int, AnkiNote]:
        """The notes of these ids that exist."""
        ...

    def find(self, query: str) -> list[int]:
        """The ids of the notes that Anki's search finds."""
        ...

    def add(self, notes: Sequence[NewNote]) -> list[int | Finding]:
        """Add notes; each gets its id, or the finding that says why it was not added."""
        ...

    def update_fields(self, changes: Mapping[int, Mapping[str, str]]) -> dict[int, Finding]:
        """Set these fields of these notes; what did not take is said by note."""
        ...

    def change_tags(self, changes: Mapping[int, tuple[Sequence[str], Sequence[str]]]) -> None:
        """Add the first and remove the second tags of each note; the others stay."""
        ...

    def move(self, cards: Sequence[int], deck: str) -> None:
        """Move cards to a deck, which is made if it is missing."""
        ...

    def suspend(self, cards: Sequence[int], *, suspended: bool) -> None:
        """Suspend cards, or take them back."""
        ...

    def remove_notes(self, notes: Sequence[int]) -> None:
        """Remove notes with their history. Only undoing a creation may ask for this."""
        ...

    def store_media(self, files: Sequence[MediaFile]) -> list[Finding]:
        """Copy files into the media folder; one that is there already with this name is left alone."""
        ...

    def our_media(self) -> list[str]:
        """The names of the files in the media folder that we stored."""
        ...

    def remove_media(self, names: Sequence[str]) -> None:
        """Move files of the media folder to Anki's trash."""
        ...

    def close(self) -> None:
        """Let go of the collection."""
        ...
