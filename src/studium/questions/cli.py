"""How the questions of a run are shown."""

import asyncio
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from studium.cli.console import progress_bar, say, show_json, show_table
from studium.cli.options import AsJson, DryRun, Resume, database_for, settings_for
from studium.questions import use_cases as questions

if TYPE_CHECKING:
    from studium.core.domain.finding import Finding
    from studium.questions.domain import GenerationResult, QAPair, RejectedQA
    from studium.questions.estimate import Estimate
    from studium.questions.results import DocumentResult


_QUOTE = 160


def render_result(run: str, result: "GenerationResult", findings: "Iterable[Finding]", out: Path | None) -> None:
    """Say what one document came to."""
    _render_pairs(result.accepted, result.rejected)
    for finding in findings:
        say(str(finding), "yellow")
    stats = result.stats
    written = f", written to {out}" if out else ""
    say(f"{stats.accepted_count} of {stats.target_count} questions{written}. {_coverage_text(stats.coverage)}")
    say(f"Run {run}.", "dim")


def render_document(document: "DocumentResult") -> None:
    """Say what one document of a corpus came to."""
    say(document.path, "bold underline")
    _render_pairs(document.accepted, document.rejected)


def render_corpus(run: str, documents: "Sequence[DocumentResult]", out: Path | None) -> None:
    """Say what each document came to, and all together."""
    names = _names(documents)
    show_table(("document", "#questions", "#refused", "#covered"), map(_row, documents, names))
    for document, name in zip(documents, names, strict=True):
        for finding in document.findings:
            say(f"{name}: {finding.message}", "yellow" if document.failed else "dim")
    accepted = sum(len(document.accepted) for document in documents)
    failed = sum(document.failed for document in documents)
    written = f", written to {out}" if out else ""
    faults = f" {failed} documents failed." if failed else ""
    say(f"{accepted} questions about {len(documents)} documents{written}.{faults}")
    say(f"Run {run}.", "dim")


def render_estimate(expected: "Estimate", *, as_json: bool) -> None:
    """Say what a run is likely to take."""
    if as_json:
        show_json(vars(expected))
        return
    cost = "an unknown price (set `models.….price`)" if expected.cost is None else f"about {expected.cost:.2f} in money"
    say(f"{expected.questions} questions about {expected.documents} documents.")
    if not expected.calls:
        say("No model is called: the rules do all of it.")
        return
    tokens = f"{expected.input_tokens:,} tokens read and {expected.output_tokens:,} written"
    say(f"Expected: {expected.calls} calls, {tokens}, {cost}.")
    say("This is an estimate; --max-cost stops a run before it spends more.", "dim")


def _render_pairs(accepted: "Iterable[QAPair]", rejected: "Iterable[RejectedQA]") -> None:
    for pair in accepted:
        say(pair.question, "bold")
        say(f"  {pair.answer}")
        for evidence in pair.content_refs:
            quote = " ".join(evidence.quote.split())
            say(f"  {evidence.where}: “{quote[:_QUOTE]}{'…' if len(quote) > _QUOTE else ''}”", "dim")
    for refused in rejected:
        say(f"refused ({refused.rejection_reason}): {refused.question} {refused.rejection_detail}", "dim")


def _names(documents: "Sequence[DocumentResult]") -> list[str]:
    """The documents' paths, without the folder that all lie in."""
    folders = [os.path.dirname(document.path) for document in documents]  # noqa: PTH120 - any text may be a path here
    above = os.path.commonpath(folders) if folders and all(folders) else ""
    return [document.path.removeprefix(above).lstrip("/") for document in documents]


def _row(document: "DocumentResult", name: str) -> tuple[object, ...]:
    stats = document.stats
    if stats is None:
        return name, "failed", "", ""
    return name, f"{stats.accepted_count} of {stats.target_count}", stats.rejected_count, f"{stats.coverage:.0%}"


def _coverage_text(coverage: float) -> str:
    return f"They cover {coverage:.0%} of the document's parts."


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
    wish = questions.GenerationRequest(document, count or settings.questions.target_count, mode, corpus, scenario)
    with progress_bar("questions"):
        asked = asyncio.run(questions.generate_questions(settings, wish, resume=resume))
    result = asked.only_result()
    if out is not None:
        questions.write_result(out, result)
    if as_json:
        show_json({"run": asked.run} | result.model_dump(mode="json"))
    else:
        render_result(asked.run, result, asked.documents[0].findings, out)


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
    settings = questions.with_limits(settings_for(context), concurrency, max_cost)
    wish = questions.GenerationRequest(
        folder, per_document or settings.questions.target_count, mode, configuration, scenario
    )
    if dry_run:
        render_estimate(questions.estimate_request(settings, wish), as_json=as_json)
        return
    with progress_bar("questions"):
        asked = asyncio.run(questions.generate_questions(settings, wish, resume=resume, on=on))
    questions.write_result(out, asked.corpus_result())
    if as_json:
        show_json(questions.outcome_json(asked.run, asked.documents))
    else:
        render_corpus(asked.run, asked.documents, out)


@app.command()
def show(context: typer.Context, run: RunId, *, as_json: AsJson = False) -> None:
    """Show what a run came to: each document, its questions with their proof, and what was refused."""
    asked = questions.load_outcome(database_for(context), run)
    if as_json:
        show_json(questions.outcome_json(asked.run, asked.documents, whole=True))
        return
    for document in asked.documents:
        render_document(document)
    render_corpus(asked.run, asked.documents, None)


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
    from studium.questions.export import write_dataset

    asked = questions.load_outcome(database_for(context), run)
    write_dataset(asked.pairs, out, form)
    say(f"{len(asked.pairs)} questions written to {out}.")
