"""Imports go one way: the contracts of `pyproject.toml` hold, and no two modules import each other."""

import grimp
import networkx as nx
from importlinter import cli


def test_the_contracts_hold(capsys):
    assert cli.lint_imports(no_cache=True) == cli.EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_no_module_imports_itself_through_others():
    """Imports inside functions and those for type hints count too."""
    graph = grimp.build_graph("studium", cache_dir=None)
    imports = nx.DiGraph(
        (one, other) for one in graph.modules for other in graph.find_modules_directly_imported_by(one)
    )
    assert [sorted(cycle) for cycle in nx.strongly_connected_components(imports) if len(cycle) > 1] == []
