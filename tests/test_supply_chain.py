"""The lock pins every file that is installed, and `make audit` never passes for an audit that did not happen."""

import asyncio
import re
import runpy
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.loopback_site import reply, reply_json, serving

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
PINS = [" ".join(line.split()) for line in LOCK.replace("\\\n", " ").splitlines()]


def test_every_pin_has_a_version_and_the_hashes_of_its_files():
    one = r"[a-z0-9-]+(\[[a-z,-]+\])?==[^\s;]+( ; [^-]+?)?( --hash=sha256:[0-9a-f]{64})+"
    assert [pin for pin in PINS if not re.fullmatch(one, pin)] == []


def test_the_lock_names_no_registry_and_nothing_that_is_never_installed():
    assert re.findall(r"https?:|--index|--find-links", LOCK) == []
    assert [pin for pin in PINS if "sys_platform == 'never' --hash" in pin] == []


def test_the_lock_pins_what_the_project_asks_for_and_what_builds_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    asked = [
        *project["project"]["dependencies"],
        *project["dependency-groups"]["dev"],
        *project["build-system"]["requires"],
    ]
    asked += [requirement for extra in extras for requirement in extra]
    pinned = {canonicalize_name(re.split(r"[\[=]", pin)[0]) for pin in PINS}
    assert {canonicalize_name(Requirement(each).name) for each in asked} - pinned == {"studium"}


AUDIT = runpy.run_path(str(ROOT / "scripts/audit.py"))["audit"]
FINDS_SOMETHING = [sys.executable, "-c", "raise SystemExit(1)"]


@pytest.mark.parametrize(
    "answer",
    [reply(b"", status=404), reply(b"<html>Welcome to our mirror</html>"), reply_json({"vulnerabilities": []})],
    ids=["not there", "another page", "knows nothing"],
)
async def test_without_the_database_the_audit_says_that_nothing_was_audited(answer, capsys):
    async with serving() as site:
        site.answers["/json"] = answer
        assert await asyncio.to_thread(AUDIT, FINDS_SOMETHING, f"http://127.0.0.1:{site.port}/json") == 0
    assert capsys.readouterr().out.startswith("Not audited: the database of vulnerabilities at 127.0.0.1")


async def test_no_answer_at_all_is_reported_too(capsys):
    async with serving() as site:
        port = site.port
    assert await asyncio.to_thread(AUDIT, FINDS_SOMETHING, f"http://127.0.0.1:{port}/json") == 0
    assert "Connection refused" in capsys.readouterr().out


async def test_with_the_database_the_audit_fails_where_pip_audit_does(capsys):
    async with serving() as site:
        site.answers["/json"] = reply_json({"vulnerabilities": [{"id": "PYSEC-2019-217"}]})
        url = f"http://127.0.0.1:{site.port}/json"
        assert await asyncio.to_thread(AUDIT, FINDS_SOMETHING, url) == 1
    assert capsys.readouterr().out == ""
