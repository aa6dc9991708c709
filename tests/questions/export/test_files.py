"""Exports as the tools that they are for read them."""

import csv
import json
import subprocess
import sys
from typing import get_args

import pyarrow.parquet
import pytest

from studium.core.domain.errors import StorageFailed
from studium.questions.domain import QAPair
from studium.questions.export import ExportedPair, ExportFormat, exported_pairs, write_dataset

FORMS = get_args(ExportFormat)


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_json_lines_give_back_the_same_pairs(pairs, corpus, tmp_path):
    write_dataset(pairs, tmp_path / "set.jsonl", "jsonl", corpus)
    lines = (tmp_path / "set.jsonl").read_text(encoding="utf-8").splitlines()
    assert [ExportedPair.model_validate_json(line) for line in lines] == exported_pairs(pairs, corpus)


def test_parquet_gives_back_the_same_pairs(pairs, corpus, tmp_path):
    write_dataset(pairs, tmp_path / "set.parquet", "parquet", corpus)
    table = pyarrow.parquet.read_table(tmp_path / "set.parquet")
    assert [ExportedPair.model_validate(row) for row in table.to_pylist()] == exported_pairs(pairs, corpus)


def test_content_refs_are_texts_beside_the_evidence(pairs):
    written = pairs[0].model_dump(mode="json")
    assert written["content_refs"] == ["docs/lamps.md:7", "docs/lamps.md:8"]
    assert [each["quote"] for each in written["evidence"]] == ["The lamp burns for 7 hours.", "Seven hours, | no more."]
    shown = pairs[1].model_copy(update={"category": "visual"}).model_dump(exclude={"content_refs"})
    assert QAPair.model_validate(shown).content_refs == ("La torre mide\n41 m.",), "a figure is named by its caption"


def test_a_pair_of_the_first_version_still_opens(pairs):
    first = pairs[0].model_dump(mode="json")
    first["content_refs"] = first.pop("evidence")
    assert QAPair.model_validate(first) == pairs[0]


def test_contexts_are_whole_chunks_with_their_offsets(pairs, corpus):
    lamp, tower, _ = exported_pairs(pairs, corpus)
    text = corpus.documents["docs/lamps.md"].text
    assert lamp.reference_contexts == (
        "Keepers fill the lamp at dusk. The lamp burns for 7 hours. Then it is out.",
        "Seven hours, | no more.",
    )
    cut = [text[each.start : each.end] for each in lamp.reference_context_offsets]
    assert cut == list(lamp.reference_contexts)
    listed = {chunk.id: chunk for chunk in corpus.chunks()}
    assert [listed[each].text for each in lamp.reference_context_ids] == cut
    assert tower.reference_contexts == ("La torre mide\n41 m.",), "without its document, the quote is all there is"
    assert tower.reference_context_offsets[0].start is None


def test_a_quote_across_chunks_has_both_as_contexts(pair, corpus):
    beyond = pair("When is it out?", "after 7 hours", "Then it is out.\n\nSeven hours, | no more.")
    (found,) = exported_pairs([beyond], corpus)
    assert [context[:5] for context in found.reference_contexts] == ["Keepe", "Seven"]


def test_parquet_files_of_different_runs_have_one_schema(pairs, tmp_path):
    for name, some in {"none": [], "unpaged": pairs[:1], "paged": pairs[1:2]}.items():
        write_dataset(some, tmp_path / name, "parquet")
    schemas = {str(pyarrow.parquet.read_schema(tmp_path / name)) for name in ("none", "unpaged", "paged")}
    assert len(schemas) == 1


def test_a_ragas_sample_has_the_chunks_and_the_quotes_that_prove_the_answer(pairs, corpus, tmp_path):
    written = write_dataset(pairs, tmp_path / "set.jsonl", "ragas", corpus)
    first, second, _ = map(json.loads, (tmp_path / "set.jsonl").read_text(encoding="ascii").splitlines())
    lamp = exported_pairs(pairs, corpus)[0]
    assert first == {
        "user_input": "How long does the lamp burn?",
        "reference": "7 hours",
        "reference_contexts": list(lamp.reference_contexts),
        "reference_context_ids": list(lamp.reference_context_ids),
        "reference_context_offsets": [each.model_dump() for each in lamp.reference_context_offsets],
        "reference_quotes": ["The lamp burns for 7 hours.", "Seven hours, | no more."],
        "source_document": "docs/lamps.md",
    }
    assert second["user_input"] == "¿Cuánto mide la torre?"
    assert [path.name for path in written] == ["set.jsonl", "set.chunks.jsonl"]
    chunks = [json.loads(line) for line in written[1].read_text("utf-8").splitlines()]
    assert set(first["reference_context_ids"]) < {chunk["id"] for chunk in chunks}


