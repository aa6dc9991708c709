"""`studium concepts graph`: the whole graph, moved or drawn."""

from pathlib import Path
from typing import Annotated

import typer

from studium.cli.console import say
from studium.cli.flags import settings_for

app = typer.Typer(help="Move the graph between stores, or draw it.", no_args_is_help=True)


@app.command("export")
def export(context: typer.Context, file: Annotated[Path, typer.Argument(help="Where to write it (.jsonl).")]) -> None:
    """Write the whole graph to a file, with its vectors."""
    from studium.bootstrap.concepts import concept_graph
    from studium.stores.concepts.transfer import export_graph

    with concept_graph(settings_for(context)) as graph:
        say(f"{export_graph(graph, file)} lines written to {file}.")


@app.command("import")
def import_(context: typer.Context, file: Annotated[Path, typer.Argument(help="A file that `export` wrote.")]) -> None:
    """Add a graph from a file to the one that is kept; what is there already stays."""
    from studium.bootstrap.concepts import concept_graph
    from studium.stores.concepts.transfer import import_graph

    with concept_graph(settings_for(context)) as graph:
        import_graph(graph, file)
        counts = graph.counts()
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
    from studium.bootstrap.concepts import concept_graph
    from studium.running.concepts.naming import book_named, concept_named
    from studium.workflows.concepts.overview.atlas import as_json, as_mermaid, atlas

    with concept_graph(settings_for(context)) as graph:
        center = concept_named(graph, around).uuid if around else None
        of = book_named(graph, book).uuid if book else None
        drawn = atlas(graph, around=center, depth=depth, book=of)
    typer.echo(as_mermaid(drawn) if mermaid else as_json(drawn))
