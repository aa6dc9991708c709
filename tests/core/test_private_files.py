"""The home is for its owner alone; what a user names elsewhere is as the user's umask says."""

import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from studium.core import files
from studium.core.database import Database
from studium.core.files import file_lock, is_private, keep_folder_private, make_folder, secure_home, write_text

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    """A process that opened no home yet, with the usual umask."""
    monkeypatch.setattr(files, "_homes", {})
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> str:
    return oct(stat.S_IMODE(path.lstat().st_mode))


def open_to_others(folder: Path) -> list[str]:
    """What others could read, were the folders above it open."""
    found = (folder, *folder.rglob("*"))
    return [str(each) for each in found if not each.is_symlink() and each.stat().st_mode & 0o077]


@pytest.fixture
def old_home(tmp_path) -> Path:
    """A home as an older version left it."""
    home = tmp_path / "home"
    (home / "uploads" / "ab").mkdir(parents=True)
    (home / "uploads" / "ab" / "diary.md").write_text("secret")
    (home / "studium.yaml").write_text("models: {}")
    with Database.open(f"sqlite:///{home}/database.sqlite"):
        pass
    (home / "database.sqlite").chmod(0o644)
    assert mode(home) == "0o755"
    return home


def test_an_existing_home_is_closed_and_that_is_reported_once(old_home, caplog):
    program = old_home / "demo.sh"
    program.touch(mode=0o755)
    for _ in range(2):
        files._homes.clear()
        secure_home(old_home)
    assert open_to_others(old_home) == []
    assert mode(old_home) == "0o700"
    assert mode(old_home / "database.sqlite") == "0o600"
    assert mode(program) == "0o700", "what its owner may do is left"
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "others could read" in caplog.text


def test_a_new_home_and_everything_in_it_is_private(tmp_path, caplog):
    home = tmp_path / "above" / "home"
    secure_home(home)
    with Database.open(f"sqlite:///{home}/database.sqlite") as database:
        database.runs.start("cards", {})
        beside = {path.name: mode(path) for path in home.iterdir()}
    assert beside.keys() >= {"database.sqlite", "database.sqlite-wal", "database.sqlite-shm"}
    assert set(beside.values()) == {"0o600"}
    write_text(home / "a" / "b" / "note.txt", "x")
    with file_lock(home / "locks", "something"):
        assert open_to_others(home) == []
    assert mode(home.parent) == "0o755", "only the home is ours"
    assert not caplog.records


def test_an_empty_folder_that_becomes_a_home_is_closed_without_a_word(tmp_path, caplog):
    secure_home(tmp_path)
    assert not caplog.records
    assert open_to_others(tmp_path) == []


def test_a_path_outside_the_home_keeps_the_umask(tmp_path):
    secure_home(tmp_path / "home")
    for umask, file, folder in ((0o022, "0o644", "0o755"), (0o002, "0o664", "0o775")):
        os.umask(umask)
        write_text(target := tmp_path / f"exports{umask}" / "cards.json", "x")
        assert (mode(target), mode(target.parent)) == (file, folder)


def test_what_a_link_in_the_home_leads_to_is_elsewhere(tmp_path):
    (outside := tmp_path / "outside").mkdir()
    (outside / "vault.md").write_text("x")
    (home := tmp_path / "home").mkdir()
    (home / "vault").symlink_to(outside)
    secure_home(home)
    write_text(home / "vault" / "new.md", "x")
    assert (mode(outside), mode(outside / "vault.md"), mode(outside / "new.md")) == ("0o755", "0o644", "0o644")


def test_a_home_behind_a_link_is_closed(tmp_path, old_home):
    (link := tmp_path / "link").symlink_to(old_home)
    secure_home(link)
    write_text(link / "new.txt", "x")
    assert open_to_others(old_home) == []


def test_what_a_library_wrote_is_closed_too(tmp_path):
    secure_home(tmp_path / "home")
    make_folder(folder := tmp_path / "home" / "jobs" / "1")
    (folder / "deck.apkg").write_text("x")
    keep_folder_private(folder)
    assert open_to_others(tmp_path / "home") == []


@pytest.mark.parametrize("error", [PermissionError(1, "Operation not permitted"), OSError(95, "Not supported")])
def test_where_modes_cannot_be_changed_everything_else_works(old_home, monkeypatch, caplog, error):
    def refuse(*_arguments, **_named):
        raise error

    monkeypatch.setattr(os, "chmod", refuse)
    caplog.set_level(logging.INFO)
    secure_home(old_home)
    with Database.open(f"sqlite:///{old_home}/database.sqlite") as database:
        assert database.runs.count() == 0
    write_text(old_home / "new" / "note.txt", "x")
    assert "cannot be changed" in caplog.text


def test_a_file_system_that_ignores_modes_is_not_reported_each_time(old_home, monkeypatch, caplog):
    monkeypatch.setattr(os, "chmod", lambda *_arguments, **_named: None)
    secure_home(old_home)
    assert not caplog.records, "at the level of warnings"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_in_the_home_of_someone_else_they_can_read_what_root_makes(old_home):
    for path in (old_home, *old_home.rglob("*")):
        os.chown(path, 12345, 12345)
    secure_home(old_home)
    write_text(old_home / "lab.json", "x")
    assert mode(old_home) == "0o700"
    assert mode(old_home / "database.sqlite") == "0o600"
    assert mode(old_home / "lab.json") == "0o644"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_the_open_home_of_someone_else_can_be_used(tmp_path):
    (home := tmp_path / "home").mkdir()
    home.chmod(0o777)
    code = f"""
import os
from pathlib import Path
from studium.core.files import write_text
from studium.core.files import secure_home
os.setuid(12345)
secure_home(Path({str(home)!r}))
write_text(Path({str(home)!r}) / "note.txt", "x")
"""
    for above in home.parents:
        if mode(above) == "0o700":  # pytest's own folders
            above.chmod(0o755)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert mode(home) == "0o777"


def test_folders_of_everybody_are_left_alone(tmp_path, monkeypatch, caplog):
    (shared := tmp_path / "tmp").mkdir()
    shared.chmod(0o1777)
    (shared / "socket").touch(mode=0o666)
    secure_home(shared)
    assert (mode(shared), mode(shared / "socket")) == ("0o1777", "0o644")
    assert "a folder of its own" in caplog.text
    monkeypatch.setenv("HOME", str(tmp_path / "people" / "me"))
    (tmp_path / "people" / "me").mkdir(parents=True)
    secure_home(tmp_path / "people")
    assert mode(tmp_path / "people") == "0o755"


def test_only_what_is_below_the_home_is_private(tmp_path):
    secure_home(tmp_path / "home")
    assert is_private(tmp_path / "home")
    assert is_private(tmp_path / "home" / "x" / "y")
    assert not is_private(tmp_path / "home-of-others")
    assert not is_private(tmp_path / "home" / ".." / "x")
