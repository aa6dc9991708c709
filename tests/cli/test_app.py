import json
import re

import pytest

from studium import __version__
from studium.cli.app import exit_code
from studium.core.domain import errors
from studium.core.telemetry import span


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.BadInput, 2),
        (errors.BadSettings, 2),
        (errors.NotFound, 2),
        (errors.Conflict, 2),
        (errors.MissingPart, 3),
        (errors.MissingExtra, 3),
        (errors.MissingModel, 3),
        (errors.ServiceDown, 3),
        (errors.StorageFailed, 1),
        (errors.Interrupted, 1),
    ],
)
def test_each_error_has_its_exit_code(kind, code):
    assert exit_code(kind("what")) == code


def test_an_unexpected_error_exits_with_1():
    assert exit_code(ZeroDivisionError()) == 1


def test_the_version(studium):
    assert studium("--version").out == f"studium {__version__}\n"


def test_wrong_usage_is_2(studium):
    said = studium("frobnicate")
    assert said.code == 2
    assert "No such command 'frobnicate'" in said.err


def test_an_error_says_what_happened_and_what_to_do(studium):
    said = studium("--set", "roles.defualt=rules", "runs", "list")
    assert said.code == 2
    assert said.out == ""
    assert said.err.splitlines() == [
        "Error: --set: unknown key `roles.defualt`; did you mean `roles.default`?",
        "Correct the setting; docs/configuration.md lists every key.",
    ]


def test_an_error_shows_no_secret_and_a_traceback_only_when_asked(studium, tmp_path):
    database = f"database=sqlite:///{tmp_path}/token=hush/no"
    (tmp_path / "token=hush").write_text("a file where a folder should be")
    short = studium("--set", database, "runs", "list")
    long = studium("--verbose", "--set", database, "runs", "list")
    assert short.code == long.code == 1
    assert "Traceback" not in short.err
    assert "Traceback" in long.err
    assert "hush" not in short.err + long.err


def test_the_home_is_a_flag_too(studium, home, tmp_path):
    studium("--home", str(tmp_path / "other"), "runs", "list")
    assert (tmp_path / "other" / "database.sqlite").exists()
    assert not home.exists()


@pytest.mark.usefixtures("database")
def test_tracing_is_a_setting(studium):
    assert span("one") is span("two")
    studium("--set", "tracing.otel=true", "--set", "tracing.endpoint=http://127.0.0.1:1", "runs", "list")
    assert span("one") is not span("two")


@pytest.mark.usefixtures("database")
def test_the_graphs_are_listed_and_drawn(studium):
    assert re.search(r"^cards +map_to_anki_fields → ", studium("graphs").out, re.MULTILINE)
    drawn = studium("graphs", "--mermaid").out
    assert drawn.startswith("## cards\n\n```mermaid\n---\n")
    assert "```\n\n## questions\n" in drawn
    assert "qa_check_card -.-> decide;" in drawn


@pytest.mark.usefixtures("database")
def test_no_runs_yet(studium):
    assert studium("runs", "list").out == "No runs yet.\n"
    assert json.loads(studium("runs", "list", "--json").out) == []


def test_runs_are_listed(studium, run):
    line = studium("runs", "list").out.splitlines()[1]
    assert line.split()[:3] == [run.id, "cards", "done"]
    assert json.loads(studium("runs", "list", "--json").out)[0]["id"] == run.id


def test_a_run_shows_its_cost_and_results(studium, run):
    said = studium("runs", "show", run.id[:14]).out
    rows = [" ".join(line.split()) for line in said.splitlines()]
    assert "2 items; decided: 1 create, 1 manual_review" in rows
    assert "3 calls (0 from the cache); 1000 tokens in, 80 out; cost 0.0135; calls of unknown cost: 1" in rows
    assert "cards.map 2 0 50% 500 ms 500 ms 500 ms 1000 80 0.0135" in rows
    assert "cards.qa 1 0 0% 500 ms 500 ms 500 ms 0 0 unknown" in rows
    assert "0.4-0.5 1 ████████████████████" in rows
    assert "mean 0.70" in rows
    assert "cards.unproved 1" in rows
    told = json.loads(studium("runs", "show", run.id, "--json").out)
    assert told["run"]["id"] == run.id
    assert told["metrics"]["actions"]["create"] == 1


def test_a_run_that_is_not_there(studium, run):
    said = studium("runs", "show", "nope")
    assert said.code == 2
    assert "nope" in said.err
    assert run.id not in said.out


def test_a_file_name_that_is_not_text_is_refused(studium):
    said = studium("cards", "sync", "caf\udce9", "--to", "cards.apkg")
    assert said.code == 2
    assert said.err.splitlines() == [
        "Error: caf\\xe9 is not valid UTF-8.",
        "Rename the file or folder, then name it again.",
    ]


def test_a_server_is_not_started_on_an_emptied_database(studium, tmp_path):
    (tmp_path / "database.sqlite").touch()
    said = studium("--home", str(tmp_path), "serve", "--port", "8799")
    assert said.code == 1
    assert "is empty (0 bytes)" in said.err
    assert "Restore the file from a copy" in said.err
    assert "Traceback" not in said.err
