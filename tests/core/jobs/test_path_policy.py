"""Files are named from outside only under configured folders, and of all others nothing is learnt."""

import os
import socket

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studium.core.domain.errors import BadInput, NotFound
from studium.core.jobs.service import PathPolicy
from studium.core.jobs.uploads import Uploads


@pytest.fixture
def tree(tmp_path):
    """A folder that may be read, beside one that may not."""
    for folder in ("vault/notes", "vault-secret", "outside"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "vault" / "notes" / "夜 空.md").write_text("# Night")
    (tmp_path / "outside" / "secret.txt").write_text("secret")
    (tmp_path / "vault-secret" / "secret.txt").write_text("secret")
    (tmp_path / "vault" / "out").symlink_to(tmp_path / "outside")
    (tmp_path / "vault" / "out.txt").symlink_to(tmp_path / "outside" / "secret.txt")
    (tmp_path / "vault" / "gone.txt").symlink_to(tmp_path / "outside" / "missing.txt")
    (tmp_path / "vault" / "round").symlink_to(tmp_path / "vault" / "round")
    (tmp_path / "vault" / "within.md").symlink_to(tmp_path / "vault" / "notes" / "夜 空.md")
    (tmp_path / "linked").symlink_to(tmp_path / "vault")
    return tmp_path


@pytest.fixture
def places(tree) -> PathPolicy:
    return PathPolicy([tree / "vault"], Uploads(tree / "uploads", 1000))


def test_a_file_inside_is_found_by_absolute_and_relative_path(places, tree):
    note = tree / "vault" / "notes" / "夜 空.md"
    for given_ in (str(note), "notes/夜 空.md", "./notes/../notes/夜 空.md", "within.md", f"{tree}/vault/within.md"):
        assert places.resolve(given_) == note
    assert places.resolve(str(tree / "vault")) == tree / "vault"
    assert places.resolve(".") == tree / "vault"


def test_a_folder_that_is_a_link_itself_may_be_named_either_way(tree):
    places = PathPolicy([tree / "linked"], Uploads(tree / "uploads", 1000))
    note = tree / "vault" / "notes" / "夜 空.md"
    assert places.resolve(f"{tree}/linked/within.md") == places.resolve(f"{tree}/vault/within.md") == note


def outside(places: PathPolicy, given_: str) -> tuple[str, str]:
    with pytest.raises(BadInput) as refused:
        places.resolve(given_)
    assert not isinstance(refused.value, NotFound)
    return refused.value.what.replace(given_, "…"), refused.value.remedy


TRAVERSALS = [
    "{tree}/outside/{file}",
    "../outside/{file}",
    "notes/../../outside/{file}",
    "./.././outside/{file}",
    "notes/../notes/../../outside/{file}",
    "{tree}/vault/../outside/{file}",
    "{tree}/vault-secret/{file}",
    "../vault-secret/{file}",
    "out/{file}",
    "out/../outside/{file}",
    "{tree}/vault/out/{file}",
    "{tree}/linked/../outside/{file}",
]


@pytest.mark.parametrize("path", TRAVERSALS)
def test_files_outside_are_neither_found_nor_revealed(places, tree, path):
    there, missing = (outside(places, path.format(tree=tree, file=file)) for file in ("secret.txt", "missing.txt"))
    assert there == missing
    assert "serve.roots" in there[1]


@pytest.mark.parametrize(
    "path", ["out.txt", "gone.txt", "round", "out", "/", "/etc/passwd", "/proc/self/environ", ".."]
)
def test_links_out_of_the_folders_are_not_followed(places, path):
    outside(places, path)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "\0",
        "notes/\0/x",
        "a\nb",
        "~",
        "~root/x",
        "~/x",
        "C:\\x",
        "c:/x",
        "\\\\host\\share",
        "//host/share",
        "..\\..\\x",
        "notes\\..\\..\\x",
        "\\\\?\\C:\\x",
        "x" * 256,
        "x/" * 3000,
        "\ud800",
    ],
)
def test_an_invalid_path_is_refused(places, path):
    with pytest.raises(BadInput) as refused:
        places.resolve(path)
    assert refused.value.remedy


def test_a_missing_file_inside_is_reported(places, tree):
    for given_ in ("notes/none.md", f"{tree}/vault/none.md", "%2e%2e/x", "notes/夜 空.md/x", "file:///etc/passwd"):
        with pytest.raises(NotFound, match="does not exist"):
            places.resolve(given_)


def test_neither_devices_nor_pipes_nor_sockets_are_read(places, tree):
    os.mkfifo(tree / "vault" / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tree / "vault" / "sock"))
        for name in ("pipe", "sock"):
            with pytest.raises(BadInput, match="neither a file nor a folder"):
                places.resolve(name)


def test_a_device_is_not_reached_through_its_folder():
    with pytest.raises(BadInput, match="neither"):
        PathPolicy(["/dev"], Uploads("/nowhere", 1)).resolve("/dev/null")


async def test_an_upload_is_named_by_its_id(places, tree):
    async def pieces():
        yield b"# Night"

    kept = await Uploads(tree / "uploads", 1000).save("a.md", pieces(), kinds=frozenset({"md"}))
    assert places.resolve(f"upload:{kept.id}") == kept.path
    for odd in ("upload:", "upload:../x", f"upload:{kept.id}/a.md", f"upload:/{kept.id}", "upload:\0"):
        with pytest.raises(NotFound):
            places.resolve(odd)


def test_without_folders_nothing_may_be_read(tree):
    outside(PathPolicy([], Uploads(tree / "uploads", 1000)), "notes/夜 空.md")


@given(
    st.lists(st.sampled_from(["..", ".", "out", "notes", "outside", "secret.txt", "vault", "", "round"]), max_size=8)
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
def test_no_path_leads_outside(places, tree, parts):
    for given_ in ("/".join(parts), f"{tree}/vault/" + "/".join(parts)):
        try:
            found = places.resolve(given_)
        except BadInput:
            continue
        assert found.is_relative_to(tree / "vault")
