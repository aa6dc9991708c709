"""Forks `studium` processes for the lines on stdin, so that twenty starts import everything once.

A line is a JSON object: `arguments` starts a process (in a `folder`, with an `environment` and a `log`, if given) and
prints its id; `wait` prints how the process of that id ended, `poll` likewise or null while it runs. Every process dies
with this one, and this one when stdin closes.
"""

import json
import os
import sys
from multiprocessing import forkserver, resource_tracker, util
from typing import Any
from unittest.mock import patch

import alembic.command  # noqa: F401 - imported here once instead of in every child
import comrak  # noqa: F401 - likewise
import genanki  # noqa: F401 - likewise
import langchain_openai  # noqa: F401 - likewise

import studium.app.graphs
import studium.app.preload
import studium.cards.sync
import studium.cli.server
import studium.mcp.server
from studium.cli.app import main
from studium.core.features import all_features
from studium.core.fork_server import _context, die_with_parent


def _start(said: dict[str, Any]) -> int:
    forker = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    die_with_parent(forker)
    if environment := said.get("environment"):
        os.environ.clear()
        os.environ.update(environment)
    os.chdir(said.get("folder", "."))
    output = os.open(said.get("log", os.devnull), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    if "log" in said:
        os.dup2(output, 2)
    if said["arguments"][0] == "serve":
        _fork_the_fork_server()
    code: object = 0
    try:
        main(said["arguments"])
    except SystemExit as ended:
        code = ended.code
    # At their exit, C libraries would join threads that were not forked.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def _fork_the_fork_server() -> None:
    """Start what jobs and readers are forked from, too, without a new interpreter that imports everything again."""

    def fork(_program: str, arguments: list[str], _descriptors: list[int]) -> int:
        pid = os.fork()
        if pid == 0:
            exec(arguments[-1], {})  # noqa: S102 - the line that multiprocessing would start Python with
            os._exit(0)
        return pid

    _context()
    resource_tracker.ensure_running()
    with patch.object(util, "spawnv_passfds", fork):
        forkserver.ensure_running()


def _ended(pid: int, options: int) -> int | None:
    found, status = os.waitpid(pid, options)
    return os.waitstatus_to_exitcode(status) if found else None


def fork_for_each_line() -> None:
    """Import everything, then do what stdin says."""
    studium.app.graphs.graphs_to_draw()
    for feature in all_features():
        for each in (*feature.routes, *feature.pages):
            each.load()
    for line in sys.stdin:
        said = json.loads(line)
        if "arguments" in said:
            answer: int | None = _start(said)
        elif "wait" in said:
            answer = _ended(said["wait"], 0)
        else:
            answer = _ended(said["poll"], os.WNOHANG)
        print(json.dumps(answer), flush=True)  # noqa: T201 - the test reads it
