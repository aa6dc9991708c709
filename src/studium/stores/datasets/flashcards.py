"""Flashcards: an Anki package with one note a pair. Importing a later export of it updates, and adds no second note."""

from collections.abc import Sequence
from pathlib import Path, PurePath

from studium.core.domain.document import content_id
from studium.core.domain.finding import Evidence
from studium.domain.anki import ID_FIELD, NewNote
from studium.domain.question import QAPair
from studium.stores.anki.notetypes import BASIC, SOURCE_FIELD
from studium.stores.anki.package import write_package
from studium.stores.anki.rendering.defusing import as_text


def write(pairs: Sequence[QAPair], target: Path) -> None:
    """Write a package; each document gets a deck."""
    write_package(target, {_id(pair): _note(pair) for pair in pairs})


def _id(pair: QAPair) -> str:
    return content_id(f"{pair.source_document}\n{pair.question}")


def _note(pair: QAPair) -> NewNote:
    fields = {
        "Front": as_text(pair.question),
        "Back": as_text(pair.answer),
        "Extra": "".join(_quoted(evidence) for evidence in pair.content_refs),
        SOURCE_FIELD: as_text(pair.source_document),
        ID_FIELD: _id(pair),
    }
    return NewNote(note_type=BASIC, deck=_deck(pair), fields=fields)


def _deck(pair: QAPair) -> str:
    # `::` makes a deck within a deck.
    return f"Questions::{PurePath(pair.source_document).stem.replace('::', ' ')}"


def _quoted(evidence: Evidence) -> str:
    return f"<blockquote>{as_text(evidence.quote)}</blockquote><p>{as_text(str(evidence.where))}</p>"
