"""Forks a `studium` process for each line on stdin, and lets it die where the line says.

A line is `[arguments, node, moment]`: the process is killed (SIGKILL) when the node of that name begins, or when it
has ended and nobody has been told yet. For each line it prints the process's exit status; without a node, it lives.
"""

import json
import os
import signal
import sys
from functools import wraps

from langgraph.graph import StateGraph

import studium.app.graphs
from studium.cli.app import main

studium.app.graphs.graphs_to_draw()
add_node = StateGraph.add_node


def dooming(doomed, moment):
    """Adds nodes to a graph as ever, but for one that kills the process."""

    def add(graph, name, node):
        @wraps(node)
        async def mortal(state):
            if moment == "begins":
                os.kill(os.getpid(), signal.SIGKILL)
            await node(state)
            os.kill(os.getpid(), signal.SIGKILL)

        return add_node(graph, name, mortal if name == doomed else node)

    return add


for line in sys.stdin:
    arguments, node, moment = json.loads(line)
    pid = os.fork()
    if pid == 0:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        StateGraph.add_node = dooming(node, moment)
        main(arguments)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)  # noqa: T201 - the test reads it
