"""Forks a `studium` process for each line of arguments on stdin, so that twenty starts import everything once.

For each line it prints the process id, and, when the process has ended, its wait status.
"""

import json
import os
import sys

import comrak  # noqa: F401 - imported here once instead of in every child
import genanki  # noqa: F401 - likewise
import langchain_openai  # noqa: F401 - likewise

import studium.app.graphs
import studium.cards.sync
from studium.cli.app import main

studium.app.graphs.graphs_to_draw()
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        main(json.loads(line))
        os._exit(0)
    print(pid, flush=True)  # noqa: T201 - the test reads it
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)  # noqa: T201 - likewise
