"""Disks that take no writes, and runs that are killed between a file and the database."""

import contextlib
import os
import subprocess

import pytest

from studium.concepts.domain import Concept, Relation, RelationType
from studium.core.domain.errors import StorageFailed

NOTE = "Anclaje.md"


@contextlib.contextmanager
def read_only(folder):
    """While nobody may write to a folder: root is only kept out by a disk that takes no writes."""
    if os.geteuid() != 0:
        folder.chmod(0o555)
        yield
        folder.chmod(0o755)
        return
    bound = subprocess.run(["mount", "--bind", folder, folder], capture_output=True, check=False)
    if bound.returncode:
        pytest.skip(f"mounting is not allowed here: {bound.stderr.decode()}")
    subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def test_a_read_only_vault_is_told_and_nothing_is_taken_for_written(desk, anchor):
    before = desk.states()
    desk.keep(anchor.model_copy(update={"concept": "Otra cosa."}))
    with read_only(desk.folder), pytest.raises(StorageFailed, match=r"Anclaje\.md cannot be written: ") as told:
        desk.publish()
    assert "writable" in told.value.remedy
    assert desk.states() == before
    desk.publish()
    assert "Otra cosa." in desk.read(NOTE)


def test_what_was_to_be_told_is_told_by_the_run_that_succeeds(desk, anchor, bias):
    desk.edit(NOTE, "Importa al negociar.", "No importa.")
    changed = {"analysis": "Importa siempre."}
    desk.keep(anchor.model_copy(update=changed), bias.model_copy(update={"concept": "Un fallo."}))
    with read_only(desk.folder), pytest.raises(StorageFailed):
        desk.publish()
    assert [finding.code for finding in desk.publish().findings] == ["concept_note.kept_yours"]


def test_a_note_that_is_a_link_to_a_file_elsewhere_stays_one(desk, anchor, tmp_path):
    (desk.folder / NOTE).rename(tmp_path / "elsewhere.md")
    (desk.folder / NOTE).symlink_to(tmp_path / "elsewhere.md")
    desk.keep(anchor.model_copy(update={"concept": "Otra cosa."}))
    desk.publish()
    assert (desk.folder / NOTE).is_symlink()
    assert "Otra cosa." in (tmp_path / "elsewhere.md").read_text()


@pytest.fixture
def killed(desk, new_database):
    """Publishes with a database that is a copy, so that the real one knows nothing of it."""

    def publish():
        copy = new_database("copy")
        copy.published.save(desk.publisher.sink, desk.publisher.database.published.versions(desk.publisher.sink))
        return desk.publish(database=copy)

    return publish


def test_a_run_killed_before_the_database_knew_makes_no_conflict(desk, anchor, killed):
    desk.keep(
        anchor.model_copy(update={"concept": "Otra cosa.", "analysis": "Importa siempre."}),
        Concept(uuid="c3", name="Azar", title="Azar"),
        relations=[Relation(source="c1", target="c3", type=RelationType.OPPOSES)],
    )
    assert set(killed().written) == {NOTE, "Azar.md"}
    before = desk.states()
    published = desk.publish()
    assert (published.written, published.merged, published.findings) == ((), (), ())
    assert desk.states() == before
    desk.keep(anchor.model_copy(update={"concept": "Una tercera."}))
    assert desk.publish().findings == ()
    assert "Una tercera." in desk.read(NOTE)


def test_a_killed_merge_is_told_again_and_merged_to_the_same(desk, anchor, killed):
    desk.edit(NOTE, "Importa al negociar.", "No importa.")
    desk.edit(NOTE, "## Conexiones\n", "## Conexiones\n\n- [[Mía]]")
    desk.keep(
        anchor.model_copy(update={"concept": "Otra cosa.", "analysis": "Importa siempre.\n\nTambién al comprar."}),
        Concept(uuid="c3", name="Azar", title="Azar"),
        relations=[Relation(source="c1", target="c3", type=RelationType.OPPOSES)],
    )
    told = killed().findings
    assert [finding.code for finding in told] == ["concept_note.kept_yours"]
    before = desk.states()
    assert desk.publish().findings == told
    assert desk.states() == before