def test_a_row_has_the_place_of_the_answer(pairs, tmp_path):
    write_dataset(pairs, tmp_path / "set.csv", "csv")
    first, second, third = rows_of(tmp_path / "set.csv")
    assert list(first) == [
        *("question", "answer", "source_document", "category", "quote", "line", "page"),
        *("context_ids", "contexts", "kind", "choices", "difficulty"),
    ]
    assert (first["quote"], first["line"], first["page"]) == (
        "The lamp burns for 7 hours.\nSeven hours, | no more.",
        "7\n8",
        "",
    )
    assert (second["source_document"], second["category"], second["page"]) == ("docs/faro.pdf", "textual", "3")
    assert third["answer"] == 'A "lighthouse", <b>tower</b>'


def test_kinds_choices_and_difficulty_are_exported(kinds, tmp_path):
    write_dataset(kinds, tmp_path / "set.jsonl", "jsonl")
    cloze, choice, _ = (json.loads(line) for line in (tmp_path / "set.jsonl").read_text().splitlines())
    assert (cloze["kind"], cloze["difficulty"], cloze["asks"]) == ("cloze", "medium", "Who built Tarn Light?")
    assert choice["choices"] == ["Ida Brandt", "Odile Marrack", "Olaf Lund", "Erik Dahl"]
    write_dataset(kinds, tmp_path / "set.csv", "csv")
    assert [row["kind"] for row in rows_of(tmp_path / "set.csv")] == ["cloze", "multiple_choice", "true_false"]


def test_an_evaluation_asks_the_open_form(kinds, tmp_path):
    write_dataset(kinds, tmp_path / "set.jsonl", "ragas")
    samples = [json.loads(line) for line in (tmp_path / "set.jsonl").read_text().splitlines()]
    assert {(sample["user_input"], sample["reference"]) for sample in samples} == {
        ("Who built Tarn Light?", "Odile Marrack")
    }


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\r=1", "\n=1"])
def test_no_cell_is_a_formula(cell, pair, tmp_path):
    write_dataset([pair(cell, cell, cell, document=cell)], tmp_path / "set.csv", "csv")
    row = rows_of(tmp_path / "set.csv")[0]
    assert {row[name] for name in ("question", "answer", "source_document", "quote")} == {f"'{cell}"}


def test_other_cells_stay_as_they_are(pair, tmp_path):
    write_dataset([pair("What is 1 = 1?", "7 - 3", "a@b")], tmp_path / "set.csv", "csv")
    row = rows_of(tmp_path / "set.csv")[0]
    assert (row["question"], row["answer"], row["quote"]) == ("What is 1 = 1?", "7 - 3", "a@b")


@pytest.mark.parametrize("form", FORMS)
def test_no_pairs_make_an_empty_file_not_an_error(form, tmp_path):
    write_dataset([], tmp_path / "set", form)
    assert (tmp_path / "set").is_file()


@pytest.mark.parametrize("form", FORMS)
def test_a_failed_write_leaves_nothing_behind(form, pairs, tmp_path):
    (tmp_path / "set").mkdir()
    with pytest.raises(StorageFailed, match="cannot be written"):
        write_dataset(pairs, tmp_path / "set", form)
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == ["set"]


def test_without_pyarrow_the_remedy_is_given():
    code = """
import sys
sys.modules["pyarrow"] = None
from pathlib import Path
from studium.core.domain.errors import MissingExtra
from studium.questions.export import write_dataset
try:
    write_dataset([], Path("never"), "parquet")
except MissingExtra as error:
    print(error.remedy)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "pip install 'studium[parquet]'"
