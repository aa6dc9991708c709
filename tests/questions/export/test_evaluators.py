"""Exports as RAGAS, DeepEval and Hugging Face load them."""

import pytest
from tests.real.evaluators import loaded

from studium.questions.export import exported_pairs, write_dataset

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
given = [("json", "set.jsonl"), ("parquet", "set.parquet"), ("json", "set.chunks.jsonl")]
rows = [
    load_dataset(form, data_files=f"{folder}/{name}", split="train", cache_dir=f"{folder}/cache")
    for form, name in given
]
print(json.dumps([each.to_list() for each in rows]))
"""


@pytest.fixture
def exported(pairs, corpus):
    return exported_pairs(pairs, corpus)


def test_ragas_loads_the_samples(pairs, corpus, exported, tmp_path):
    write_dataset(pairs, tmp_path / "set.jsonl", "ragas", corpus)
    assert loaded(RAGAS, tmp_path / "set.jsonl") == [
        {
            "user_input": pair.question,
            "reference": pair.answer,
            "reference_contexts": list(pair.reference_contexts),
            "reference_context_ids": list(pair.reference_context_ids),
        }
        for pair in exported
    ]


def test_deepeval_loads_the_same_file(pairs, corpus, exported, tmp_path):
    write_dataset(pairs, tmp_path / "set.jsonl", "ragas", corpus)
    assert loaded(DEEPEVAL, tmp_path / "set.jsonl") == [
        [pair.question, pair.answer, list(pair.reference_contexts), pair.source_document] for pair in exported
    ]


def test_hugging_face_loads_whole_pairs_and_chunks(pairs, corpus, exported, tmp_path):
    for form in ("jsonl", "parquet"):
        write_dataset(pairs, tmp_path / f"set.{form}", form, corpus)
    written = [pair.model_dump(mode="json") for pair in exported]
    chunks = [chunk.model_dump(mode="json") for chunk in corpus.chunks()]
    assert loaded(HUGGING_FACE, tmp_path) == [written, written, chunks]
