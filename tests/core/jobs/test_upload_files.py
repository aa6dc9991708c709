"""Files that learners bring are kept under safe names, in pieces, whole or not at all."""

import asyncio
import os
import subprocess
import sys
import tracemalloc
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from studium.core.domain.errors import BadInput, NotFound, StorageFailed
from studium.core.jobs.uploads import Uploads, safe_name

ALL = frozenset({"pdf", "epub", "md", "mp3", "flac", "ogg", "m4a", "wav", "png", "bin", "lrc"})


@pytest.fixture
def uploads(tmp_path) -> Uploads:
    return Uploads(tmp_path / "uploads", max_bytes=5_000_000)


async def pieces(*each: bytes):
    for piece in each:
        yield piece


async def test_a_file_is_saved_and_found_again(uploads):
    kept = await uploads.save("Night sky.pdf", pieces(b"%P", b"DF-1.7\n", b"rest"), kinds=ALL)
    assert uploads.find(kept.id) == kept
    assert kept.path.read_bytes() == b"%PDF-1.7\nrest"
    assert (kept.name, kept.size) == ("Night sky.pdf", 13)
    uploads.remove(kept.id)
    with pytest.raises(NotFound):
        uploads.find(kept.id)


async def test_two_files_with_one_name_do_not_collide(uploads):
    first = await uploads.save("a.md", pieces(b"one"), kinds=ALL)
    second = await uploads.save("a.md", pieces(b"two"), kinds=ALL)
    assert (first.path.read_bytes(), second.path.read_bytes()) == (b"one", b"two")


@pytest.mark.parametrize(
    "key", ["", ".", "..", "../x", "/etc", "x" * 32, "A" * 32, "0" * 31, "0" * 32, "0" * 32 + "\n", "\0"]
)
def test_an_unknown_upload_is_not_found(uploads, key):
    with pytest.raises(NotFound):
        uploads.find(key)
    with pytest.raises(NotFound):
        uploads.remove(key)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("夜空.lrc", "夜空.lrc"),
        ("می‌خواهم.md", "می‌خواهم.md"),
        ("../../etc/passwd.md", "passwd.md"),
        ("C:\\Users\\me\\a.md", "a.md"),
        ("/abs/a.md", "a.md"),
        (".hidden.md", "hidden.md"),
        ("...md", "md"),
        ("a\0b\r\nc.md", "abc.md"),
        ("fdp.\u202egpj.md", "fdp.gpj.md"),
        ("\ud800a.md", "a.md"),
        ("a.md. . ", "a.md"),
        ("CON.md", "_CON.md"),
        ("nul", "_nul"),
        ("concept.md", "concept.md"),
        ("", "unnamed"),
        ("..", "unnamed"),
        ("folder/", "unnamed"),
    ],
)
def test_names_are_made_safe_and_stay_readable(given, kept):
    assert safe_name(given) == kept


@given(st.text(st.characters(), max_size=400))
@example("夜" * 300 + ".md")
@example("a." + "b" * 300)
def test_every_file_name_can_be_stored(name):
    safe = safe_name(name)
    assert safe
    assert len(safe.encode()) <= 200
    assert not set(safe) & set("/\\\0\n")
    assert not safe.startswith(".")
    assert os.path.basename(safe) == safe  # noqa: PTH119 - the string, not a path


def test_a_long_name_keeps_its_ending():
    assert safe_name("夜" * 300 + ".epub").endswith("夜.epub")


GENUINE = {
    "pdf": b"\xef\xbb\xbf%PDF-1.4",
    "epub": b"PK\x03\x04....mimetypeapplication/epub+zip",
    "md": "# 夜".encode(),
    "mp3": b"\xff\xfb\x90\x00",
    "flac": b"fLaC",
    "ogg": b"OggS",
    "m4a": b"\0\0\0\x20ftypM4A ",
    "wav": b"RIFF\0\0\0\0WAVEfmt ",
    "png": b"\x89PNG\r\n\x1a\n",
    "bin": b"\0anything",
    "lrc": "[00:01.00]夜空".encode("utf-16"),
}


@pytest.mark.parametrize("kind", GENUINE)
async def test_a_file_that_matches_its_type_is_accepted(uploads, kind):
    one_by_one = [bytes([byte]) for byte in GENUINE[kind]]
    assert (await uploads.save(f"a.{kind.upper()}", pieces(*one_by_one), kinds=ALL)).size == len(GENUINE[kind])


