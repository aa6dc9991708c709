"""Any file is read or named in a finding; nothing hangs and nothing is raised."""

import os
import socket
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from studium.core.documents import find_files, read_document
from studium.core.documents.files import read_text
from studium.core.documents.vault import Vault
from studium.core.domain.finding import Severity


def problem(path: Path, **limits: int) -> str:
    """The code of the one finding that a file gives, with what every such finding must hold."""
    reading = read_document(path, **limits)
    assert reading.document is None
    (finding,) = reading.findings
    assert finding.severity is Severity.ERROR
    assert finding.where is not None
    assert finding.where.path == str(path)
    assert finding.message.count(". ") >= 1, "the message says what happened and what to do"
    return finding.code


def test_empty_and_blank_files(tmp_path):
    for content in (b"", b" \n\t\n", b"\xef\xbb\xbf"):
        note = tmp_path / "note.md"
        note.write_bytes(content)
        assert problem(note) == "file.empty"


def test_a_binary_file(tmp_path):
    note = tmp_path / "note.md"
    note.write_bytes(b"\x89PNG\r\n\0\0")
    assert problem(note) == "file.binary"


def test_a_file_that_must_be_utf_8_says_where_it_is_not(tmp_path):
    note = tmp_path / "note.txt"
    note.write_bytes("first\nsecond caf\u00e9\n".encode("latin-1"))
    (finding,) = read_text(note).findings
    assert finding.code == "file.encoding"
    assert "byte 16 (line 2)" in finding.message
    assert finding.where.line == 2


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks_are_understood(tmp_path, encoding):
    note = tmp_path / "note.txt"
    note.write_bytes("\u00dcber\r\nuns".encode(encoding))
    document = read_document(note).document
    assert document.text == "\u00dcber\r\nuns"


def test_truncated_utf_16(tmp_path):
    note = tmp_path / "note.txt"
    note.write_bytes("one\ntwo".encode("utf-16") + b"\x41")
    assert problem(note) == "file.encoding"


def test_a_file_of_200_megabytes_is_not_opened(tmp_path):
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(200_000_000)
    started = time.process_time()
    assert problem(huge) == "file.too_large"
    assert time.process_time() - started < 0.05


def test_the_limit_is_the_callers(tmp_path):
    note = tmp_path / "note.txt"
    note.write_text("0123456789")
    assert problem(note, max_bytes=9) == "file.too_large"
    assert read_document(note, max_bytes=10).document


def test_a_missing_file(tmp_path):
    assert problem(tmp_path / "nowhere.md") == "file.missing"
    assert problem(tmp_path / "note\0.md") == "file.missing"
    note = tmp_path / "note.md"
    note.write_text("text")
    assert problem(note / "inside.md") == "file.missing"


@pytest.mark.parametrize(
    ("happens", "code"),
    [
        (lambda path: path.unlink(), "file.missing"),
        (lambda path: path.write_bytes(b"x" * 100), "file.too_large"),
        (lambda path: path.write_bytes(b""), "file.empty"),
        (lambda path: (path.unlink(), os.mkfifo(path)), "file.empty"),
    ],
    ids=["vanishes", "grows", "is emptied", "becomes a pipe"],
)
def test_a_file_that_changes_between_check_and_read(tmp_path, monkeypatch, happens, code):
    note = tmp_path / "note.md"
    note.write_text("text")
    really_open = os.open

    def open_too_late(path, *flags):
        monkeypatch.undo()
        happens(note)
        return really_open(path, *flags)

    monkeypatch.setattr(os, "open", open_too_late)
    assert problem(note, max_bytes=50) == code


def test_folders_pipes_sockets_and_devices_are_never_opened(tmp_path):
    folder, pipe, door = tmp_path / "folder.md", tmp_path / "pipe.md", tmp_path / "door.md"
    folder.mkdir()
    os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(door))
        assert [problem(path) for path in (folder, pipe, door)] == ["file.special"] * 3
    (tmp_path / "null.md").symlink_to("/dev/null")
    assert problem(tmp_path / "null.md") == "file.special"


def test_a_link_to_itself(tmp_path):
    one, two = tmp_path / "one.md", tmp_path / "two.md"
    one.symlink_to(two)
    two.symlink_to(one)
    assert problem(one) == "file.link_loop"


