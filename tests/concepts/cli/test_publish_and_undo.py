"""Saved concepts are searched, shown, audited, exported, drawn, published and undone."""

import pytest
from tests.concepts.cli.conftest import done
from tests.run_cli import studium

PATIENCE = "Patience is when we go on hoping without a date."


def vault_of(tmp_path):
    folder = tmp_path / "vault" / "Concepts"
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize("embedder", ["none", "minilm"])
@pytest.mark.usefixtures("waiting")
def test_concepts_and_quotes_are_found_by_what_they_say(monkeypatch, embedder, letters):
    monkeypatch.setenv("STUDIUM_EMBEDDER", embedder)
    done(studium("concepts", "parse", letters))
    done(studium("concepts", "review", "letters", "--approve"))
    text = "hoping without a date" if embedder == "none" else "waiting calmly for something uncertain"
    first, *_ = done(studium("concepts", "search", text, "--json")).json
    assert first["text"] == PATIENCE
    (quote,) = done(studium("concepts", "search", text, "--quotes", "--limit", 1, "--json")).json
    assert (quote["title"], quote["text"]) == ("Letters on Time, Mornings, 4", PATIENCE)
    assert (quote["similarity"] > 0) is (embedder == "minilm")


@pytest.mark.usefixtures("kept")
def test_what_nothing_says_is_not_found():
    assert done(studium("concepts", "search", "xylophone")).out.strip() == "No matches."


@pytest.mark.usefixtures("kept")
def test_a_concept_is_shown_with_its_quotes():
    told = done(studium("concepts", "show", "patience")).out
    assert "— Letters on Time, Mornings, 4" in told
    shown = done(studium("concepts", "show", "patience", "--json")).json
    assert [each["text"] for each in shown["supports"]] == [PATIENCE]
    assert done(studium("concepts", "show", shown["uuid"], "--json")).json == shown


@pytest.mark.usefixtures("kept")
def test_a_missing_concept_is_reported():
    refused = studium("concepts", "show", "Impatience")
    assert refused.code == 2
    assert "“Patience”" in refused.err


@pytest.mark.usefixtures("kept")
def test_stats_and_audit_say_what_there_is_and_what_is_thin(clippings):
    done(studium("concepts", "parse", clippings))
    counts = done(studium("concepts", "stats", "--json")).json["counts"]
    assert (counts["Content"], counts["Quote"], counts["Concept"]) == (3, 8, 5)
    assert "5 concepts" in done(studium("concepts", "stats")).out
    told = done(studium("concepts", "audit")).out
    assert "only one quote (5)" in told
    assert "books without extraction (2): Las horas, On Rivers" in told
    found = done(studium("concepts", "audit", "--json")).json
    assert len(found["one_quote"]) == 5
    assert found["unattributed"] == []


@pytest.mark.usefixtures("kept")
def test_a_graph_moves_to_another_home_whole(tmp_path):
    file, other = tmp_path / "graph.jsonl", tmp_path / "other"
    done(studium("concepts", "graph", "export", file))
    told = done(studium("--home", other, "concepts", "graph", "import", file)).out
    assert told.strip() == "The graph now has 5 concepts and 5 quotes of 1 books."
    here, there = (done(studium(*home, "concepts", "graph", "map")).out for home in ((), ("--home", other)))
    assert here == there
    done(studium("--home", other, "concepts", "graph", "import", file))
    assert done(studium("--home", other, "concepts", "stats", "--json")).json["counts"]["Concept"] == 5


def test_the_map_is_of_everything_of_a_book_or_around_a_concept(waiting, tmp_path, clippings):
    one, two, *_ = waiting.values()
    changes = tmp_path / "changes.yaml"
    changes.write_text(f"changes: [{{action: relate, concept: {one}, target: {two}, type: PART_OF}}]", "utf-8")
    done(studium("concepts", "review", "letters", "--changes", changes))
    done(studium("concepts", "review", "letters", "--approve"))
    done(studium("concepts", "parse", clippings))
    assert len(done(studium("concepts", "graph", "map", "--book", "letters")).json["nodes"]) == 5
    assert done(studium("concepts", "graph", "map", "--book", "on rivers")).json["nodes"] == []
    assert len(done(studium("concepts", "graph", "map", "--around", "patience")).json["nodes"]) == 2
    drawn = done(studium("concepts", "graph", "map", "--around", "patience", "--mermaid")).out
    assert drawn.startswith("flowchart")
    assert "PART_OF" in drawn


@pytest.mark.usefixtures("kept")
def test_notes_are_written_in_the_language_asked_for(tmp_path):
    folder = vault_of(tmp_path)
    told = done(studium("concepts", "vault", folder, "--language", "en")).out
    assert told.startswith("5 notes written")
    note = (folder / "Patience.md").read_text("utf-8")
    assert f"## Concept\n\n{PATIENCE}\n" in note
    assert "## Source" in note
    assert done(studium("concepts", "vault", folder, "--language", "en", "--json")).json["unchanged"] == 5
    done(studium("concepts", "vault", folder, "--language", "es"))
    assert "## Concepto" in (folder / "Patience.md").read_text("utf-8")


@pytest.mark.usefixtures("kept")
def test_what_the_reader_wrote_in_a_note_stays(tmp_path):
    folder = vault_of(tmp_path)
    done(studium("concepts", "vault", folder, "--language", "en"))
    note = folder / "Patience.md"
    note.write_text(note.read_text("utf-8") + "\n## My view\n\nI have little of it.\n", "utf-8")
    done(studium("concepts", "vault", folder, "--language", "en", "--cards"))
    assert "I have little of it." in note.read_text("utf-8")
    assert "> [!question]" in note.read_text("utf-8")


@pytest.mark.usefixtures("kept")
def test_concepts_become_cards(tmp_path):
    folder = vault_of(tmp_path)
    done(studium("concepts", "vault", folder, "--language", "en"))
    plan = ("cards", "plan", folder.parent, "--to", tmp_path / "cards.apkg", "--json")
    assert done(studium(*plan)).json["decisions"] == []
    done(studium("concepts", "vault", folder, "--language", "en", "--cards"))
    decisions = done(studium(*plan)).json["decisions"]
    assert len(decisions) == 5
    (patience,) = [each for each in decisions if each["note"] == "Concepts/Patience.md"]
    assert patience["action"] == "create"
    assert patience["card"]["fields"] == {"Front": "What is “Patience”?", "Back": PATIENCE}


@pytest.mark.usefixtures("waiting")
def test_approval_writes_to_the_vault_of_the_settings_and_undo_takes_it_back(tmp_path, monkeypatch):
    folder = vault_of(tmp_path)
    monkeypatch.setenv("STUDIUM_CONCEPTS__VAULT", str(folder))
    run = done(studium("concepts", "review", "letters", "--approve", "--json")).json["run"]
    assert len(list(folder.glob("*.md"))) == 5
    note = folder / "Patience.md"
    note.write_text(note.read_text("utf-8") + "\nMine.\n", "utf-8")
    told = done(studium("concepts", "undo", run)).out
    assert told.endswith("Undone.\n")
    assert [path.name for path in folder.glob("*.md")] == ["Patience.md"]
    assert "You edited this note" in told.replace("\n", " ")
    counts = done(studium("concepts", "stats", "--json")).json["counts"]
    assert (counts["Concept"], counts["Quote"]) == (0, 5)
    twice = studium("concepts", "undo", run)
    assert twice.code == 2
    assert "already undone" in twice.err
