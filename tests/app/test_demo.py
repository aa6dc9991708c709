"""`studium demo`: the first thing a new user sees, the same each time."""

import pytest
from tests.run_cli import studium
from tests.vocabulary.dictionary.conftest import dictionary_cache

from studium.vocabulary.dictionary.jmdict import JMdict


@pytest.mark.parametrize("embedder", ["none", pytest.param("minilm", marks=pytest.mark.endurance)])
def test_the_demo_says_what_it_made_each_time_it_is_run(tmp_path, request, embedder):
    JMdict.open(dictionary := dictionary_cache(request.config)).close()
    (tmp_path / "demo" / "home").mkdir(parents=True)
    (tmp_path / "demo" / "home" / "dictionary").symlink_to(dictionary)
    first, second = (studium("--set", f"embedder={embedder}", "demo", "--folder", tmp_path / "demo") for _ in range(2))
    assert first.code == 0, first.err
    assert first.out == second.out
    assert "3 cards" in first.out
    assert "40 questions" in first.out
    assert " words " in first.out
    assert "python/leaky.md" in first.out
    assert (tmp_path / "demo" / "cards.apkg").stat().st_size > 0
    notes = list((tmp_path / "demo" / "concepts-vault").glob("*.md"))
    assert len(notes) > 20
    assert f"{len(notes)} concepts" in first.out
    waiting = studium("--home", tmp_path / "demo" / "home", "concepts", "review", "--json").json
    assert [each["decision"]["item"] for each in waiting] == ["Meditaciones"]
    runs = studium("--home", tmp_path / "demo" / "home", "runs", "list", "--json").json
    assert {
        "Sync: vault → cards.apkg",
        "Studium Question Samples (8 documents)",
        "夜空の道 · Studium",
        "Read: Walden",
        "Extract: Walden",
        "Open review: Walden",
        "Review: Walden",
    } <= {run["note"] for run in runs}
    assert "4 diagnoses" in first.out
    page = (tmp_path / "demo" / "tutor.md").read_text("utf-8")
    assert "\nip route 192.168.2.0 255.255.255.0 10.0.12.2\n" in page
    assert "[1] error-patterns/" in page
