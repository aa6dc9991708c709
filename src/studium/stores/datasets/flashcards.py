"""Flashcards: an Anki package with one note a pair. Importing a later export of it updates, and adds no second note."""

from collections.abc import Sequence
from pathlib import Path, PurePath

from studium.anki.escaping import escape_text
from studium.anki.note_types import BASIC, SOURCE_FIELD
from studium.anki.package import write_package
from studium.anki.store import ID_FIELD, NewNote
from studium.core.domain.document import content_id
from studium.core.domain.finding import Evidence
from studium.domain.question import QAPair


def write(pairs: Sequence[QAPair], target: Path) -> None:
    """Write a package; each document gets a deck."""
    write_package(target, {_id(pair): _note(pair) for pair in pairs})


def _id(pair: QAPair) -> str:
    return content_id(f"{pair.source_document}\n{pair.question}")


def _note(pair: QAPair) -> NewNote:
    fields = {
        "Front": escape_text(pair.question),
        "Back": escape_text(pair.answer),
        "Extra": "".join(_quoted(evidence) for evidence in pair.content_refs),
        SOURCE_FIELD: escape_text(pair.source_document),
        ID_FIELD: _id(pair),
    }
    return NewNote(note_type=BASIC, deck=_deck(pair), fields=fields)


def _deck(pair: QAPair) -> str:
    # `::` makes a deck within a deck.
    return f"Questions::{PurePath(pair.source_document).stem.replace('::', ' ')}"


def _quoted(evidence: Evidence) -> str:
    return f"<blockquote>{escape_text(evidence.quote)}</blockquote><p>{escape_text(str(evidence.where))}</p>"
