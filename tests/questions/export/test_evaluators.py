"""Exports as RAGAS, DeepEval and Hugging Face load them."""

import pytest
from tests.real.evaluators import loaded

from studium.questions.export import write_dataset

pytestmark = [pytest.mark.part("evaluators"), pytest.mark.xdist_group("evaluators")]

RAGAS = """
import json, sys
from ragas import EvaluationDataset
print(json.dumps(EvaluationDataset.from_jsonl(sys.argv[1]).to_list()))
"""
DEEPEVAL = """
import json, os, sys
os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
from deepeval.dataset import EvaluationDataset
found = EvaluationDataset()
found.add_goldens_from_jsonl_file(
    sys.argv[1], input_key_name="user_input", expected_output_key_name="reference",
    context_key_name="reference_contexts", source_file_key_name="source_document",
)
print(json.dumps([[each.input, each.expected_output, each.context, each.source_file] for each in found.goldens]))
"""
HUGGING_FACE = """
import json, sys
from datasets import load_dataset
folder = sys.argv[1]
given = {"json": f"{folder}/set.jsonl", "parquet": f"{folder}/set.parquet"}
rows = [load_dataset(form, data_files=path, split="train", cache_dir=f"{folder}/cache") for form, path in given.items()]
print(json.dumps([each.to_list() for each in rows]))
"""


def test_ragas_loads_the_samples(pairs, tmp_path):
    write_dataset(pairs, tmp_path / "set.jsonl", "ragas")
    assert loaded(RAGAS, tmp_path / "set.jsonl") == [
        {
            "user_input": pair.question,
            "reference": pair.answer,
            "reference_contexts": [evidence.quote for evidence in pair.content_refs],
            "reference_context_ids": [evidence.passage for evidence in pair.content_refs],
        }
        for pair in pairs
    ]


def test_deepeval_loads_the_same_file(pairs, tmp_path):
    write_dataset(pairs, tmp_path / "set.jsonl", "ragas")
    assert loaded(DEEPEVAL, tmp_path / "set.jsonl") == [
        [pair.question, pair.answer, [evidence.quote for evidence in pair.content_refs], pair.source_document]
        for pair in pairs
    ]


def test_hugging_face_loads_whole_pairs(pairs, kinds, tmp_path):
    every = [*pairs, *kinds]
    for form in ("jsonl", "parquet"):
        write_dataset(every, tmp_path / f"set.{form}", form)
    written = [pair.model_dump(mode="json") for pair in every]
    assert loaded(HUGGING_FACE, tmp_path) == [written, written]
