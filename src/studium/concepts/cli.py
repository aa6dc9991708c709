"""`studium concepts`: quotes become linked concepts."""

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from studium.cli.console import edit_yaml, progress_bar, say, show_json
from studium.cli.options import AsJson, DryRun, FailOnReview, settings_for
from studium.concepts import cli_render
from studium.concepts import use_cases as conceptgraph
from studium.concepts import use_cases as concepts
from studium.core.domain.errors import BadInput
from studium.core.runs.review_text import parse_yaml, to_yaml

if TYPE_CHECKING:
    from studium.concepts.proposal import ProposalChange, ReviewAnswer
    from studium.concepts.runs import ReviewRound


graph_app = typer.Typer(help="Export, import or view the graph.", no_args_is_help=True)


@graph_app.command("export")
def export(context: typer.Context, file: Annotated[Path, typer.Argument(help="Where to write it (.jsonl).")]) -> None:
    """Write the whole graph to a file, with its vectors."""
    lines = conceptgraph.export(settings_for(context), file)
    say(f"{lines} lines written to {file}.")


@graph_app.command("import")
def import_(context: typer.Context, file: Annotated[Path, typer.Argument(help="A file written by `export`.")]) -> None:
    """Add a graph from a file; what is already there stays."""
    counts = conceptgraph.import_from(settings_for(context), file)
    say(f"The graph now has {counts['Concept']} concepts and {counts['Quote']} quotes of {counts['Content']} books.")


@graph_app.command("map")
def map_(
    context: typer.Context,
    *,
    around: Annotated[str | None, typer.Option(help="Only concepts around this one.")] = None,
    depth: Annotated[int, typer.Option(min=1, help="How many links away.")] = 1,
    book: Annotated[str | None, typer.Option(help="Only the concepts of this book.")] = None,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="As a Mermaid diagram, instead of JSON.")] = False,
) -> None:
    """Print a map of the graph: concepts with positions, and their relations."""
    from studium.concepts.graph_view import view_to_json, view_to_mermaid

    drawn = conceptgraph.view_graph(settings_for(context), around=around, depth=depth, book=book)
    typer.echo(view_to_mermaid(drawn) if mermaid else view_to_json(drawn))


@dataclass(frozen=True)
class ReviewOptions:
    """What the flags of `review` ask for."""

    approve: bool = False
    reject: tuple[str, ...] = ()
    restore: tuple[str, ...] = ()
    unmerge: tuple[str, ...] = ()
    merge: tuple[str, ...] = ()
    feedback: str = ""
    file: Path | None = None
    edit: bool = False

    def changes(self) -> "tuple[ProposalChange, ...]":
        """The changes to the proposal that these flags mean."""
        from studium.concepts.proposal import ProposalChange

        merged = [[key.strip() for key in keys.split(",")] for keys in self.merge]
        return (
            *(ProposalChange(action="restore", concept=key) for key in self.restore),
            *(ProposalChange(action="unmerge", concept=key) for key in self.unmerge),
            *(ProposalChange(action="merge", concept=keys[0], others=tuple(keys[1:])) for keys in merged),
            *(ProposalChange(action="reject", concept=key) for key in self.reject),
            *(_changes_in(self.file) if self.file else ()),
        )

    def answer(self, waiting: "ReviewRound") -> "ReviewAnswer | None":
        """The answer that these flags give to the proposal, after opening the editor if asked."""
        from studium.concepts.proposal import ReviewAnswer
        from studium.concepts.proposal_edits.document import document_changes

        wanted = list(self.changes())

        def take(document: dict[str, Any]) -> None:
            wanted.extend(document_changes(waiting.proposal, document))

        if self.edit and not edit_yaml(to_yaml(waiting.document()), take, may_ask=sys.stdin.isatty()) and not wanted:
            return None
        if not (wanted or self.feedback or self.approve):
            return None
        return ReviewAnswer(approved=self.approve, feedback=self.feedback, changes=tuple(wanted))


def _changes_in(file: Path) -> "list[ProposalChange]":
    from pydantic import TypeAdapter, ValidationError

    from studium.concepts.proposal import ProposalChange
    from studium.core.documents.files import read_text

    read = read_text(file)
    if read.text is None:
        raise BadInput(f"The changes cannot be read: {read.findings[0]}")
    try:
        return TypeAdapter(list[ProposalChange]).validate_python(parse_yaml(read.text).get("changes"))
    except ValidationError as error:
        raise BadInput(f"{file} holds no changes: {error}", remedy="Write them as `changes: [{action: …}]`.") from error


app = typer.Typer(help="Turn book quotes into linked concepts.", no_args_is_help=True)
app.add_typer(graph_app, name="graph")

BookArgument = Annotated[str, typer.Argument(help="The book's title, the start of its title, or its id.")]
KeysOption = Annotated[list[str] | None, typer.Option(metavar="KEY", help="This concept of the proposal (c3).")]


