"""`studium concepts`: quotes become linked concepts."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from studium.cli import conceptmaps, concepttelling
from studium.cli.conceptanswers import Wish
from studium.cli.console import say, show_json
from studium.cli.flags import AsJson, DryRun, FailOnReview, settings_for
from studium.cli.progress import progress_bar
from studium.faculties import conceptgraph, concepts

app = typer.Typer(help="Make linked concepts of book quotes.", no_args_is_help=True)
app.add_typer(conceptmaps.app, name="graph")

Book = Annotated[str, typer.Argument(help="The book's title, the beginning of it, or its id.")]
Keys = Annotated[list[str] | None, typer.Option(metavar="KEY", help="This concept of the proposal (c3).")]


@app.command()
def parse(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="Quotes: Markdown, My Clippings.txt, Readwise, Kobo, Apple Books.")],
    *,
    author: Annotated[str, typer.Option(help="Who wrote the book.")] = "",
    title: Annotated[str, typer.Option(help="The book's title; of a file with several books, which one.")] = "",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Read the quotes of a file and keep them; what was read before is one quote, what was edited is updated."""
    settings = settings_for(context)
    if dry_run:
        concepttelling.tell_reading(concepts.read(file), as_json=as_json)
        return
    with progress_bar("books"):
        parsed = asyncio.run(concepts.parse(settings, file, title=title, author=author))
    concepttelling.tell_parsed(parsed, as_json=as_json)


@app.command()
def extract(
    context: typer.Context,
    book: Book,
    *,
    again: Annotated[bool, typer.Option("--again", help="Also take up quotes that carry concepts already.")] = False,
    fail_on_review: FailOnReview = False,
    as_json: AsJson = False,
) -> None:
    """Draw concepts from a book's quotes, up to the point where you must decide; then see `review`."""
    outcome = asyncio.run(concepts.extract(settings_for(context), book, again=again))
    concepttelling.tell_outcome(outcome, as_json=as_json)
    if outcome.failed or (fail_on_review and outcome.waiting):
        raise typer.Exit(1)


@app.command()
def review(
    context: typer.Context,
    book: Annotated[str | None, typer.Argument(help="Which book; without it, what waits is listed.")] = None,
    *,
    approve: Annotated[bool, typer.Option("--approve", help="Keep what then stands.")] = False,
    reject: Keys = None,
    restore: Keys = None,
    unmerge: Keys = None,
    merge: Annotated[list[str] | None, typer.Option(metavar="c1,c2", help="Make these concepts one.")] = None,
    feedback: Annotated[str, typer.Option(help="What should become of it, in your words.")] = "",
    changes: Annotated[Path | None, typer.Option(help="A file of changes in YAML or JSON.")] = None,
    edit: Annotated[bool, typer.Option("--edit", help="Change the proposal in $EDITOR.")] = False,
    as_json: AsJson = False,
) -> None:
    """See the proposal for a book, change it item by item or in words, and keep it."""
    settings = settings_for(context)
    if book is None:
        concepttelling.tell_waiting(concepts.waiting(settings), as_json=as_json)
        return
    keys = tuple(reject or ()), tuple(restore or ()), tuple(unmerge or ()), tuple(merge or ())
    wish = Wish(approve, *keys, feedback, changes, edit)
    outcome = asyncio.run(concepts.review(settings, book, wish.answer, shows=edit))
    concepttelling.tell_outcome(outcome, as_json=as_json)
    if outcome.failed:
        raise typer.Exit(1)


@app.command()
def search(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="What the concept says, in any words.")],
    *,
    quotes: Annotated[bool, typer.Option("--quotes", help="Search quotes instead of concepts.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Find concepts, or quotes, by what they say."""
    found = asyncio.run(conceptgraph.search(settings_for(context), text, limit, quotes=quotes))
    concepttelling.tell_found(found, as_json=as_json)


@app.command()
def show(
    context: typer.Context,
    concept: Annotated[str, typer.Argument(help="The concept's title, the beginning of it, or its id.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Show a concept: what it says, how it relates to others, and the quotes that carry it."""
    concepttelling.tell_concept(conceptgraph.show(settings_for(context), concept), as_json=as_json)


@app.command()
def vault(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="A folder, mostly inside an Obsidian vault.")],
    *,
    cards: Annotated[bool | None, typer.Option(help="Let each note hold a question for `studium cards`.")] = None,
    language: Annotated[str | None, typer.Option(help="The language of the headings (es, en, fr, de, it, pt).")] = None,
    as_json: AsJson = False,
) -> None:
    """Write every concept as a note; what you changed in a note is merged, never overwritten."""
    settings = concepts.writing(settings_for(context), language, cards=cards)
    concepttelling.tell_published(asyncio.run(concepts.publish(settings, folder)), folder, as_json=as_json)


@app.command()
def undo(context: typer.Context, run: Annotated[str, typer.Argument(help="The run that kept the concepts.")]) -> None:
    """Take back what a run kept, in the graph and in the vault."""
    for finding in asyncio.run(concepts.undo(settings_for(context), run)):
        say(str(finding))
    say("Taken back.")


@app.command()
def stats(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Say what there is: books, quotes, concepts, relations."""
    concepttelling.tell_stats(conceptgraph.stats(settings_for(context)), as_json=as_json)


@app.command()
def audit(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Look the graph over: thin concepts, islands, contradictions, near-duplicates, quotes that carry nothing."""
    found = asyncio.run(conceptgraph.audited(settings_for(context)))
    if as_json:
        show_json(found.model_dump(mode="json"))
    else:
        concepttelling.tell_audit(found)
