"""Bad files, and places that cannot be written: the error is plain, and nothing half-written is left."""

import json

import pytest
from tests.real.process import free_port

HOSTILE = """\
---
title: Robert'); DROP TABLE quote;--
author: "' OR '1'='1"
---
# Quotes

- "Injection is the art of '}) DETACH DELETE n // making data speak." (p. 1)
- "Escaping is what '; DROP TABLE concept; -- fails to remember." (p. 2)
- "Trust is a `MATCH (n) DETACH DELETE n` that nobody ran." (p. 3)
"""
TEXTS = [
    "Injection is the art of '}) DETACH DELETE n // making data speak.",
    "Escaping is what '; DROP TABLE concept; -- fails to remember.",
    "Trust is a `MATCH (n) DETACH DELETE n` that nobody ran.",
]


@pytest.fixture
def waiting(workspace):
    """A workspace in which the first round of review waits."""
    assert workspace.concepts("parse", workspace.file).code == 0
    assert workspace.concepts("extract", "Walden").code == 0
    return workspace


def approve_with(workspace, *changes):
    """Approve, with these changes."""
    file = workspace.folder / "changes.yaml"
    file.write_text(json.dumps({"changes": changes}))
    return workspace.concepts("review", "Walden", "--changes", file, "--approve")


def test_a_file_of_changes_that_is_no_text_is_refused(waiting):
    file = waiting.folder / "changes.yaml"
    file.write_bytes(b"changes: []\n\xff\xfe")
    refused = waiting.concepts("review", "Walden", "--changes", file, "--approve")
    assert refused.code == 2
    assert "changes.yaml:2" in refused.err


@pytest.mark.parametrize("text", ["", "# Walden\n\nJust prose, and no quote in it.\n", "# Quotes\n\n"])
def test_a_file_without_quotes_is_refused(workspace, text):
    workspace.file.write_text(text)
    refused = workspace.concepts("parse", workspace.file)
    assert refused.code == 2
    assert "quotes" in refused.err
    assert "Traceback" not in refused.err
    assert workspace.concepts("stats", "--json").json["books"] == []


def test_a_book_without_an_author_is_kept_and_gets_the_author_later(workspace):
    workspace.file.write_text('# Quotes\n\n- "Solitude is the company that a mind keeps with itself."\n')
    kept = workspace.concepts("parse", workspace.file, "--title", "Walden")
    assert kept.code == 0
    assert "Name the author with --author." in " ".join(kept.out.split())
    assert workspace.concepts("parse", workspace.file, "--title", "Walden", "--author", "H. D. Thoreau").code == 0
    [book] = workspace.concepts("stats", "--json").json["books"]
    assert (book["title"], book["author"], book["quotes"]) == ("Walden", "H. D. Thoreau", 1)


def test_a_file_in_an_old_encoding_is_read(workspace):
    text = '---\ntitle: Camino\nauthor: Núñez\n---\n# Citas\n\n- "La niñez es una nación que añoramos." (p. 3)\n'
    workspace.file.write_bytes(text.encode("cp1252"))
    assert workspace.concepts("parse", workspace.file).code == 0
    assert workspace.concepts("extract", "Camino").code == 0
    with workspace.graph() as graph:
        [book] = graph.books()
        assert book.author == "Núñez"
        assert [quote.text for quote in graph.quotes_of(book.uuid)] == ["La niñez es una nación que añoramos."]


def test_a_book_of_bytes_that_are_no_text_is_refused(workspace):
    workspace.file.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 20)
    refused = workspace.concepts("parse", workspace.file)
    assert refused.code == 2
    assert "Traceback" not in refused.err
    assert workspace.concepts("stats", "--json").json["books"] == []


def test_sql_and_cypher_in_quotes_and_titles_are_only_text(workspace):
    workspace.file.write_text(HOSTILE)
    assert workspace.concepts("parse", workspace.file).code == 0
    assert workspace.concepts("extract", "Robert").code == 0
    assert "3 new concepts saved" in workspace.concepts("review", "Robert", "--approve").out
    with workspace.graph() as graph:
        [book] = graph.books()
        assert book.title == "Robert'); DROP TABLE quote;--"
        assert [quote.text for quote in graph.quotes_of(book.uuid)] == TEXTS
        assert sorted(concept.concept for concept in graph.concepts()) == sorted(TEXTS)


def test_a_title_that_is_no_file_name_gets_one(waiting):
    titles = {"c1": "a/b: c?", "c2": ".."}
    changes = [{"action": "edit", "concept": key, "title": title} for key, title in titles.items()]
    assert "5 new concepts saved" in approve_with(waiting, *changes).out
    notes = waiting.notes()
    assert len(notes) == 5
    assert all(path.parent == waiting.vault for path in waiting.vault.rglob("*"))
    [named] = [name for name, text in notes.items() if "a/b: c?" in text and "keeping only what is essential" in text]
    assert not set(named) & set('/\\:*?"<>|#^[]')
    assert waiting.concepts("show", "a/b: c?").code == 0


def test_two_concepts_with_one_title_are_two_notes(waiting):
    changes = [{"action": "edit", "concept": key, "title": "Solitude"} for key in ("c3", "c4")]
    assert "5 new concepts saved" in approve_with(waiting, *changes).out
    alike = sorted(name for name in waiting.notes() if name.startswith("Solitude"))
    assert len(alike) == 2
    with waiting.graph() as graph:
        assert sum(concept.title == "Solitude" for concept in graph.concepts()) == 2
    ambiguous = waiting.concepts("show", "Solitude")
    assert ambiguous.code == 2
    assert "matches 2 concepts" in ambiguous.err


def test_without_its_vault_the_concepts_are_kept_and_the_same_command_writes_the_notes(waiting):
    waiting.vault.rmdir()
    waiting.vault.write_text("a file where the folder should be")
    failed = waiting.concepts("review", "Walden", "--approve")
    assert failed.code == 1
    assert f"There is no folder {waiting.vault}" in " ".join((failed.out + failed.err).split())
    assert waiting.vault.read_text() == "a file where the folder should be"
    waiting.vault.unlink()
    waiting.vault.mkdir()
    finished = waiting.concepts("review", "Walden", "--approve", "--json")
    assert finished.code == 0
    assert len(waiting.notes()) == 5
    assert len(waiting.snapshot()["commits"]) == 1
    assert waiting.concepts("undo", finished.json["run"]).code == 0
    assert waiting.notes() == {}


def test_a_vault_that_cannot_be_written_is_reported_and_the_same_command_finishes(waiting):
    in_the_way = waiting.vault / "Simplicity.md"
    in_the_way.mkdir()
    failed = waiting.concepts("review", "Walden", "--approve")
    assert failed.code == 1
    assert "Simplicity.md" in failed.err
    assert "Free disk space or make the folder writable, then run the command again." in failed.err
    assert all(text.startswith("---") for text in waiting.notes().values()), "what is there is whole"
    in_the_way.rmdir()
    assert waiting.concepts("review", "Walden", "--approve").code == 0
    standing = waiting.snapshot()
    assert len(standing["notes"]) == 5
    assert len(standing["commits"]) == 1


def test_neo4j_that_is_down_is_reported_before_anything_is_done(workspace):
    workspace.configure(neo4j={"uri": f"bolt://127.0.0.1:{free_port()}"})
    refused = workspace.concepts("parse", workspace.file)
    assert refused.code == 3
    assert "does not answer" in refused.err
    assert "Neo4j" in refused.err
