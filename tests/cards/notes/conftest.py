"""Notes are written in the tests, and read as any file is."""

import pytest

from studium.cards.notes import NoteOptions, read_note
from studium.core.documents import read_document


@pytest.fixture
def read(tmp_path):
    """Write a note to disk and read its cards."""

    def read_text(text, name="note.md", **options):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_note(read_document(path).document, name=name, options=NoteOptions(**options))

    return read_text
