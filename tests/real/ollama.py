"""A throw-away Ollama: the server that `make parts` built, with SmolLM2 in it."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.real import smollm2
from tests.real.process import PARTS, answers, free_port, running

_PROGRAM = shutil.which(PARTS / "ollama" / "bin" / "ollama") or shutil.which("ollama")
_MODELFILE = Path(__file__).with_name("smollm2.Modelfile")


def available() -> str | None:
    """Why Ollama cannot be started here, or nothing."""
    return smollm2.available() or (None if _PROGRAM else "Ollama is not installed in .parts/ollama")


@contextmanager
def ollama_server() -> Iterator[str]:
    """The address of an Ollama of one's own that serves SmolLM2 for chat, tools and embeddings."""
    with tempfile.TemporaryDirectory(prefix="ollama-", ignore_cleanup_errors=True) as folder:
        address = f"http://127.0.0.1:{free_port()}"
        env = os.environ | {"HOME": folder, "OLLAMA_HOST": address, "OLLAMA_MODELS": folder, "OLLAMA_NUM_PARALLEL": "1"}
        with running([str(_PROGRAM), "serve"], lambda: answers(address), log=Path(folder, "log"), env=env):
            _create_model(Path(folder), env)
            yield address


def _create_model(folder: Path, env: dict[str, str]) -> None:
    modelfile = folder / "Modelfile"
    modelfile.write_text(f"FROM {smollm2.weights()}\n{_MODELFILE.read_text()}")
    create = [str(_PROGRAM), "create", smollm2.NAME, "-f", modelfile]
    subprocess.run(create, env=env, check=True, capture_output=True, timeout=120)
