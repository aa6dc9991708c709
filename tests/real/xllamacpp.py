"""A throw-away OpenAI-compatible server: llama.cpp with SmolLM2 in it."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from tests.real import smollm2
from tests.real.process import answers, free_port, running

# One thread: several spin while they wait for each other, which on a busy machine takes three times as long.
_SERVE = """\
import sys, threading
from xllamacpp import CommonParams, Server
params = CommonParams()
params.model.path, params.port = sys.argv[1], int(sys.argv[2])
params.n_ctx, params.n_parallel, params.ui = 8192, 1, False
params.embedding, params.pooling_type = True, 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = Server(params)
threading.Event().wait()
"""


def available() -> str | None:
    """Why the server cannot be started here, or nothing."""
    return smollm2.available() or (None if find_spec("xllamacpp") else "the package xllamacpp is not installed")


@contextmanager
def xllamacpp_server() -> Iterator[str]:
    """The `base_url` of a server of one's own that serves SmolLM2 for chat, tools and embeddings."""
    with tempfile.TemporaryDirectory(prefix="xllamacpp-") as folder:
        port = free_port()
        command = [sys.executable, "-c", _SERVE, str(smollm2.weights()), str(port)]
        address = f"http://127.0.0.1:{port}"
        with running(command, lambda: answers(f"{address}/health"), log=Path(folder, "log"), env=os.environ):
            yield f"{address}/v1"
