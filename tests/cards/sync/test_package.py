"""A vault as an Anki package: written again only when something changed, and always whole."""

import zipfile
from pathlib import Path

import pytest
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest
from tests.run_cli import studium

NOTE = "Q: What is fact {0}?\nA: It is the value {0}00.\n"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.md").write_text(NOTE.format(number))
    return folder


def sync(vault: Path, package: Path) -> dict:
    ended = studium("cards", "sync", vault, "--to", package, "--json")
    assert ended.code == 0, ended.err
    return ended.json


def imported(folder: Path, *packages: Path) -> list[tuple[str, str]]:
    collection = Collection(str(folder / "collection.anki2"))
    try:
        for package in packages:
            request = ImportAnkiPackageRequest(package_path=str(package), options=ImportAnkiPackageOptions())
            collection.import_anki_package(request)
        notes = [collection.get_note(note) for note in collection.find_notes("deck:*")]
        return sorted((note["Front"], note["Back"]) for note in notes)
    finally:
        collection.close()


def test_one_changed_note_leaves_the_others_in_the_package(vault, tmp_path):
    sync(vault, tmp_path / "a.apkg")
    (vault / "1.md").write_text(NOTE.format(1).replace("100", "111"))
    assert sync(vault, tmp_path / "a.apkg")["counts"]["update"] == 1
    assert imported(tmp_path, tmp_path / "a.apkg") == [
        ("What is fact 0?", "It is the value 000."),
        ("What is fact 1?", "It is the value 111."),
        ("What is fact 2?", "It is the value 200."),
    ]


def test_an_unchanged_vault_does_not_write_the_package_again(vault, tmp_path):
    sync(vault, tmp_path / "a.apkg")
    before = (tmp_path / "a.apkg").stat().st_mtime_ns
    assert sync(vault, tmp_path / "a.apkg")["unchanged_notes"] == 3
    assert (tmp_path / "a.apkg").stat().st_mtime_ns == before
    (tmp_path / "a.apkg").unlink()
    sync(vault, tmp_path / "a.apkg")
    assert zipfile.is_zipfile(tmp_path / "a.apkg"), "a package that was deleted is written again"


def test_a_note_that_is_gone_is_gone_from_the_package(vault, tmp_path):
    sync(vault, tmp_path / "a.apkg")
    (vault / "2.md").unlink()
    sync(vault, tmp_path / "a.apkg")
    assert len(imported(tmp_path, tmp_path / "a.apkg")) == 2


def test_pictures_travel_inside_the_package(vault, tmp_path):
    (vault / "router.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"0" * 50)
    (vault / "3.md").write_text("Q: Which symbol means a router?\nA: A disc with four arrows: ![[router.png|300]]\n")
    sync(vault, tmp_path / "a.apkg")
    with zipfile.ZipFile(tmp_path / "a.apkg") as package:
        assert ".png" in package.read("media").decode()


def test_the_command_of_earlier_days_still_works(vault, tmp_path, capsys):
    from studium.cards.obsidian_anki_sync import main

    (tmp_path / "agents.yaml").write_text("agents:\n  min_qa_score: 0.7\n")
    arguments = ["sync", str(vault), "--use-langchain-agents", "--agents-config", str(tmp_path / "agents.yaml")]
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--to", str(tmp_path / "a.apkg"), "--dry-run"])
    assert ended.value.code == 0
    assert "3 new cards" in capsys.readouterr().out
    assert not (tmp_path / "a.apkg").exists()
