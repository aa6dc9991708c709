"""A collection file: who may open it, and the copy that is kept of it."""

import sys
from contextlib import closing

import pytest
from anki.collection import Collection
from anki.errors import DBError

from studium.anki.collection import AnkiCollection
from studium.core.domain.errors import BadInput, Conflict, MissingExtra, NotFound, StorageFailed


def backups(path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir() if "backup" in file.name)


def own_ids(path) -> list[str]:
    with closing(AnkiCollection(path)) as store:
        return [one.card_id for one in store.our_notes()]


def test_a_collection_that_anki_has_open_is_a_conflict(collection_path):
    with closing(Collection(str(collection_path))), pytest.raises(Conflict, match="open") as told:
        AnkiCollection(collection_path)
    assert "Close Anki" in told.value.remedy


def test_while_we_have_it_open_nobody_else_writes_to_it(collection_path):
    with closing(AnkiCollection(collection_path)):
        with pytest.raises(DBError):
            Collection(str(collection_path))
        with pytest.raises(Conflict):
            AnkiCollection(collection_path)
    Collection(str(collection_path)).close()


def test_a_misspelt_path_makes_no_new_collection(tmp_path):
    with pytest.raises(NotFound, match="no collection at"):
        AnkiCollection(tmp_path / "colection.anki2")
    assert list(tmp_path.glob("*.anki2")) == []


def test_a_file_that_is_no_collection_is_left_alone(tmp_path):
    path = tmp_path / "notes.anki2"
    path.write_text("Dear diary, " * 100)
    with pytest.raises(BadInput, match="not a collection"):
        AnkiCollection(path)
    assert path.read_text() == "Dear diary, " * 100


def test_without_the_extra_the_remedy_is_to_install_it(collection_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "anki.collection", None)
    with pytest.raises(MissingExtra) as told:
        AnkiCollection(collection_path)
    assert told.value.remedy == "pip install 'studium[anki]'"


def test_reading_keeps_no_copy(collection_path):
    with closing(AnkiCollection(collection_path)) as store:
        store.our_notes()
        store.note_types()
    assert backups(collection_path) == []


def test_one_copy_a_session_from_before_its_first_write_and_three_in_all(collection_path, note, note_types):
    for number in range(5):
        with closing(AnkiCollection(collection_path)) as store:
            store.add_note_types(note_types)
            store.add([note(f"n{number}")])
            store.add([note(f"m{number}")])
    name = "collection.anki2.studium-backup"
    assert backups(collection_path) == [name, f"{name}.1", f"{name}.2"]
    counts = {}
    for kept in backups(collection_path):
        copy = collection_path.parent / "look.anki2"
        copy.write_bytes((collection_path.parent / kept).read_bytes())
        counts[kept] = len(own_ids(copy))
        copy.unlink()
    assert counts == {name: 8, f"{name}.1": 6, f"{name}.2": 4}


def test_nothing_is_written_when_no_copy_can_be_kept(collection_path, filed, note):
    filed.close()
    (collection_path.parent / "collection.anki2.studium-backup.part").mkdir()
    with closing(AnkiCollection(collection_path)) as store:
        with pytest.raises(StorageFailed, match="cannot be written"):
            store.add([note("a1")])
        assert store.our_notes() == []


def test_thousands_of_notes_are_added_and_read_in_bulk(filed, note):
    ids = filed.add([note(f"n{number}") for number in range(3000)])
    assert len(set(ids)) == 3000
    assert filed.update_fields({one: {"Back": "new"} for one in ids}) == {}
    assert {one.fields["Back"] for one in filed.our_notes()} == {"new"}
