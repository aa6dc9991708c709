"""Links mean what they mean in Obsidian, and none leads out of the vault."""

import pytest

from studium.core.documents.vault import Vault

FILES = (
    "Home.md",
    "net/OSPF.md",
    "net/Areas.md",
    "net/img/map.png",
    "net/deep/er/Areas.md",
    "old/Areas.md",
    "attachments/map.png",
    "attachments/Café.png",
    "notes v1.2.md",
)


@pytest.fixture
def vault(tmp_path):
    return Vault(tmp_path, "My Studies", FILES)


def test_a_link_finds_its_file(vault, subtests):
    cases = [
        ("OSPF", "Home.md", "net/OSPF.md"),
        ("ospf", "Home.md", "net/OSPF.md"),
        ("OSPF.md", "Home.md", "net/OSPF.md"),
        ("OSPF#Areas|the areas", "Home.md", "net/OSPF.md"),
        ("net/OSPF#^block", "Home.md", "net/OSPF.md"),
        ("#Heading", "net/OSPF.md", "net/OSPF.md"),
        ("notes v1.2", "Home.md", "notes v1.2.md"),
        ("Areas", "net/OSPF.md", "net/Areas.md"),
        ("Areas", "net/deep/er/x.md", "net/deep/er/Areas.md"),
        ("Areas", "Home.md", "net/Areas.md"),
        ("er/Areas", "Home.md", "net/deep/er/Areas.md"),
        ("old/Areas", "net/OSPF.md", "old/Areas.md"),
        ("map.png", "Home.md", "net/img/map.png"),
        ("attachments/map.png", "net/OSPF.md", "attachments/map.png"),
        ("/attachments/map.png", "net/OSPF.md", "attachments/map.png"),
        ("../attachments/map.png", "net/OSPF.md", "attachments/map.png"),
        ("./img/map.png", "net/OSPF.md", "net/img/map.png"),
        ("img/../img/map.png", "net/OSPF.md", "net/img/map.png"),
        ("attachments\\map.png", "Home.md", "attachments/map.png"),
        ("Cafe\u0301.png", "Home.md", "attachments/Café.png"),
    ]
    for target, from_note, file in cases:
        with subtests.test(target=target, from_note=from_note, file=file):
            assert vault.resolve(target, from_note) == file


def test_a_broken_link_finds_nothing_and_stays_inside(vault, subtests):
    cases = ["Nothing", "reas", "et/OSPF", "./map.png", "/map.png", "../OSPF"]
    for target in cases:
        with subtests.test(target=target):
            assert vault.resolve(target, "net/OSPF.md") is None
            assert not vault.leads_outside(target, "net/OSPF.md") or target.startswith("/")


def test_a_link_out_of_the_vault_is_not_followed(vault, subtests):
    cases = [
        "../../etc/passwd",
        "../../../x.png",
        "/etc/passwd",
        "a/../../../x",
        "file:///etc/passwd",
        "C:\\x.png",
        "..\\..\\x",
    ]
    for target in cases:
        with subtests.test(target=target):
            assert vault.resolve(target, "net/OSPF.md") is None
            assert vault.leads_outside(target, "net/OSPF.md")


def test_a_symbolic_link_out_of_the_vault_is_not_followed(tmp_path):
    root = tmp_path / "vault"
    root.mkdir()
    (tmp_path / "secret.png").write_bytes(b"secret")
    (root / "innocent.png").symlink_to(tmp_path / "secret.png")
    (root / "picture.png").write_bytes(b"picture")
    (root / "alias.png").symlink_to(root / "picture.png")
    vault = Vault.of(root, "v")
    assert vault.resolve("innocent.png", "a.md") is None
    assert vault.leads_outside("innocent.png", "a.md")
    assert vault.resolve("alias.png", "a.md") == "alias.png", "a link that stays inside is a file like any other"


def test_a_vault_has_all_files_except_hidden_ones(tmp_path):
    for name in ("a.md", "b/c.png", ".obsidian/app.json", "b/.trash/d.md", ".hidden.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert sorted(Vault.of(tmp_path, "v").files) == ["a.md", "b/c.png"]


def test_an_address_opens_the_note_at_its_heading(vault):
    assert vault.link("net/OSPF.md") == "obsidian://open?vault=My%20Studies&file=net%2FOSPF"
    assert vault.link("net/OSPF.md", "Areas: why?").endswith("net%2FOSPF%23Areas%20why%3F"), "as Obsidian writes it"
    assert vault.link("net/OSPF.md", "^block-1").endswith("net%2FOSPF%23%5Eblock-1")
    assert vault.link("attachments/map.png").endswith("attachments%2Fmap.png")


def test_a_notes_path_is_found_from_relative_and_absolute_paths(vault, tmp_path):
    assert vault.relative(f"{tmp_path}/net/OSPF.md") == vault.relative("net/OSPF.md") == "net/OSPF.md"
