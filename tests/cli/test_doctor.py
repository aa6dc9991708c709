import json
import re
import sqlite3
import time
import tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from studium.app import doctor
from studium.app.doctor import PartStatus, ProbeContext, run_probes


@pytest.fixture
def premises(home):
    return ProbeContext(home=home, database_url=f"sqlite:///{home}/database.sqlite")


@pytest.fixture
def ollama():
    """A server that answers as Ollama does."""

    class Ollama(BaseHTTPRequestHandler):
        def do_GET(self):
            told = {"version": "0.12.0"} if self.path == "/api/version" else {"models": [{"name": "qwen3:14b"}]}
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(told).encode())

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Ollama) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_doctor_reports_every_part_and_how_to_get_the_absent_ones(studium, home):
    said = studium("doctor", "--json")
    parts = {part["name"]: part for part in json.loads(said.out)}
    assert said.code == 0
    assert {
        "studium",
        "home",
        "database",
        "embeddings",
        "Ollama server",
        "openai",
        "Anki",
        "PostgreSQL",
        "Neo4j",
    } <= set(parts)
    assert {"FRR", "Chromium", "editor"} <= set(parts)
    assert all(part["remedy"] for part in parts.values() if part["state"] != "there")
    assert not home.exists(), "the doctor looks and changes nothing"


def test_what_is_needed_and_not_there_is_3(studium):
    said = studium(
        "--set", "roles.default=ollama:qwen3", "--set", "models.ollama:qwen3.base_url=http://127.0.0.1:1", "doctor"
    )
    assert said.code == 3
    assert "✗ Ollama server no answer at http://127.0.0.1:1" in said.out


def test_probes_look_side_by_side(premises):
    def slow(_):
        time.sleep(0.2)
        return PartStatus("slow", "there", "")

    started = time.monotonic()
    assert len(run_probes(premises, [slow] * 10)) == 10
    assert time.monotonic() - started < 5


def test_ollama_is_asked_for_its_version_and_models(premises, ollama, monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", ollama.removeprefix("http://"))
    assert doctor.ollama(premises) == PartStatus("Ollama server", "there", f"0.12.0 at {ollama}; models: qwen3:14b")


def test_a_key_is_said_to_be_set_and_never_shown(premises, monkeypatch):
    absent = doctor.provider(premises, name="openai", variables=("OPENAI_API_KEY",))
    assert (absent.state, absent.remedy) == ("absent", "export OPENAI_API_KEY=…")
    monkeypatch.setenv("OPENAI_API_KEY", "correct-horse")
    there = doctor.provider(premises, name="openai", variables=("OPENAI_API_KEY",))
    assert there.state == "there"
    assert there.detail.endswith("OPENAI_API_KEY is set")
    assert "horse" not in str(there)


def test_every_extra_that_can_be_installed_is_reported(studium):
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    parts = {part["name"]: part for part in json.loads(studium("doctor", "--json").out)}
    assert [name for name in extras if not {name, f"[{name}]"} & set(parts)] == []
    found = {name.replace("-", "_"): len(packages) for name, packages in doctor.extras().items()}
    named = {name: len(of) for name, of in extras.items() if not of[0].startswith("studium[")}
    assert {name: found[name] for name in named} == named
    assert parts["[ssh]"]["detail"].startswith("scrapli ")


def test_an_extra_is_there_when_all_its_packages_are(premises):
    there = doctor.extra(premises, name="x", packages=("pydantic", "httpx"))
    assert (there.state, there.remedy) == ("there", "")
    assert re.fullmatch(r"pydantic [\d.]+, httpx [\d.]+", there.detail)
    assert doctor.extra(premises, name="x", packages=("pydantic", "no-such-package")) == PartStatus(
        "[x]", "absent", "not installed: no-such-package", "pip install 'studium[x]'"
    )


def test_a_provider_that_is_used_but_not_installed_is_broken(home):
    premises = ProbeContext(home, "sqlite:///x", models=frozenset({"nowhere:model"}))
    assert doctor.provider(premises, name="nowhere") == PartStatus(
        "nowhere", "broken", "langchain-nowhere is not installed", "pip install 'studium[nowhere]'"
    )


def test_the_database_before_and_after_its_first_run(premises, database):
    assert database.runs.newest() == []
    assert "version 0" in doctor.database(premises).detail
    fresh = ProbeContext(premises.home, f"sqlite:///{premises.home}/other.sqlite")
    assert doctor.database(fresh).detail.endswith("created at the first run")


def test_a_database_that_is_no_database_is_broken(premises, home):
    home.mkdir()
    (home / "database.sqlite").write_text("these are not the bytes of a database" * 100)
    assert doctor.database(premises).state == "broken"
    (home / "database.sqlite").unlink()
    sqlite3.connect(home / "database.sqlite").close()
    assert doctor.database(premises).state == "broken", "an empty database was not made by Studium"


def test_a_home_that_cannot_be_written_is_broken(tmp_path):
    (tmp_path / "file").write_text("")
    part = doctor.home(ProbeContext(tmp_path / "file" / "home", "sqlite:///x"))
    assert part.state == "broken"
    assert "STUDIUM_HOME" in part.remedy


def test_a_postgresql_that_does_not_answer_is_broken_and_its_password_unseen(tmp_path):
    part = doctor.database(ProbeContext(tmp_path, "postgresql://me:hush@127.0.0.1:1/x"))
    assert part.state == "broken"
    assert "hush" not in str(part)
    assert "postgresql://me:***@127.0.0.1:1/x" in part.detail


def test_the_editor_is_the_one_that_review_opens(premises, monkeypatch):
    monkeypatch.setenv("EDITOR", "true --wait")
    monkeypatch.delenv("VISUAL", raising=False)
    assert doctor.editor(premises) == PartStatus("editor", "there", "true --wait")
    monkeypatch.setenv("VISUAL", "no-such-editor")
    assert doctor.editor(premises).state == "absent"
