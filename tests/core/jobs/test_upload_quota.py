"""All files together take no more than they may, however many come at once."""

import asyncio
import os

import pytest

from studium.core.domain.errors import StorageFailed
from studium.core.jobs.uploads import Uploads

KINDS = frozenset({"md"})
MEGABYTE = b"x" * 1_000_000


@pytest.fixture
def uploads(tmp_path) -> Uploads:
    return Uploads(tmp_path, 3_000_000, 3_000_000)


async def pieces(*each: bytes):
    for piece in each:
        yield piece


def taken(folder) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


async def test_an_upload_over_the_quota_is_refused_and_leaves_no_file(uploads, tmp_path):
    await uploads.save("a.md", pieces(MEGABYTE, MEGABYTE), kinds=KINDS)
    with pytest.raises(StorageFailed, match=r"storage is full \(3 MB\)") as refused:
        await uploads.save("b.md", pieces(MEGABYTE), kinds=KINDS)
    assert "serve.max_uploads" in refused.value.remedy
    assert "DELETE" not in refused.value.remedy, "learners do not speak HTTP"
    assert taken(tmp_path) == 2_000_000
    assert (await uploads.save("c.md", pieces(b"# Small"), kinds=KINDS)).size == 7


async def test_removing_a_file_frees_storage(uploads):
    first = await uploads.save("a.md", pieces(MEGABYTE, MEGABYTE), kinds=KINDS)
    uploads.remove(first.id)
    await uploads.save("b.md", pieces(MEGABYTE, MEGABYTE), kinds=KINDS)


async def test_earlier_uploads_count(uploads, tmp_path):
    await uploads.save("a.md", pieces(MEGABYTE, MEGABYTE), kinds=KINDS)
    with pytest.raises(StorageFailed):
        await Uploads(tmp_path, 3_000_000, 3_000_000).save("b.md", pieces(MEGABYTE), kinds=KINDS)


async def test_concurrent_uploads_share_the_quota(uploads, tmp_path):
    most = 0

    async def slow():
        nonlocal most
        for _ in range(20):
            yield b"x" * 50_000
            most = max(most, taken(tmp_path))
            await asyncio.sleep(0)

    saved = await asyncio.gather(
        *(uploads.save(f"{n}.md", slow(), kinds=KINDS) for n in range(10)), return_exceptions=True
    )
    assert 1 <= sum(not isinstance(each, StorageFailed) for each in saved) <= 2
    assert most <= 3_000_000
    assert len(list(tmp_path.iterdir())) == sum(not isinstance(each, StorageFailed) for each in saved)


@pytest.mark.endurance
async def test_a_thousand_files_of_one_byte_count_too(uploads):
    tiny = 3_000_000 // 4_097
    for _ in range(tiny):
        await uploads.save("a.md", pieces(b"x"), kinds=KINDS)
    with pytest.raises(StorageFailed):
        await uploads.save("a.md", pieces(b"x"), kinds=KINDS)


async def test_an_aborted_upload_releases_its_storage(uploads):
    async def leaving():
        yield MEGABYTE
        yield MEGABYTE
        raise ConnectionError

    for _ in range(3):
        with pytest.raises(StorageFailed, match="cannot be saved"):
            await uploads.save("a.md", leaving(), kinds=KINDS)
    await uploads.save("b.md", pieces(MEGABYTE, MEGABYTE), kinds=KINDS)


async def test_the_newest_is_listed_first(uploads, tmp_path):
    old, new = [await uploads.save(name, pieces(b"# A"), kinds=KINDS) for name in ("old.md", "new.md")]
    os.utime(old.path.parent, (0, 0))
    (tmp_path / f".{'0' * 32}").mkdir()
    assert uploads.all() == [new, old]
