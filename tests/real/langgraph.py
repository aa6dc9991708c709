"""`langgraph dev`: LangGraph's own server over the graphs of `langgraph.json`, in an environment of its own."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.real.process import PARTS, answers, free_port, running

ROOT = Path(__file__).parents[2]
COMMAND = PARTS / "langgraph" / "bin" / "langgraph"


def available() -> str | None:
    """Why there is none, or nothing."""
    return None if COMMAND.exists() else "LangGraph's server is not installed in .parts/langgraph"


@contextmanager
def langgraph_server(folder: Path, home: Path) -> Iterator[str]:
    """The address of a server that keeps its own things in `folder`, and Studium's in `home`."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    config = str(ROOT / "langgraph.json")
    command = [str(COMMAND), "dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", str(port)]
    env = {**os.environ, "STUDIUM_HOME": str(home), "LANGSMITH_TRACING": "false", "LANGGRAPH_CLI_NO_ANALYTICS": "1"}
    # It writes its state into the folder that it is started in, and looks for the graphs there.
    (folder / "src").symlink_to(ROOT / "src")
    with running(
        [*command, "--config", config],
        lambda: answers(f"{address}/ok"),
        log=folder / "langgraph.log",
        env=env,
        seconds=120,
    ):
        yield address
