"""The command `studium questions`."""

import asyncio
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from studium.cli.console import progress_bar, say, show_json, show_table
from studium.cli.options import AsJson, DryRun, Resume, database_for, settings_for
from studium.questions import use_cases as questions
from studium.questions.domain import GenerationLimits

if TYPE_CHECKING:
    from studium.questions.domain import DocumentResult, QAPair, RejectedQA
    from studium.questions.estimate import Estimate
    from studium.questions.use_cases import GenerationOutcome


_QUOTE = 160


def render_result(outcome: "GenerationOutcome", out: Path | None) -> None:
    """Print the questions of one document."""
    result = outcome.only_result()
    _render_pairs(result.accepted, result.rejected)
    for finding in outcome.findings:
        say(str(finding), "yellow")
    stats = result.stats
    written = f", written to {out}" if out else ""
    say(f"{stats.accepted_count} of {stats.target_count} questions{written}. {_coverage_text(stats.coverage)}")
    say(f"Run {outcome.run}.", "dim")


def render_document(document: "DocumentResult") -> None:
    """Print the questions of one document of a corpus."""
    say(document.path, "bold underline")
    _render_pairs(document.accepted, document.rejected)


def render_corpus(outcome: "GenerationOutcome", out: Path | None) -> None:
    """Print a table of the documents, and the totals."""
    documents = outcome.documents
    names = _names(documents)
    show_table(("document", "#questions", "#rejected", "#covered"), map(_row, documents, names))
    for document, name in zip(documents, names, strict=True):
        for finding in document.findings:
            say(f"{name}: {finding.message}", "yellow" if document.failed else "dim")
    failed = sum(document.failed for document in documents)
    short = sum(bool(document.shortfall) for document in documents)
    written = f", written to {out}" if out else ""
    faults = f" {failed} documents failed." if failed else ""
    lacking = f" {short} of them gave fewer than were asked for." if short else ""
    made = f"{len(outcome.pairs)} of {outcome.target} questions"
    say(f"{made} about {len(documents)} documents{written}.{lacking}{faults}")
    say(f"Run {outcome.run}.", "dim")


def render_estimate(expected: "Estimate", *, as_json: bool) -> None:
    """Print the estimate of a run."""
    if as_json:
        show_json(vars(expected))
        return
    for path, problem in expected.unreadable.items():
        say(f"{path}: {problem}", "yellow")
    opened = "" if expected.surveyed == expected.documents else f" ({expected.surveyed} opened)"
    pages = f", {expected.pages:,} pages" if expected.pages else ""
    about = ", ".join((*sorted(expected.kinds), *sorted(expected.languages)))
    say(f"{expected.documents} documents{opened}: {expected.words:,} words{pages} ({about}).")
    say(f"About {expected.expected} of the {expected.questions} questions asked for are likely. {expected.basis}")
    if expected.calls:
        tokens = f"{expected.input_tokens:,} input tokens and {expected.output_tokens:,} output tokens"
        cost = "an unknown price (set `models.….price`)" if expected.cost is None else f"about {expected.cost:.2f}"
        say(f"Expected: {expected.calls} calls, {tokens}, a cost of {cost}.")
        say("This is an estimate; --max-cost limits what a run spends.", "dim")
    else:
        say("No model is called: the rules need none.")
    if expected.seconds is not None:
        say(f"About {expected.seconds:,.0f} seconds, as past runs took.", "dim")


def _render_pairs(accepted: "Iterable[QAPair]", rejected: "Iterable[RejectedQA]") -> None:
    for pair in accepted:
        say(pair.question, "bold")
        say(f"  {pair.answer}")
        for evidence in pair.evidence:
            quote = " ".join(evidence.quote.split())
            say(f"  {evidence.where}: “{quote[:_QUOTE]}{'…' if len(quote) > _QUOTE else ''}”", "dim")
    for pair_rejected in rejected:
        say(
            f"rejected ({pair_rejected.rejection_reason}): {pair_rejected.question} {pair_rejected.rejection_detail}",
            "dim",
        )


def _names(documents: "Sequence[DocumentResult]") -> list[str]:
    """The documents' paths, without the folder that they share."""
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


app = typer.Typer(help="Generate validated question/answer sets from documents.", no_args_is_help=True)

Mode = Annotated[
    Literal["textual", "visual"], typer.Option(help="Ask about what the text says, or about what the pages show.")
]
Corpus = Annotated[
    Path | None, typer.Option(help="The corpus configuration; by default the `corpus.yaml` beside the documents.")
]
ScenarioName = Annotated[
    str | None, typer.Option("--scenario", help="The scenario of the corpus to write questions for.")
]
Out = Annotated[Path | None, typer.Option(help="Write the result to this JSON file.")]
MaxFailures = Annotated[
    int | None,
    typer.Option(min=1, help="Stop at a document after this many rejected candidates in a row; rules try all."),
]
Strict = Annotated[bool, typer.Option("--strict", help="Exit with 1 if there are fewer questions than asked for.")]
RunId = Annotated[str, typer.Argument(help="The run's id, or a unique beginning of it.")]


