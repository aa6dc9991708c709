"""`studium graphs`: the workflow graphs, drawn from the graphs themselves."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from studium.cli.console import show_table
from studium.cli.flags import settings_for


def graphs(
    context: typer.Context,
    *,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Print Mermaid pictures, in Markdown.")] = False,
) -> None:
    """List the workflow graphs, or draw them."""
    from studium.served import graphs as all_graphs

    settings_for(context)
    found = all_graphs()
    if mermaid:
        typer.echo(drawn(found), nl=False)
    else:
        show_table(("graph", "steps"), ((name, " → ".join(_steps(graph))) for name, graph in found.items()))


def drawn(graphs: Mapping[str, Any]) -> str:
    """A Markdown page with a picture of each graph."""
    from studium.faculties.premises import drawn as picture

    return "\n".join(f"## {name}\n\n```mermaid\n{picture(graph)}```\n" for name, graph in graphs.items())


def _steps(graph: Any) -> list[str]:
    return [node for node in graph.get_graph().nodes if not node.startswith("__")]
