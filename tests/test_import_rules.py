"""Imports go one way: the contracts of `pyproject.toml` hold, and no two modules import each other."""

import subprocess
import sys
from pathlib import Path

import grimp
import networkx as nx


def test_the_contracts_hold():
    # In a separate process: the linter configures logging, which would silence our loggers here.
    lint = [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"]
    done = subprocess.run(lint, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_module_imports_itself_through_others():
    """Imports inside functions and those for type hints count too."""
    graph = grimp.build_graph("studium", cache_dir=None)
    imports = nx.DiGraph(
        (one, other) for one in graph.modules for other in graph.find_modules_directly_imported_by(one)
    )
    assert [sorted(cycle) for cycle in nx.strongly_connected_components(imports) if len(cycle) > 1] == []
