"""`studium serve`, `mcp`, `demo`, `doctor` and `graphs`."""

import asyncio
import shutil
import signal
import sys
from collections.abc import Mapping
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Annotated, Any

import typer

from studium.cli.console import progress_bar, say, show_json, show_table
from studium.cli.options import AsJson, settings_for
from studium.core.extras import needs_extra

_MARKS = {"there": "✓", "absent": "-", "broken": "✗"}


def serve(
    context: typer.Context,
    host: Annotated[str | None, typer.Option(help="The address to listen on; else `serve.host`.")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="The port; else `serve.port`.")] = None,
    root: Annotated[
        list[Path] | None, typer.Option(help="A folder whose files the app may read; can be repeated.")
    ] = None,
    *,
    revoke: Annotated[bool, typer.Option("--revoke", help="Log everybody out, and serve nothing.")] = False,
) -> None:
    """Serve the web app and its API, which is documented at /docs and /redoc."""
    with needs_extra("web", "The web app"):
        from studium.cli.server import revoke_sessions, run_server

    settings = settings_for(context)
    if revoke:
        revoke_sessions(settings)
        return
    given = {"host": host, "port": port, "roots": (*settings.serve.roots, *(path.absolute() for path in root or ()))}
    serve_settings = settings.serve.model_copy(
        update={name: value for name, value in given.items() if value is not None}
    )
    run_server(settings.model_copy(update={"serve": serve_settings}))


def mcp(
    context: typer.Context,
    root: Annotated[
        list[Path] | None, typer.Option(help="A folder whose files the assistant may read; can be repeated.")
    ] = None,
) -> None:
    """Serve the assistant that starts this command, over standard input and output (see docs/assistants.md)."""
    with needs_extra("mcp", "Serving an assistant"):
        from studium.mcp.server import serve_stdio

    settings = settings_for(context)
    roots = (*settings.serve.roots, *(path.absolute() for path in root or ()))
    serve_settings = settings.serve.model_copy(update={"roots": roots})
    if sys.stdin.isatty():
        typer.echo("This command is started by an assistant; see docs/assistants.md. Ctrl-C stops it.", err=True)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a process that waits for input could not be interrupted otherwise
    asyncio.run(serve_stdio(settings.model_copy(update={"serve": serve_settings})))


def demo(
    context: typer.Context,
    folder: Annotated[Path, typer.Option(help="Where the samples and the results go.")] = Path(".demo"),
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port of the app.")] = 8000,
) -> None:
    """Run every feature on the shipped samples, list the results, and serve the app that shows them."""
    from studium.app.samples import add_samples, settings_to_show

    folder.mkdir(parents=True, exist_ok=True)
    _reset_demo(folder)
    settings = settings_for(context).model_copy(update={"home": (folder / "home").resolve(), "database": None})
    with progress_bar("demo"):
        made = asyncio.run(add_samples(settings, folder))
    columns = ("feature", "made", "where", "to review", "left out")
    show_table(columns, map(astuple, made), title="Made from the samples")
    say(f"\nOpen reviews:  studium --home {folder / 'home'} review", "dim")
    if sys.stdout.isatty():
        with needs_extra("web", "The web app"):
            from studium.cli.server import run_server

        serve_settings = settings.serve.model_copy(
            update={"port": port, "roots": (*settings.serve.roots, folder.resolve())}
        )
        shown = settings_to_show(settings, folder)
        run_server(shown.model_copy(update={"serve": serve_settings}), ports=20)


def doctor(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Check which programs, servers and packages are there, and say how to get the others."""
    from studium.app.doctor import check_parts

    parts = check_parts(settings_for(context))
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
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Print Mermaid diagrams, in Markdown.")] = False,
) -> None:
    """List the workflow graphs, or draw them."""
    from studium.app.graphs import graphs_to_draw

    settings_for(context)
    found = graphs_to_draw()
    if mermaid:
        typer.echo(render_mermaid(found), nl=False)
    else:
        show_table(("graph", "steps"), ((name, " → ".join(_steps(graph))) for name, graph in found.items()))


def render_mermaid(graphs: Mapping[str, Any]) -> str:
    """A Markdown page with a diagram of each graph."""
    from studium.app.graphs import to_mermaid

    return "\n".join(f"## {name}\n\n```mermaid\n{to_mermaid(graph)}```\n" for name, graph in graphs.items())


def _steps(graph: Any) -> list[str]:
    return [node for node in graph.get_graph().nodes if not node.startswith("__")]


def _reset_demo(folder: Path) -> None:
    """Start from scratch; only the dictionary, which takes long to build, is kept."""
    from studium.app.samples import reset_samples

    reset_samples(folder)
    for kept in (folder / "home").glob("*"):
        if kept.is_dir() and kept.name != "dictionary":
            shutil.rmtree(kept, ignore_errors=True)
        elif not kept.is_dir():
            kept.unlink(missing_ok=True)
