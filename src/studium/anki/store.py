"""Notes, cards, note types and media as Anki has them; the `AnkiStore` port; and searches in Anki's language."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from studium.core.domain.finding import Finding
from studium.core.domain.value import Value

MEDIA_PREFIX = "studium-"
"""The prefix of the media files that we store."""

ID_FIELD = "Studium"
"""The field of our note types that holds our own id; no template shows it."""

OUR_NOTES = f'"{ID_FIELD}:_*"'
"""Search: every note that carries an id of ours."""
IN_FILTERED_DECKS = "deck:filtered"
"""Search: cards that are in a filtered deck."""


class NoteType(Value):
    """A note type: its fields in order, its templates (name, front, back) and its style."""

    name: str
    fields: tuple[str, ...]
    templates: tuple[tuple[str, str, str], ...]
    css: str
    is_cloze: bool = False


class AnkiCard(Value):
    """One card of a note, as Anki schedules it; a value is None if it was not asked for, as in `our_notes`."""

    id: int
    deck: str
    suspended: bool = False
    reps: int | None = None
    lapses: int | None = None
    interval: int | None = None


class AnkiNote(Value):
    """A note in Anki; the fields hold HTML."""

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
    """A note to add."""

    note_type: str
    deck: str
    fields: dict[str, str]
    tags: tuple[str, ...] = ()


class MediaFile(Value):
    """A file that a card shows or plays: its name in Anki's media folder and its path on this machine."""

    name: str
    path: str


class RenderedCard(Value):
    """A card's fields as Anki shows them, the media they use, and findings about what could not be rendered."""

    note_type: str
    fields: dict[str, str]
    media: tuple[MediaFile, ...] = ()
    findings: tuple[Finding, ...] = ()


class AnkiStore(Protocol):
    """A collection that can be read and written: Anki through AnkiConnect, or a collection file.

    Every write is safe to repeat, and changes nothing but what it names.
    """

    place: str
    """The name of this collection, for messages and for the database."""

    def note_types(self) -> dict[str, tuple[str, ...]]:
        """Every note type with its fields in order."""
        ...

    def add_note_types(self, types: Sequence[NoteType]) -> None:
        """Create the missing note types; existing ones are not changed."""
        ...

    def our_notes(self) -> list[AnkiNote]:
        """Every note that carries an id of ours."""
        ...

    def notes(self, ids: Sequence[int]) -> dict[int, AnkiNote]:
        """The notes with these ids that exist."""
        ...

    def find(self, query: str) -> list[int]:
        """The ids of the notes that a search finds."""
        ...

    def add(self, notes: Sequence[NewNote]) -> list[int | Finding]:
        """Add notes; returns for each its id, or the finding that says why it was not added."""
        ...

    def update_fields(self, changes: Mapping[int, Mapping[str, str]]) -> dict[int, Finding]:
        """Set fields of notes; returns a finding for each note that was not updated."""
        ...

    def change_tags(self, changes: Mapping[int, tuple[Sequence[str], Sequence[str]]]) -> None:
        """Add the first and remove the second tags of each note; other tags stay."""
        ...

    def move(self, cards: Sequence[int], deck: str) -> None:
        """Move cards to a deck, which is created if it is missing."""
        ...

    def suspend(self, cards: Sequence[int], *, suspended: bool) -> None:
        """Suspend or unsuspend cards."""
        ...

    def remove_notes(self, notes: Sequence[int]) -> None:
        """Remove notes with their history; used only to undo a creation."""
        ...

    def store_media(self, files: Sequence[MediaFile]) -> list[Finding]:
        """Copy files into the media folder, except those whose name is there already."""
        ...

    def our_media(self) -> list[str]:
        """The names of the files in the media folder that we stored."""
        ...

    def remove_media(self, names: Sequence[str]) -> None:
        """Move files of the media folder to Anki's trash."""
        ...

    def close(self) -> None:
        """Close the collection."""
        ...


def search_own_ids(own_ids: Iterable[str]) -> str:
    """Search: the notes that carry one of these ids of ours."""
    # One alternation is much quicker in Anki than many searches joined by OR.
    alternatives = "|".join(re.escape(own_id).replace('"', '\\"') for own_id in own_ids)
    return f'"{ID_FIELD}:re:^({alternatives})$"'


def search_notes(notes: Sequence[int]) -> str:
    """Search: all cards of these notes."""
    return f"nid:{','.join(map(str, notes))}"


def search_cards(cards: Sequence[int]) -> str:
    """Search: these cards."""
    return f"cid:{','.join(map(str, cards))}"


def search_deck(deck: str) -> str:
    """Search: the cards of a deck without its subdecks, also those that are in a filtered deck now."""
    name = deck
    for special in '\\"*_':
        name = name.replace(special, "\\" + special)
    return f'"deck:{name}" -"deck:{name}::*"'
