"""Packages as Anki itself reads them."""

import subprocess
from pathlib import Path

import pytest
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

from studium.anki.package import write_package
from studium.anki.store import MediaFile, NewNote
from studium.core.domain.errors import BadInput, StorageFailed


def note(back: str, deck: str = "Net::OSPF", note_type: str = "Studium Basic") -> NewNote:
    fields = {"Front": "What is <em>flooded</em>?", "Back": back, "Studium": "k1"}
    return NewNote(note_type=note_type, deck=deck, fields=fields, tags=("ospf",))


@pytest.fixture
def collection(tmp_path: Path):
    opened = Collection(str(tmp_path / "collection.anki2"))
    yield opened
    opened.close()


def import_package(collection: Collection, package: Path) -> None:
    request = ImportAnkiPackageRequest(package_path=str(package), options=ImportAnkiPackageOptions())
    collection.import_anki_package(request)


def test_anki_imports_a_package_and_a_second_import_updates_it(collection, tmp_path):
    write_package(tmp_path / "a.apkg", {"k1": note("Hellos")}, now=lambda: 1_800_000_000)
    import_package(collection, tmp_path / "a.apkg")
    before = [card.id for card in collection.get_note(collection.find_notes("")[0]).cards()]
    write_package(tmp_path / "b.apkg", {"k1": note("Link-state advertisements")}, now=lambda: 1_800_000_100)
    import_package(collection, tmp_path / "b.apkg")
    notes = [collection.get_note(each) for each in collection.find_notes("deck:Net::OSPF tag:ospf")]
    assert [(each["Front"], each["Back"]) for each in notes] == [
        ("What is <em>flooded</em>?", "Link-state advertisements")
    ]
    assert [card.id for card in notes[0].cards()] == before, "the card, and with it its history, is the same"
    assert collection.card_count() == 1


def test_all_three_note_types_come_with_their_cards(collection, tmp_path):
    cloze = NewNote(note_type="Studium Cloze", deck="D", fields={"Text": "{{c1::a}} {{c3::b}}", "Studium": "k3"})
    notes = {"k1": note("A"), "k2": note("B", note_type="Studium Basic (reversed)"), "k3": cloze}
    write_package(tmp_path / "a.apkg", notes)
    import_package(collection, tmp_path / "a.apkg")
    found = {each["Studium"]: each for each in map(collection.get_note, collection.find_notes(""))}
    assert collection.note_count() == 3
    assert [card.ord for card in found["k3"].cards()] == [0, 2]
    assert collection.find_cards('"note:Studium Basic (reversed)"').__len__() == 2
    assert "color-mix" in found["k3"].note_type()["css"]


def test_media_travel_under_their_own_name(collection, tmp_path):
    (tmp_path / "my map.png").write_bytes(b"a picture")
    here = MediaFile(name="studium-0123456789abcdef.png", path=str(tmp_path / "my map.png"))
    gone = MediaFile(name="studium-fedcba9876543210.png", path=str(tmp_path / "gone.png"))
    findings = write_package(tmp_path / "a.apkg", {"k1": note(f'<img src="{here.name}">')}, [here, here, gone])
    import_package(collection, tmp_path / "a.apkg")
    assert (Path(collection.media.dir()) / here.name).read_bytes() == b"a picture"
    assert [finding.code for finding in findings] == ["media.missing"]
    assert "gone.png is missing" in findings[0].message


def test_notes_go_to_their_decks_and_one_that_moved_stays_one(collection, tmp_path):
    write_package(tmp_path / "a.apkg", {"k1": note("A"), "k2": note("B", deck="Net::BGP")}, now=lambda: 1_800_000_000)
    write_package(tmp_path / "b.apkg", {"k1": note("A", deck="Net::BGP")}, now=lambda: 1_800_000_100)
    import_package(collection, tmp_path / "a.apkg")
    import_package(collection, tmp_path / "b.apkg")
    assert {deck.name for deck in collection.decks.all_names_and_ids()} >= {"Net", "Net::OSPF", "Net::BGP"}
    assert collection.note_count() == 2


def test_a_note_type_that_is_not_ours_cannot_go_into_a_package(tmp_path):
    with pytest.raises(BadInput, match="notes of type Vocabulary"):
        write_package(tmp_path / "a.apkg", {"k1": note("A", note_type="Vocabulary")})
    assert not (tmp_path / "a.apkg").exists()


@pytest.fixture
def full_disk(tmp_path: Path):
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a small disk can only be mounted by root on Linux")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_full_disk_leaves_the_old_package_untouched(full_disk):
    target = full_disk / "cards.apkg"
    target.write_bytes(b"the old package")
    many = {f"k{number}": note(str(number) * 40) for number in range(400)}
    with pytest.raises(StorageFailed, match="No space left on device"):
        write_package(target, many)
    assert target.read_bytes() == b"the old package"
    assert list(full_disk.iterdir()) == [target]
