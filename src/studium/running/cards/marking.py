"""Writes the ids of new cards into their notes, where the settings ask for it; nothing else of a note changes."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from studium.core.documents.registry import read_document
from studium.core.domain.change import FileState
from studium.core.files import write_text
from studium.readers.notes import read_note, write_marker
from studium.readers.notes.marking import MarkerStyle
from studium.running.cards.scanning import NoteFile
from studium.workflows.cards.identity.matching import content_key


def mark_notes(
    files: Sequence[NoteFile], ids: Mapping[str, Mapping[str, str]], style: MarkerStyle
) -> dict[str, FileState]:
    """Mark each note's cards with their ids, given by what the card says; answers how the marked notes are seen now."""
    marked = {}
    for file in files:
        if (of_note := ids.get(file.name)) and _mark(file, of_note, style):
            found = file.path.stat()
            marked[file.name] = FileState(modified=found.st_mtime_ns, size=found.st_size, stamp=file.seen.stamp)
    return marked


def _mark(file: NoteFile, ids: Mapping[str, str], style: MarkerStyle) -> bool:
    document = read_document(file.path).document
    if document is None or file.path.read_bytes() != document.text.encode():
        return False  # a byte order mark or another encoding would be lost
    text = document.text
    cards = read_note(document, name=file.name).cards
    for card in sorted(cards, key=lambda card: card.line, reverse=True):
        if card.marker is None and (card_id := ids.get(content_key(card))):
            text = write_marker(text, card, card_id, style)
    if text == document.text or _changed(file.path, file.seen):
        return False  # nothing to mark, or someone is at work on it: the next sync marks it
    mode = file.path.stat().st_mode
    write_text(file.path, text)
    os.chmod(file.path, mode & 0o7777)  # noqa: PTH101 - the note keeps its permissions
    return True


def _changed(path: Path, seen: FileState) -> bool:
    found = path.stat()
    return (found.st_mtime_ns, found.st_size) != (seen.modified, seen.size)
