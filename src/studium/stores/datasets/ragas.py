"""RAGAS: the file that `EvaluationDataset.from_jsonl` loads as single-turn samples.

DeepEval loads it too, once told the names: `add_goldens_from_jsonl_file(path, input_key_name="user_input",
expected_output_key_name="reference", context_key_name="reference_contexts", source_file_key_name="source_document")`.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studium.core.files import write_text
from studium.domain.question import QAPair


def write(pairs: Sequence[QAPair], target: Path) -> None:
    """Write each pair as a sample; the quotes that prove the answer are its reference contexts."""
    # RAGAS reads in the encoding of the machine it runs on: pure ASCII is the same in all of them.
    write_text(target, "".join(json.dumps(_sample(pair)) + "\n" for pair in pairs))


def _sample(pair: QAPair) -> dict[str, Any]:
    return {
        "user_input": pair.question,
        "reference": pair.answer,
        "reference_contexts": [evidence.quote for evidence in pair.content_refs],
        "reference_context_ids": [evidence.passage for evidence in pair.content_refs],
        "source_document": pair.source_document,
    }
