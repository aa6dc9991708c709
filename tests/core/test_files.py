import os
from pathlib import Path

import pytest

from studium.core.domain.errors import StorageFailed
from studium.core.files import atomic_write, write_text


def test_a_failed_write_leaves_the_old_file_unchanged(tmp_path: Path):
    target = tmp_path / "plan.json"
    write_text(target, "old")

    def fail_half_way() -> None:
        with atomic_write(target) as part:
            part.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_instead_of_a_folder_is_reported(tmp_path: Path):
    (tmp_path / "notes").write_text("a file")
    with pytest.raises(StorageFailed, match=r"notes/plan\.json cannot be written"):
        write_text(tmp_path / "notes" / "plan.json", "x")


def test_the_umask_of_the_user_applies(tmp_path: Path):
    old = os.umask(0o027)
    try:
        write_text(tmp_path / "a.txt", "x")
    finally:
        os.umask(old)
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o640
