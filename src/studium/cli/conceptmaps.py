"""`studium concepts graph`: the whole graph, moved or drawn."""

from pathlib import Path
from typing import Annotated

import typer

from studium.cli.console import say
from studium.cli.flags import settings_for
from studium.faculties import conceptgraph

app = typer.Typer(help="Move the graph between stores, or draw it.", no_args_is_help=True)


@app.command("export")
def export(context: typer.Context, file: Annotated[Path, typer.Argument(help="Where to write it (.jsonl).")]) -> None:
    """Write the whole graph to a file, with its vectors."""
    lines = conceptgraph.export(settings_for(context), file)
    say(f"{lines} lines written to {file}.")


@app.command("import")
def import_(context: typer.Context, file: Annotated[Path, typer.Argument(help="A file that `export` wrote.")]) -> None:
    """Add a graph from a file to the one that is kept; what is there already stays."""
    counts = conceptgraph.import_from(settings_for(context), file)
    say(f"There are now {counts['Concept']} concepts and {counts['Quote']} quotes of {counts['Content']} books.")


@app.command("map")
def map_(
    context: typer.Context,
    *,
    around: Annotated[str | None, typer.Option(help="Only the neighbourhood of this concept.")] = None,
    depth: Annotated[int, typer.Option(min=1, help="How far that reaches.")] = 1,
    book: Annotated[str | None, typer.Option(help="Only the concepts of this book.")] = None,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="As a Mermaid diagram, instead of JSON.")] = False,
) -> None:
    """Print a map of the graph: concepts with places, and how they relate."""
    from studium.workflows.concepts.overview.atlas import as_json, as_mermaid

    drawn = conceptgraph.draw(settings_for(context), around=around, depth=depth, book=book)
    typer.echo(as_mermaid(drawn) if mermaid else as_json(drawn))
