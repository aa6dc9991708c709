"""Forks a Dask scheduler or worker for each line on stdin, so that all of them together import everything once.

For each line it prints the process id. The processes die with this one, which ends when its stdin does.
"""

import json
import os
import sys
from typing import Any

import dask.config
import langchain_openai  # noqa: F401 - imported here once instead of in every child
import tests.core.runs.cluster.reading  # noqa: F401 - likewise
from distributed.cli import dask_scheduler, dask_worker

import studium.app.preload
import studium.questions.setup  # noqa: F401 - likewise
from studium.core.fork_server import die_with_parent

PROGRAMS = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}


def run(program: str, options: list[str], environment: dict[str, str], log: str) -> None:
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for descriptor in (1, 2):
        os.dup2(output, descriptor)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(os.path.dirname(log))  # noqa: PTH120 - a string is all there is
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = environment["PYTHONPATH"].split(os.pathsep)
    dask.config.refresh()
    PROGRAMS[program](options)


def main() -> None:
    ours = os.getpid()
    for line in sys.stdin:
        wanted: dict[str, Any] = json.loads(line)
        pid = os.fork()
        if pid == 0:
            die_with_parent(ours)
            run(**wanted)
            os._exit(0)
        print(pid, flush=True)  # noqa: T201 - the test reads it


if __name__ == "__main__":
    main()
