"""`studium questions`: documents become validated questions."""

import asyncio
from pathlib import Path
from typing import Annotated, Literal

import typer

from studium.cli import questiontelling
from studium.cli.console import say, show_json
from studium.cli.flags import AsJson, DryRun, Resume, ledger_for, settings_for
from studium.cli.progress import progress_bar
from studium.faculties import questions

app = typer.Typer(help="Make validated question/answer sets from documents.", no_args_is_help=True)

Mode = Annotated[
    Literal["textual", "visual"], typer.Option(help="Ask about what the text says, or about what the pages show.")
]
Corpus = Annotated[
    Path | None, typer.Option(help="The corpus configuration; else the `corpus.yaml` beside the documents.")
]
ScenarioName = Annotated[str | None, typer.Option("--scenario", help="Which scenario of the corpus to ask for.")]
Out = Annotated[Path | None, typer.Option(help="Write the result to this JSON file.")]
RunId = Annotated[str, typer.Argument(help="The run's id, or as much of it as is unique.")]


@app.command()
def generate(
    context: typer.Context,
    document: Annotated[Path, typer.Argument(help="A PDF, Markdown, text, HTML, EPUB or JATS file.")],
    *,
    corpus: Corpus = None,
    scenario: ScenarioName = None,
    mode: Mode = "textual",
    count: Annotated[int | None, typer.Option(min=1, help="How many questions; else `questions.target_count`.")] = None,
    out: Out = None,
    resume: Resume = False,
    as_json: AsJson = False,
) -> None:
    """Ask questions about a document; accept those that a second engine answers alike from the document alone."""
    settings = settings_for(context)
    wish = questions.Wish(document, count or settings.questions.target_count, mode, corpus, scenario)
    with progress_bar("questions"):
        asked = asyncio.run(questions.ask(settings, wish, resume=resume))
    result = asked.only_result()
    if out is not None:
        questions.write_result(out, result)
    if as_json:
        show_json({"run": asked.run} | result.model_dump(mode="json"))
    else:
        questiontelling.tell_result(asked.run, result, asked.documents[0].findings, out)


@app.command()
def corpus(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="A folder of documents with a `corpus.yaml`.")],
    *,
    out: Annotated[Path, typer.Option(help="Write the accepted questions to this JSON file.")],
    scenario: ScenarioName = None,
    configuration: Annotated[Path | None, typer.Option("--corpus", help="Another corpus configuration.")] = None,
    mode: Mode = "textual",
    per_document: Annotated[int | None, typer.Option(min=1, help="How many questions a document.")] = None,
    concurrency: Annotated[int | None, typer.Option(min=1, help="How many documents at once.")] = None,
    max_cost: Annotated[float | None, typer.Option(min=0, help="The most money to spend.")] = None,
    on: Annotated[str | None, typer.Option(help="Run on this Dask cluster: tcp://scheduler:8786.")] = None,
    resume: Resume = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Ask about every document of a corpus, the same number each; whatever is accepted is kept at once."""
    settings = questions.limited(settings_for(context), concurrency, max_cost)
    wish = questions.Wish(folder, per_document or settings.questions.target_count, mode, configuration, scenario)
    if dry_run:
        questiontelling.tell_estimate(questions.expected(settings, wish), as_json=as_json)
        return
    with progress_bar("questions"):
        asked = asyncio.run(questions.ask(settings, wish, resume=resume, on=on))
    questions.write_result(out, asked.corpus_result())
    if as_json:
        show_json(questions.corpus_json(asked.run, asked.documents))
    else:
        questiontelling.tell_corpus(asked.run, asked.documents, out)


@app.command()
def show(context: typer.Context, run: RunId, *, as_json: AsJson = False) -> None:
    """Show what a run came to: each document, its questions with their proof, and what was refused."""
    asked = questions.asked_in(ledger_for(context), run)
    if as_json:
        show_json(questions.corpus_json(asked.run, asked.documents, whole=True))
        return
    for document in asked.documents:
        questiontelling.tell_document(document)
    questiontelling.tell_corpus(asked.run, asked.documents, None)


@app.command()
def export(
    context: typer.Context,
    run: RunId,
    *,
    form: Annotated[
        Literal["ragas", "jsonl", "csv", "parquet", "anki"], typer.Option("--format", help="For whom to write.")
    ],
    out: Annotated[Path, typer.Option(help="The file to write.")],
) -> None:
    """Write the accepted questions of a run as a dataset, or as an Anki package."""
    from studium.stores.datasets.writing import write_dataset

    asked = questions.asked_in(ledger_for(context), run)
    write_dataset(asked.pairs, out, form)
    say(f"{len(asked.pairs)} questions written to {out}.")