@app.command()
def parse(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="Quotes: Markdown, My Clippings.txt, Readwise, Kobo, Apple Books.")],
    *,
    author: Annotated[str, typer.Option(help="Who wrote the book.")] = "",
    title: Annotated[
        str, typer.Option(help="The book's title; with several books in the file, which one to import.")
    ] = "",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Import quotes from a file; known quotes are kept once, edited ones are updated."""
    settings = settings_for(context)
    if dry_run:
        cli_render.print_quotes(concepts.preview_quotes(file), as_json=as_json)
        return
    with progress_bar("books"):
        parsed = asyncio.run(concepts.parse(settings, file, title=title, author=author))
    cli_render.print_parsed(parsed, as_json=as_json)


@app.command()
def extract(
    context: typer.Context,
    book: BookArgument,
    *,
    again: Annotated[bool, typer.Option("--again", help="Include quotes that already have concepts.")] = False,
    fail_on_review: FailOnReview = False,
    as_json: AsJson = False,
) -> None:
    """Extract concepts from a book's quotes, up to the review; then see `review`."""
    outcome = asyncio.run(concepts.extract(settings_for(context), book, again=again))
    cli_render.print_outcome(outcome, as_json=as_json)
    if outcome.failed or (fail_on_review and outcome.waiting):
        raise typer.Exit(1)


@app.command()
def review(
    context: typer.Context,
    book: Annotated[
        str | None, typer.Argument(help="Which book; without it, lists the books waiting for review.")
    ] = None,
    *,
    approve: Annotated[bool, typer.Option("--approve", help="Save the proposal after these changes.")] = False,
    reject: KeysOption = None,
    restore: KeysOption = None,
    unmerge: KeysOption = None,
    merge: Annotated[list[str] | None, typer.Option(metavar="c1,c2", help="Merge these concepts.")] = None,
    feedback: Annotated[str, typer.Option(help="What to change, in your own words.")] = "",
    changes: Annotated[Path | None, typer.Option(help="A file of changes in YAML or JSON.")] = None,
    edit: Annotated[bool, typer.Option("--edit", help="Change the proposal in $EDITOR.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the proposal for a book, change it, and save it."""
    settings = settings_for(context)
    if book is None:
        cli_render.print_waiting(concepts.list_waiting(settings), as_json=as_json)
        return
    keys = tuple(reject or ()), tuple(restore or ()), tuple(unmerge or ()), tuple(merge or ())
    options = ReviewOptions(approve, *keys, feedback, changes, edit)
    outcome = asyncio.run(concepts.review(settings, book, options.answer, shows=edit))
    cli_render.print_outcome(outcome, as_json=as_json)
    if outcome.failed:
        raise typer.Exit(1)


@app.command()
def search(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="What to look for.")],
    *,
    quotes: Annotated[bool, typer.Option("--quotes", help="Search quotes instead of concepts.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="At most this many.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Search concepts or quotes by meaning."""
    found = asyncio.run(conceptgraph.search(settings_for(context), text, limit, quotes=quotes))
    cli_render.print_hits(found, as_json=as_json)


@app.command()
def show(
    context: typer.Context,
    concept: Annotated[str, typer.Argument(help="The concept's title, the start of its title, or its id.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Show a concept with its relations and quotes."""
    cli_render.print_concept(conceptgraph.show(settings_for(context), concept), as_json=as_json)


@app.command()
def vault(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="A folder, usually in an Obsidian vault.")],
    *,
    cards: Annotated[bool | None, typer.Option(help="Add a question for `studium cards` to each note.")] = None,
    language: Annotated[str | None, typer.Option(help="The language of the headings (es, en, fr, de, it, pt).")] = None,
    as_json: AsJson = False,
) -> None:
    """Write every concept as a note; your edits are merged, never overwritten."""
    settings = concepts.with_note_options(settings_for(context), language, cards=cards)
    cli_render.print_published(asyncio.run(concepts.publish_notes(settings, folder)), folder, as_json=as_json)


@app.command()
def undo(context: typer.Context, run: Annotated[str, typer.Argument(help="The run that saved the concepts.")]) -> None:
    """Undo what a run saved, in the graph and in the vault."""
    for finding in asyncio.run(concepts.undo(settings_for(context), run)):
        say(str(finding))
    say("Undone.")


@app.command()
def stats(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Count books, quotes, concepts and relations."""
    cli_render.print_stats(conceptgraph.stats(settings_for(context)), as_json=as_json)


@app.command()
def audit(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Check the graph: concepts with few quotes, isolated groups, contradictions, near-duplicates, unused quotes."""
    found = asyncio.run(conceptgraph.audit(settings_for(context)))
    if as_json:
        show_json(found.model_dump(mode="json"))
    else:
        cli_render.print_audit(found)
