"""`studium cards watch` and the other ways to keep in step."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest
from anki.collection import Collection
from tests.run_cli import studium

NOTE = "Q: What is fact {0}?\nA: It is the value {0}00.\n"


@pytest.mark.timeout(60)
def test_watching_syncs_on_every_save_until_it_is_stopped(tmp_path: Path):
    vault, package = tmp_path / "vault", tmp_path / "cards.apkg"
    vault.mkdir()
    (vault / "1.md").write_text(NOTE.format(1))
    command = [sys.executable, "-m", "studium", "cards", "watch", str(vault), "--to", str(package)]
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout
        wait_for("Run", process.stdout)
        (vault / "2.md").write_text(NOTE.format(2))
        told = wait_for("Run", process.stdout)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode == 0
    assert any("1 new cards" in line for line in told)


def wait_for(beginning: str, lines: IO[str]) -> list[str]:
    """The lines up to the one that begins so."""
    told = []
    for line in lines:
        told.append(line)
        if line.startswith(beginning):
            return told
    raise AssertionError(f"no line begins with {beginning}: {told}")


def test_a_collection_file_is_kept_in_step_without_anki(tmp_path: Path):
    vault, path = tmp_path / "vault", tmp_path / "collection.anki2"
    vault.mkdir()
    Collection(str(path)).close()
    (vault / "1.md").write_text(NOTE.format(1))
    assert studium("cards", "sync", vault, "--to", path).code == 0
    (vault / "1.md").write_text(NOTE.format(1).replace("100", "111"))
    assert studium("cards", "sync", vault, "--to", path, "--json").json["counts"]["update"] == 1
    collection = Collection(str(path))
    notes = [collection.get_note(note) for note in collection.find_notes("deck:*")]
    collection.close()
    assert [note["Back"] for note in notes] == ["It is the value 111."]


def test_status_counts_notes_and_cards(workspace):
    workspace.write("1.md", NOTE.format(1))
    workspace.sync()
    workspace.write("2.md", NOTE.format(2))
    found = workspace.cards("status", workspace.vault, "--json").json
    assert (found["notes"], found["changed_notes"], found["known_cards"], found["waiting"]) == (2, 1, 1, 0)


def test_a_lost_database_is_rebuilt_from_anki(workspace, home):
    workspace.write("1.md", NOTE.format(1))
    workspace.sync()
    for file in home.glob("database*"):
        file.unlink()
    assert workspace.cards("rebuild-state", workspace.vault).code == 0
    assert workspace.cards("status", workspace.vault, "--json").json["known_cards"] == 1


def test_pictures_that_no_note_shows_any_more_are_tidied_away_and_no_others(workspace):
    (workspace.vault / "old.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"0" * 50)
    (workspace.vault / "new.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"1" * 50)
    workspace.write("1.md", "Q: Which symbol means a router?\nA: A disc with four arrows: ![[old.png]]\n")
    workspace.sync()
    media = Path(workspace.collection.media.dir())
    (media / "mine.png").write_bytes(b"a picture of the learner's own")
    workspace.write("1.md", "Q: Which symbol means a router?\nA: A disc with four arrows: ![[new.png]]\n")
    workspace.sync()
    assert len(list(media.iterdir())) == 3
    assert "1 files would be moved" in workspace.cards("tidy-media", workspace.vault, "--dry-run").out
    assert "1 files were moved" in workspace.cards("tidy-media", workspace.vault).out
    left = {path.name for path in media.iterdir()}
    assert "mine.png" in left
    assert len(left) == 2
    assert all(name in workspace.note()["Back"] for name in left - {"mine.png"})
