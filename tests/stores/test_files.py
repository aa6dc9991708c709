import os
from pathlib import Path

import pytest

from studium.domain.errors import StorageFailed
from studium.stores.files import write_text, written_whole


def test_a_file_that_fails_half_way_leaves_the_old_one_untouched(tmp_path: Path):
    target = tmp_path / "plan.json"
    write_text(target, "old")
    with pytest.raises(RuntimeError), written_whole(target) as part:
        part.write_text("half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_that_is_a_file_is_said_in_plain_words(tmp_path: Path):
    (tmp_path / "notes").write_text("a file")
    with pytest.raises(StorageFailed, match=r"notes/plan\.json cannot be written"):
        write_text(tmp_path / "notes" / "plan.json", "x")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
def test_a_full_disk_is_a_clear_error_and_leaves_nothing(tmp_path: Path):
    target = tmp_path / "cards.apkg"
    with pytest.raises(StorageFailed, match="No space left on device"), written_whole(target) as part:
        part.write_text("begun")
        with open("/dev/full", "w") as full:  # noqa: PTH123 - a device, not a path of ours
            full.write("x" * 10)
            full.flush()
    assert list(tmp_path.iterdir()) == []


def test_the_umask_of_the_user_holds(tmp_path: Path):
    old = os.umask(0o027)
    try:
        write_text(tmp_path / "a.txt", "x")
    finally:
        os.umask(old)
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o640
