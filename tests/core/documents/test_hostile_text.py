"""YAML and JSON made to crash a parser are refused where people meet them: notes, corpora, labs, transcripts, plans."""

import json
import time

import pytest

from studium.cards.sync.engine import PlanFile
from studium.core.documents import read_document
from studium.core.domain.errors import BadInput
from studium.core.llm.tool_loop import parse_loose_json
from studium.core.runs.review_text import parse_yaml
from studium.questions.corpus import read_corpus
from studium.tutor.labs.reader import read_lab
from studium.tutor.transcripts import read_history

LAUGHS = "a: &a [1, 1]\n" + "".join(
    f"{new}: &{new} [*{old}, *{old}]\n" for old, new in zip("abcdefghijklmnopqrst", "bcdefghijklmnopqrstu", strict=True)
)
YAML = {
    "brackets": "a: " + "[" * 40_000,
    "braces": "a: " + "{x: " * 40_000,
    "dashes": "a:\n" + "- " * 40_000,
    "digits": "a: " + "9" * 20_000,
    "sexagesimal": "a: 1" + ":59" * 50_000,
    "laughs": LAUGHS,
    "itself": "a: &a [*a]",
}
JSON = {"brackets": "[" * 100_000, "objects": '{"a":' * 100_000, "digits": "[" + "9" * 20_000 + "]"}


@pytest.fixture(autouse=True)
def quick():
    began = time.process_time()
    yield
    assert time.process_time() - began < 5


@pytest.mark.parametrize("text", YAML.values(), ids=YAML.keys())
def test_a_note_keeps_its_body(tmp_path, text):
    note = tmp_path / "note.md"
    note.write_text(f"---\ntitle: x\n{text}\n---\nThe body.\n")
    reading = read_document(note)
    assert [finding.code for finding in reading.findings] == ["frontmatter.broken"]
    assert reading.findings[0].where.line >= 3
    assert reading.document.locate("The body")


@pytest.mark.parametrize("text", YAML.values(), ids=YAML.keys())
def test_a_corpus_and_a_lab_and_an_edit_are_refused(tmp_path, text):
    for name in ("corpus.yaml", "lab.yaml"):
        (tmp_path / name).write_text(text)
    with pytest.raises(BadInput, match=r"corpus.yaml:\d+ is not readable as YAML"):
        read_corpus(tmp_path / "corpus.yaml")
    reading = read_lab(tmp_path)
    assert reading.lab is None
    assert {finding.code for finding in reading.findings} <= {"lab.yaml", "lab.alias"}
    with pytest.raises(BadInput, match="not readable as YAML"):
        parse_yaml(text)


@pytest.mark.parametrize("text", JSON.values(), ids=JSON.keys())
def test_a_transcript_and_a_plan_are_refused(tmp_path, text):
    file = tmp_path / "given.json"
    file.write_text(text)
    reading = read_history(file)
    assert reading.typed == ()
    assert [finding.code for finding in reading.findings] == ["transcript.entry"]
    with pytest.raises(BadInput, match="is not a plan of cards"):
        PlanFile.read(file)


@pytest.mark.parametrize("text", [*JSON.values(), "{" + "'a': {" * 50_000, "f(" + "-" * 50_000 + "1)"])
def test_a_models_reply_is_not_json(text):
    assert parse_loose_json(text) is None or text.startswith("f")


def test_many_bad_entries_are_counted_and_the_others_kept(tmp_path):
    file = tmp_path / "given.jsonl"
    file.write_text('{"command": "show version"}\n' + "{\n" * 20_000)
    reading = read_history(file)
    assert [typed.command for typed in reading.typed] == ["show version"]
    assert len(reading.findings) == 101
    assert "19,900 more entries" in reading.findings[-1].message


def test_half_an_emoji_in_a_transcript_is_replaced(tmp_path):
    file = tmp_path / "given.json"
    file.write_text(json.dumps([{"command": "show \ud83d"}]))
    assert read_history(file).typed[0].command == "show \ufffd"
