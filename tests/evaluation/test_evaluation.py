import json
import subprocess
import sys
from pathlib import Path

import pytest
from evaluation.__main__ import FEATURES, main

ROOT = Path(__file__).parents[2]
TYPO = {"id": "1", "prompt": "R1#", "command": "shwo clock", "output": "% Invalid input", "must_match": "show clock"}
SETS = {
    "cards": ["syntaxes", "vault"],
    "questions": ["validator", "pairs", "documents"],
    "vocabulary": ["gsd", "expressions"],
    "concepts": ["quotes", "merges"],
    "tutor": ["mistakes", "healthy", "questions"],
}


def test_every_feature_has_its_sets():
    assert {feature: list(sets) for feature, sets in FEATURES.items()} == SETS


def test_one_json_object_is_printed_without_missing_sets(write, folder, capsys):
    write("cards/vault/metal.md", "Q: Which metal is liquid?\nA: Mercury\n")
    write("tutor/healthy.json", [TYPO | {"command": "show clock", "output": "12:00"}])
    main(["all", str(folder), "--json"])
    told = capsys.readouterr()
    vault = {"notes": 1, "with_card": 1, "reviews": 0, "empty_backs": 0}
    assert json.loads(told.out) == {"cards": {"vault": vault}, "tutor": {"healthy": {"alarms": 0, "of": 1}}}
    assert "cards syntaxes: left out: cards/syntaxes is missing" in told.err


def test_the_table_shows_skipped_sets_and_verbose_shows_wrong_cases(write, folder, capsys):
    write("tutor/errors.json", [TYPO, TYPO | {"must_match": "never said"}])
    main(["tutor", str(folder), "--verbose"])
    told = capsys.readouterr()
    assert "| tutor mistakes | found 2, right 1, of 2 |" in told.out
    assert "| tutor healthy | left out: tutor/healthy.json is missing |" in told.out
    assert told.err.startswith("tutor mistakes: 1 R1#shwo clock")


def test_nothing_in_the_folder_changes(write, folder):
    write("cards/vault/metal.md", "Q: Which metal is liquid?\nA: Mercury\n")
    write("concepts/quotes/a.md", "> A quote.\n")
    write("concepts/quotes/a.md.expected.json", {"file": "a.md", "kind": "ours", "books": []})

    def state():
        return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}

    before = state()
    main(["cards", str(folder)])
    main(["concepts", str(folder)])
    assert state() == before


def test_a_missing_folder_is_reported(tmp_path):
    with pytest.raises(SystemExit, match="is not a folder"):
        main(["all", str(tmp_path / "nowhere")])


def test_it_runs_as_a_module(write, folder):
    write("tutor/healthy.json", [])
    command = [sys.executable, "-m", "evaluation", "tutor", folder, "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"tutor": {"healthy": {"alarms": 0, "of": 0}}}
