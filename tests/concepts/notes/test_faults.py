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


def test_a_read_only_vault_is_reported_and_nothing_is_taken_for_written(workspace, anchor):
    before = workspace.states()
    workspace.keep(anchor.model_copy(update={"concept": "Otra cosa."}))
    with read_only(workspace.folder), pytest.raises(StorageFailed, match=r"Anclaje\.md cannot be written: ") as told:
        workspace.publish()
    assert "writable" in told.value.remedy
    assert workspace.states() == before
    workspace.publish()
    assert "Otra cosa." in workspace.read(NOTE)


def test_what_was_to_be_told_is_told_by_the_run_that_succeeds(workspace, anchor, bias):
    workspace.edit(NOTE, "Importa al negociar.", "No importa.")
    changed = {"analysis": "Importa siempre."}
    workspace.keep(anchor.model_copy(update=changed), bias.model_copy(update={"concept": "Un fallo."}))
    with read_only(workspace.folder), pytest.raises(StorageFailed):
        workspace.publish()
    assert [finding.code for finding in workspace.publish().findings] == ["concept_note.kept_yours"]


def test_a_note_that_is_a_link_to_a_file_elsewhere_stays_one(workspace, anchor, tmp_path):
    (workspace.folder / NOTE).rename(tmp_path / "elsewhere.md")
    (workspace.folder / NOTE).symlink_to(tmp_path / "elsewhere.md")
    workspace.keep(anchor.model_copy(update={"concept": "Otra cosa."}))
    workspace.publish()
    assert (workspace.folder / NOTE).is_symlink()
    assert "Otra cosa." in (tmp_path / "elsewhere.md").read_text()


@pytest.fixture
def killed(workspace, new_database):
    """Publishes with a database that is a copy, so that the real one knows nothing of it."""

    def publish():
        copy = new_database("copy")
        copy.published.save(
            workspace.publisher.sink, workspace.publisher.database.published.versions(workspace.publisher.sink)
        )
        return workspace.publish(database=copy)

    return publish


def test_a_run_killed_before_the_database_knew_makes_no_conflict(workspace, anchor, killed):
    workspace.keep(
        anchor.model_copy(update={"concept": "Otra cosa.", "analysis": "Importa siempre."}),
        Concept(uuid="c3", name="Azar", title="Azar"),
        relations=[Relation(source="c1", target="c3", type=RelationType.OPPOSES)],
    )
    assert set(killed().written) == {NOTE, "Azar.md"}
    before = workspace.states()
    published = workspace.publish()
    assert (published.written, published.merged, published.findings) == ((), (), ())
    assert workspace.states() == before
    workspace.keep(anchor.model_copy(update={"concept": "Una tercera."}))
    assert workspace.publish().findings == ()
    assert "Una tercera." in workspace.read(NOTE)


def test_a_killed_merge_is_told_again_and_merged_to_the_same(workspace, anchor, killed):
    workspace.edit(NOTE, "Importa al negociar.", "No importa.")
    workspace.edit(NOTE, "## Conexiones\n", "## Conexiones\n\n- [[Mía]]")
    workspace.keep(
        anchor.model_copy(update={"concept": "Otra cosa.", "analysis": "Importa siempre.\n\nTambién al comprar."}),
        Concept(uuid="c3", name="Azar", title="Azar"),
        relations=[Relation(source="c1", target="c3", type=RelationType.OPPOSES)],
    )
    told = killed().findings
    assert [finding.code for finding in told] == ["concept_note.kept_yours"]
    before = workspace.states()
    assert workspace.publish().findings == told
    assert workspace.states() == before
