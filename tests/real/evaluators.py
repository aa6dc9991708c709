"""RAGAS, DeepEval and Hugging Face `datasets`, in an environment of their own: they want older packages than ours."""

import json
import subprocess
from pathlib import Path

PYTHON = Path(__file__).parents[2] / ".parts" / "evaluators" / "bin" / "python"


def available() -> str | None:
    """Why there are none, or nothing."""
    return None if PYTHON.exists() else "RAGAS, DeepEval and datasets are not installed in .parts/evaluators"


def loaded(code: str, *arguments: str | Path) -> list[dict[str, object]]:
    """What a program of theirs prints as JSON on its last line; it may litter the folder of the last argument."""
    command = [PYTHON, "-c", code, *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(arguments[-1]).parent)
    return json.loads(run.stdout.splitlines()[-1])