def test_a_file_without_permission(tmp_path):
    note = tmp_path / "note.md"
    note.write_text("text")
    note.chmod(0)
    with as_nobody():
        assert problem(note) == "file.unreadable"


@contextmanager
def as_nobody():
    """Root may read everything, so be someone else for a moment."""
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(me)


def test_a_name_that_is_too_long(tmp_path):
    assert problem(tmp_path / ("n" * 300 + ".md")) == "file.unreadable"


def test_an_unsupported_format(tmp_path):
    sheet = tmp_path / "sheet.xlsx"
    sheet.write_text("text")
    assert problem(sheet) == "file.unknown_format"
    assert problem(tmp_path) == "file.special"


def test_find_files_walks_in_order_and_leaves_out_what_is_hidden(tmp_path):
    for name in ("b.md", "a/z.MD", "a/b.txt", ".obsidian/x.md", ".git/y.md", ".trash/old.md", "c/.hidden.md", "a.md"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("text")
    found = find_files(tmp_path, (".md",))
    assert [path.relative_to(tmp_path).as_posix() for path in found.paths] == ["a/z.MD", "a.md", "b.md"]
    assert found.findings == ()


def test_find_files_follows_no_link_out_of_the_folder_and_survives_loops(tmp_path):
    vault, outside = tmp_path / "vault", tmp_path / "outside"
    (vault / "sub").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret.md").write_text("text")
    (vault / "own.md").write_text("text")
    (vault / "alias.md").symlink_to(vault / "own.md")
    (vault / "leak.md").symlink_to(outside / "secret.md")
    (vault / "leaks").symlink_to(outside)
    (vault / "sub" / "up").symlink_to(vault)
    (vault / "loop.md").symlink_to("loop.md")
    (vault / "dangling.md").symlink_to("nowhere.md")
    found = find_files(vault, (".md",))
    assert [path.name for path in found.paths] == ["alias.md", "own.md"]
    assert {finding.where.path.rpartition("/")[2]: finding.code for finding in found.findings} == {
        "loop.md": "file.link_loop",
        "dangling.md": "file.missing",
    }


def test_find_files_reports_unreadable_folders():
    with TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        (root / "locked").mkdir(mode=0)
        (root / "note.md").write_text("text")
        with as_nobody():
            found = find_files(root, (".md",))
        assert [path.name for path in found.paths] == ["note.md"]
        assert [(finding.code, finding.where.path) for finding in found.findings] == [
            ("file.unreadable", str(root / "locked"))
        ]


def test_find_files_in_a_missing_folder(tmp_path):
    found = find_files(tmp_path / "nowhere", (".md",))
    assert [finding.code for finding in found.findings] == ["file.missing"]


def test_find_files_takes_a_single_file(tmp_path):
    note = tmp_path / "note.md"
    note.write_text("text")
    assert find_files(note, (".md",)).paths == (note,)


def test_a_file_name_that_is_not_text_is_refused_alone(tmp_path):
    (tmp_path / "good.md").write_text("The body.")
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    odd.mkdir()
    (odd / "inside.md").write_text("The body.")
    for name in (b"/caf\xe9.md", b"/caf\xe9.png"):
        Path(os.fsdecode(os.fsencode(tmp_path) + name)).write_text("The body.")
    found = find_files(tmp_path, (".md",))
    assert found.paths == (tmp_path / "good.md",)
    told = [(finding.code, finding.where.path.rpartition("/")[2]) for finding in found.findings]
    assert told == [("file.name", "caf\\xe9"), ("file.name", "caf\\xe9.md")]
    assert "".join(map(str, found.findings)).isprintable()
    alone = find_files(odd / "inside.md", (".md",))
    assert (alone.paths, [finding.code for finding in alone.findings]) == ((), ["file.name"])
    assert Vault.of(tmp_path, "vault").files == ("good.md",)


def test_an_undecodable_file_name_is_shown(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md"))
    path.write_text("The body.")
    document = read_document(path).document
    assert document.path.endswith("caf\\xe9.md")
    assert str(document.locate("The body").where).endswith("caf\\xe9.md:1")
