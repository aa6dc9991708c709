"""Pictures and sounds: copied once, by content, and only from inside the vault."""

import os

import pytest

from studium.anki.media import MediaLibrary, unused_media


def test_the_same_picture_under_two_names_is_one_file(render, vault):
    (vault.root / "copy.png").write_bytes(b"a picture")
    fresh = type(vault).of(vault.root, "v")
    shelf = MediaLibrary()
    names = {shelf.take(fresh.path(file)).name for file in ("copy.png", "attachments/my map.png")}
    assert len(names) == 1
    card = render("![[my map.png]] ![[my map.png|20]]")
    assert {file.name for file in card.media} == names
    assert len(card.media) == 1


def test_a_picture_that_changes_gets_a_new_name(vault):
    shelf = MediaLibrary()
    path = vault.path("attachments/my map.png")
    before = shelf.take(path)
    path.write_bytes(b"another picture")
    after = shelf.take(path)
    assert before.name != after.name


def test_an_unchanged_file_is_read_once(vault):
    shelf = MediaLibrary()
    path = vault.path("attachments/my map.png")
    stamp = path.stat()
    first = shelf.take(path)
    path.write_bytes(b"A PICTURE")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert shelf.take(path) is first, "same path, time and size: the hash is remembered"


@pytest.mark.parametrize(
    ("markdown", "code", "message"),
    [
        ("![[gone.png]]", "media.missing", "gone.png is not in the vault"),
        ("![](img/gone.png)", "media.missing", "img/gone.png is not in the vault"),
        ("![](../../secret.png)", "media.outside", "../../secret.png is outside the vault and was not read"),
        ("![[../../secret.png]]", "media.outside", "is outside the vault"),
        ("![[innocent.png]]", "media.outside", "innocent.png is outside the vault"),
        ("![](/etc/passwd)", "media.outside", "/etc/passwd is outside the vault"),
        ("![a thing](file:///etc/passwd)", "media.outside", "A picture (a thing) has an address that cannot be used"),
        ("![](data:image/png;base64,AAAA)", "media.outside", "A picture (without a name)"),
    ],
)
def test_what_cannot_be_shown_is_reported_with_its_note(render, markdown, code, message):
    card = render(markdown)
    (finding,) = card.findings
    assert (finding.code, finding.where.path) == (code, "net/OSPF.md")
    assert message in finding.message
    assert not card.media
    assert "<img" not in card.fields["Front"]


def test_a_secret_outside_the_vault_is_never_opened(render, monkeypatch):
    opened = []
    monkeypatch.setattr("pathlib.Path.read_bytes", lambda path: opened.append(path) or b"")
    for markdown in (
        "![[innocent.png]]",
        "![](../../secret.png)",
        "![[/../secret.png]]",
        "![](%2e%2e/%2e%2e/secret.png)",
    ):
        assert render(markdown).findings
    assert not opened


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("page.svg", b"<svg><script>x()</script></svg>", "media.unsafe"),
        ("page.svg", b'<svg onload = "x()"/>', "media.unsafe"),
        ("page.svg", b'<svg><a href="javascript:x()"/></svg>', "media.unsafe"),
        ("page.svg", b'<!DOCTYPE svg [<!ENTITY x "y">]><svg/>', "media.unsafe"),
        ("page.svg", "<svg><script>x()</script></svg>".encode("utf-16"), "media.unsafe"),
        ("page.html", b"<html>", "media.type"),
        ("big.png", b"x" * 2000, "media.size"),
    ],
)
def test_a_file_that_is_unfit_is_refused(tmp_path, name, content, code):
    (tmp_path / name).write_bytes(content)
    assert MediaLibrary(size_limit=1000).take(tmp_path / name).code == code


def test_a_drawing_that_only_draws_is_taken(tmp_path):
    (tmp_path / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><rect width="3" style="fill:red"/></svg>')
    assert MediaLibrary().take(tmp_path / "a.svg").name.endswith(".svg")


def test_a_folder_or_a_file_that_vanished_is_a_finding(tmp_path):
    (tmp_path / "folder.png").mkdir()
    for name in ("folder.png", "vanished.png"):
        assert MediaLibrary().take(tmp_path / name).code == "media.missing"


def test_our_unused_media_are_found():
    used, unused = "studium-0123456789abcdef.png", "studium-fedcba9876543210.mp3"
    fields = [f'<img src="{used}" alt="">', "[sound:other.mp3]"]
    assert unused_media([used, unused, "other.mp3", "holiday.jpg", "studium-notes.png"], fields) == {unused}
