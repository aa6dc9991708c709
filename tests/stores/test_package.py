"""Packages as Anki itself reads them."""

import subprocess
from pathlib import Path

import pytest
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

from studium.domain.card import ProposedCard
from studium.domain.errors import StorageFailed
from studium.stores.anki.package import write_package
from studium.stores.anki.rendering import to_html


def card(back: str) -> ProposedCard:
    return ProposedCard(deck_name="Net::OSPF", fields={"Front": "What is *flooded*?", "Back": back}, tags=("ospf",))


@pytest.fixture
def collection(tmp_path: Path):
    opened = Collection(str(tmp_path / "collection.anki2"))
    yield opened
    opened.close()


def import_package(collection: Collection, package: Path) -> None:
    request = ImportAnkiPackageRequest(package_path=str(package), options=ImportAnkiPackageOptions())
    collection.import_anki_package(request)


def test_anki_imports_a_package_and_a_second_import_updates_it(collection, tmp_path):
    write_package(tmp_path / "a.apkg", {"ospf.md": card("Hellos")}, now=lambda: 1_800_000_000)
    import_package(collection, tmp_path / "a.apkg")
    write_package(tmp_path / "b.apkg", {"ospf.md": card("Link-state advertisements")}, now=lambda: 1_800_000_100)
    import_package(collection, tmp_path / "b.apkg")
    notes = [collection.get_note(note) for note in collection.find_notes("deck:Net::OSPF tag:ospf")]
    assert [(note["Front"], note["Back"]) for note in notes] == [
        ("<p>What is <em>flooded</em>?</p>", "<p>Link-state advertisements</p>")
    ]


def test_scripts_and_raw_html_of_a_note_never_reach_anki():
    html = to_html('<script>steal()</script>\n\n[x](javascript:steal()) <img src=x onerror="steal()"> `<b>`')
    assert "<script" not in html
    assert "javascript:" not in html
    assert "onerror" not in html
    assert "<code>&lt;b&gt;</code>" in html, "code is shown as it was written"


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
    with pytest.raises(StorageFailed, match="No space left on device"):
        write_package(target, {"ospf.md": card("x")})
    assert target.read_bytes() == b"the old package"
    assert list(full_disk.iterdir()) == [target]