@pytest.mark.parametrize("kind", sorted(set(GENUINE) - {"bin"}))
@pytest.mark.parametrize("content", [b"MZ\x90\0\x03", b"\x7fELF\0", b"MZ\0" + b"x" * 5_000], ids=["exe", "elf", "long"])
async def test_a_file_that_does_not_match_its_type_is_refused(uploads, tmp_path, kind, content):
    with pytest.raises(BadInput, match="is not a valid"):
        await uploads.save(f"a.{kind}", pieces(content), kinds=ALL)
    assert not list((tmp_path / "uploads").iterdir())


async def test_a_file_with_a_late_nul_byte_is_not_text(uploads):
    with pytest.raises(BadInput):
        await uploads.save("a.md", pieces(b"x" * 100_000, b"y\0"), kinds=ALL)


@pytest.mark.parametrize("name", ["a.exe", "a", "pdf", "a.pdf.exe", "a.md/x.sh", ".md", ""])
async def test_other_types_are_refused_with_the_accepted_ones(uploads, name):
    with pytest.raises(BadInput) as refused:
        await uploads.save(name, pieces(b"%PDF-"), kinds=frozenset({"pdf", "md"}))
    assert refused.value.remedy == "Choose one of: .md, .pdf."


async def test_an_empty_file_is_refused(uploads, tmp_path):
    with pytest.raises(BadInput, match="empty"):
        await uploads.save("a.md", pieces(), kinds=ALL)
    assert not list((tmp_path / "uploads").iterdir())


async def test_one_byte_too_many_is_refused_and_leaves_no_file(uploads, tmp_path):
    assert (await uploads.save("a.md", pieces(b"x" * 5_000_000), kinds=ALL)).size == 5_000_000
    with pytest.raises(BadInput, match="5 MB"):
        await uploads.save("b.md", pieces(b"x" * 5_000_000, b"x"), kinds=ALL)
    assert len(list((tmp_path / "uploads").iterdir())) == 1


async def test_a_large_file_is_never_in_memory_as_a_whole(tmp_path):
    async def endless():
        for _ in range(1_000):
            yield b"x" * 100_000

    tracemalloc.start()
    try:
        await Uploads(tmp_path, 200_000_000).save("a.md", endless(), kinds=ALL)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


async def test_an_aborted_upload_leaves_no_file(uploads, tmp_path):
    begun = asyncio.Event()

    async def stalling():
        yield b"# Half"
        begun.set()
        await asyncio.sleep(60)

    saving = asyncio.create_task(uploads.save("a.md", stalling(), kinds=ALL))
    await begun.wait()
    saving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await saving
    assert not list((tmp_path / "uploads").iterdir())


async def test_an_unwritable_folder_is_reported(tmp_path):
    (tmp_path / "uploads").write_text("a file where the folder should be")
    with pytest.raises(StorageFailed):
        await Uploads(tmp_path / "uploads", 100).save("a.md", pieces(b"x"), kinds=ALL)


async def test_old_and_partial_uploads_are_purged_and_others_stay(uploads, tmp_path):
    old, new = [await uploads.save("a.md", pieces(b"x"), kinds=ALL) for _ in range(2)]
    half = tmp_path / "uploads" / f".{'0' * 32}"
    half.mkdir()
    (tmp_path / "uploads" / "not ours").mkdir()
    for each in (old.path.parent, half, tmp_path / "uploads" / "not ours"):
        os.utime(each, (0, 0))
    assert uploads.purge(older_than=timedelta(days=1)) == 2
    assert uploads.find(new.id) == new
    assert (tmp_path / "uploads" / "not ours").exists()


FILLING = """
import asyncio, resource, sys
from pathlib import Path
from studium.core.domain.errors import StorageFailed
from studium.core.jobs.uploads import Uploads

async def megabytes():
    for _ in range(20):
        yield b"x" * 500_000

folder, limit = Path(sys.argv[1]), int(sys.argv[2])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    asyncio.run(Uploads(folder, 10**9).save("a.md", megabytes(), kinds=frozenset({"md"})))
except StorageFailed as error:
    print(error, list(folder.iterdir()))
"""


def test_a_full_disk_is_reported_and_leaves_no_partial_file(tmp_path):
    """A disk of one megabyte, which only this process sees and which goes with it."""
    disk = 'mount -t tmpfs -o size=1m none "$0" && exec "$1" -c "$2" "$0" 0'
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", disk, tmp_path, sys.executable, FILLING]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if "unshare" in done.stderr:
        pytest.skip("this system lets nobody mount")
    assert done.stdout.strip() == "a.md cannot be saved: No space left on device. []", done.stderr


def test_a_full_disk_quota_is_reported(tmp_path):
    command = [sys.executable, "-c", FILLING, tmp_path, "1000000"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "a.md cannot be saved: File too large. []"
    assert not list(Path(tmp_path).iterdir())
