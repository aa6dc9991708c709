import json
import logging

import pytest

from studium.core.domain.run import RunContext, use_context
from studium.core.telemetry import configure_logging

LOG = logging.getLogger("studium.core.llm.chat_model")


def fail_with(text: str) -> None:
    raise ValueError(text)


def test_a_json_line_has_the_run_the_item_and_the_callers_fields(capsys):
    configure_logging("info", json=True)
    with use_context(RunContext(run="r1", item="ospf.md")):
        LOG.warning("retry %d", 2, extra={"skill": "cards.map", "seconds": 0.25})
    line = json.loads(capsys.readouterr().err)
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "warning",
        "logger": "studium.core.llm.chat_model",
        "message": "retry 2",
        "run": "r1",
        "item": "ospf.md",
        "skill": "cards.map",
        "seconds": 0.25,
    }


@pytest.mark.parametrize("as_json", [True, False])
def test_no_secret_gets_into_a_line(capsys, as_json):
    configure_logging("debug", json=as_json)
    try:
        fail_with("the server said: bad key sk-abcdefghijkl")
    except ValueError:
        LOG.exception("asked with Bearer %s", "abc12345", extra={"header": "x-api-key: hush", "api_key": "hush"})
    said = capsys.readouterr().err
    assert "ValueError" in said
    assert not any(secret in said for secret in ("sk-abc", "abc12345", "hush"))


def test_lines_for_people_are_short(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    configure_logging("info")
    with use_context(RunContext(run="r1", item="ospf.md")):
        LOG.info("decided [create]", extra={"score": 0.9})
        LOG.debug("not shown")
    [line] = capsys.readouterr().err.splitlines()
    assert "INFO" in line
    assert "decided [create] run=r1 item=ospf.md score=0.9" in line


def test_a_second_setup_replaces_the_first_and_includes_libraries(capsys):
    configure_logging("error", json=True)
    configure_logging("info", json=True)
    LOG.info("once")
    logging.getLogger("httpx").info("not ours, not a warning")
    logging.getLogger("httpx").warning("token=abc is old")
    lines = [json.loads(line)["message"] for line in capsys.readouterr().err.splitlines()]
    assert lines == ["once", "token=*** is old"]


def test_values_that_are_not_json_are_written_as_text(capsys):
    configure_logging("info", json=True)
    LOG.info("read", extra={"where": {1}})
    assert json.loads(capsys.readouterr().err)["where"] == "{1}"


def test_only_warnings_of_a_verbose_library_are_logged(capsys):
    configure_logging("debug", json=True)
    chatty = logging.getLogger("bm25s_like")
    chatty.setLevel(logging.DEBUG)
    chatty.debug("Building index from tokens")
    chatty.warning("disk full")
    assert json.loads(capsys.readouterr().err)["message"] == "disk full"