@app.command()
def generate(
    context: typer.Context,
    document: Annotated[Path, typer.Argument(help="A PDF, Markdown, text, HTML, EPUB or JATS file.")],
    *,
    corpus: Corpus = None,
    scenario: ScenarioName = None,
    mode: Mode = "textual",
    count: Annotated[
        int | None, typer.Option(min=1, help="Number of questions; by default `questions.target_count`.")
    ] = None,
    max_failures: MaxFailures = None,
    out: Out = None,
    strict: Strict = False,
    resume: Resume = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Generate questions about a document; accept those that a second engine answers the same way."""
    settings = settings_for(context)
    limits = GenerationLimits(max_failures)
    request = questions.GenerationRequest(
        document, count or settings.questions.target_count, mode, corpus, scenario, limits
    )
    if dry_run:
        render_estimate(questions.estimate_request(settings, database_for(context), request), as_json=as_json)
        return
    with progress_bar("questions"):
        outcome = asyncio.run(questions.generate_questions(settings, request, resume=resume))
    result = outcome.only_result()
    if out is not None:
        questions.write_result(out, result)
    if as_json:
        show_json({"run": outcome.run} | result.model_dump(mode="json"))
    else:
        render_result(outcome, out)
    _exit_if_short(outcome, strict=strict)


@app.command()
def corpus(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="A folder of documents with a `corpus.yaml`.")],
    *,
    out: Annotated[Path, typer.Option(help="Write the accepted questions to this JSON file.")],
    scenario: ScenarioName = None,
    configuration: Annotated[Path | None, typer.Option("--corpus", help="Another corpus configuration.")] = None,
    mode: Mode = "textual",
    per_document: Annotated[int | None, typer.Option(min=1, help="Questions per document.")] = None,
    total_target: Annotated[
        int | None, typer.Option(min=1, help="Stop when all documents together have this many questions.")
    ] = None,
    max_docs: Annotated[int | None, typer.Option(min=1, help="Use only the first so many documents.")] = None,
    max_failures: MaxFailures = None,
    concurrency: Annotated[int | None, typer.Option(min=1, help="Documents to process at once.")] = None,
    max_cost: Annotated[float | None, typer.Option(min=0, help="The most money to spend.")] = None,
    on: Annotated[str | None, typer.Option(help="Run on this Dask cluster: tcp://scheduler:8786.")] = None,
    strict: Strict = False,
    resume: Resume = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Generate the same number of questions about every document of a corpus; each is saved as it is accepted."""
    settings = questions.with_limits(settings_for(context), concurrency, max_cost)
    limits = GenerationLimits(max_failures, total_target, max_docs)
    request = questions.GenerationRequest(
        folder, per_document or settings.questions.target_count, mode, configuration, scenario, limits
    )
    if dry_run:
        render_estimate(questions.estimate_request(settings, database_for(context), request), as_json=as_json)
        return
    with progress_bar("questions"):
        outcome = asyncio.run(questions.generate_questions(settings, request, resume=resume, on=on))
    questions.write_result(out, outcome.corpus_result())
    if as_json:
        show_json(questions.outcome_json(outcome))
    else:
        render_corpus(outcome, out)
    _exit_if_short(outcome, strict=strict)


def _exit_if_short(outcome: "GenerationOutcome", *, strict: bool) -> None:
    if strict and outcome.fell_short:
        raise typer.Exit(1)


@app.command()
def show(context: typer.Context, run: RunId, *, as_json: AsJson = False) -> None:
    """Show the outcome of a run: the questions of each document with their evidence, accepted and rejected."""
    outcome = questions.load_outcome(database_for(context), run)
    if as_json:
        show_json(questions.outcome_json(outcome, whole=True))
        return
    for document in outcome.documents:
        render_document(document)
    render_corpus(outcome, None)


@app.command()
def export(
    context: typer.Context,
    run: RunId,
    *,
    form: Annotated[
        Literal["ragas", "jsonl", "csv", "parquet", "anki"], typer.Option("--format", help="The format of the file.")
    ],
    out: Annotated[Path, typer.Option(help="The file to write.")],
) -> None:
    """Write the questions of a run as a dataset, with the chunks of its documents, or as an Anki package."""
    written = questions.export_questions(database_for(context), run, out, form)
    say(f"{written.questions} questions written to {' and '.join(map(str, written.files))}.")
    if written.missing:
        say(f"Not opened again, so their contexts are the quotes alone: {', '.join(written.missing)}.", "yellow")
