"""`studium doctor`: which real parts are there, which are not, and what starts them."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from studium.cli.console import say, show_json, show_table
from studium.cli.options import AsJson, settings_for

_MARKS = {"there": "✓", "absent": "-", "broken": "✗"}


def doctor(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Say which real parts are there, and the command that starts or installs each of the others."""
    from dataclasses import asdict

    from studium.app.system_info import check_parts as examine

    parts = examine(settings_for(context))
    if as_json:
        show_json([asdict(part) for part in parts])
    else:
        for part in parts:
            say(f"{_MARKS[part.state]} {part.name:<13} {part.detail}", "red" if part.state == "broken" else "")
            if part.remedy:
                say(f"  {'':<13} → {part.remedy}", "dim")
    if any(part.state == "broken" for part in parts):
        raise typer.Exit(3)


def graphs(
    context: typer.Context,
    *,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Print Mermaid pictures, in Markdown.")] = False,
) -> None:
    """List the workflow graphs, or draw them."""
    from studium.app.graphs import graphs_to_draw as all_graphs

    settings_for(context)
    found = all_graphs()
    if mermaid:
        typer.echo(render_mermaid(found), nl=False)
    else:
        show_table(("graph", "steps"), ((name, " → ".join(_steps(graph))) for name, graph in found.items()))


def render_mermaid(graphs: Mapping[str, Any]) -> str:
    """A Markdown page with a picture of each graph."""
    from studium.app.system_info import to_mermaid as picture

    return "\n".join(f"## {name}\n\n```mermaid\n{picture(graph)}```\n" for name, graph in graphs.items())


def _steps(graph: Any) -> list[str]:
    return [node for node in graph.get_graph().nodes if not node.startswith("__")]
