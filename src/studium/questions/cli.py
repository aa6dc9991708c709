"""The command `studium questions`."""

import asyncio
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from studium.cli.console import progress_bar, say, show_json, show_table
from studium.cli.options import AsJson, DryRun, Resume, database_for, settings_for
from studium.questions import use_cases as questions
from studium.questions.kinds import Difficulty, Length, QuestionOptions, lettered, parse_mix

if TYPE_CHECKING:
    from studium.core.domain.finding import Finding
    from studium.questions.domain import DocumentResult, GenerationResult, QAPair, RejectedQA
    from studium.questions.use_cases import Estimate


_QUOTE = 160


def render_result(run: str, result: "GenerationResult", findings: "Iterable[Finding]", out: Path | None) -> None:
    """Print the questions of one document."""
    _render_pairs(result.accepted, result.rejected)
    for finding in findings:
        say(str(finding), "yellow")
    stats = result.stats
    written = f", written to {out}" if out else ""
    say(f"{stats.accepted_count} of {stats.target_count} questions{written}. {_coverage_text(stats.coverage)}")
    say(f"Run {run}.", "dim")


def render_document(document: "DocumentResult") -> None:
    """Print the questions of one document of a corpus."""
    say(document.path, "bold underline")
    _render_pairs(document.accepted, document.rejected)


def render_corpus(run: str, documents: "Sequence[DocumentResult]", out: Path | None) -> None:
    """Print a table of the documents, and the totals."""
    names = _names(documents)
    show_table(("document", "#questions", "#rejected", "#covered"), map(_row, documents, names))
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
    """Print the estimate of a run."""
    if as_json:
        show_json(vars(expected))
        return
    cost = (
        "an unknown price (set `models.….price`)" if expected.cost is None else f"a cost of about {expected.cost:.2f}"
    )
    say(f"{expected.questions} questions about {expected.documents} documents.")
    if not expected.calls:
        say("No model is called: the rules need none.")
        return
    tokens = f"{expected.input_tokens:,} input tokens and {expected.output_tokens:,} output tokens"
    say(f"Expected: {expected.calls} calls, {tokens}, {cost}.")
    say("This is an estimate; --max-cost limits what a run spends.", "dim")


def _render_pairs(accepted: "Iterable[QAPair]", rejected: "Iterable[RejectedQA]") -> None:
    for pair in accepted:
        say(pair.question, "bold")
        for choice in lettered(pair.choices):
            say(f"  {choice}")
        say(f"  {pair.answer}")
        for evidence in pair.content_refs:
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
Mix = Annotated[
    str | None,
    typer.Option(help="Kinds of questions by weight: open=6,multiple_choice=2,cloze=2; by default `questions.mix`."),
]
Wanted = Annotated[Difficulty | None, typer.Option(help="Prefer questions of this difficulty.")]
WantedLength = Annotated[Length | None, typer.Option(help="Prefer questions of this length.")]
Style = Annotated[str, typer.Option(help="How models word the questions: `web search`, `formal`, …")]
Persona = Annotated[str, typer.Option(help="Whose questions models ask: `a nurse in her first year`, …")]
RunId = Annotated[str, typer.Argument(help="The run's id, or a unique beginning of it.")]


@app.command()
def generate(
    context: typer.Context,
    document: Annotated[Path, typer.Argument(help="A PDF, Markdown, text, HTML, EPUB or JATS file.")],
    *,
    corpus: Corpus = None,
    scenario: ScenarioName = None,
    mode: Mode = "textual",
    mix: Mix = None,
    difficulty: Wanted = None,
    length: WantedLength = None,
    style: Style = "",
    persona: Persona = "",
    count: Annotated[
        int | None, typer.Option(min=1, help="Number of questions; by default `questions.target_count`.")
    ] = None,
    out: Out = None,
    resume: Resume = False,
    as_json: AsJson = False,
) -> None:
    """Generate questions about a document; accept those that a second engine answers the same way."""
    settings = settings_for(context)
    request = questions.GenerationRequest(document, count or settings.questions.target_count, mode, corpus, scenario)
    request = replace(request, options=_options(mix, difficulty, style, length, persona))
    with progress_bar("questions"):
        outcome = asyncio.run(questions.generate_questions(settings, request, resume=resume))
    result = outcome.only_result()
    if out is not None:
        questions.write_result(out, result)
    if as_json:
        show_json({"run": outcome.run} | result.model_dump(mode="json"))
    else:
        render_result(outcome.run, result, outcome.findings, out)


@app.command()
def corpus(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="A folder of documents with a `corpus.yaml`.")],
    *,
    out: Annotated[Path, typer.Option(help="Write the accepted questions to this JSON file.")],
    scenario: ScenarioName = None,
    configuration: Annotated[Path | None, typer.Option("--corpus", help="Another corpus configuration.")] = None,
    mode: Mode = "textual",
    mix: Mix = None,
    difficulty: Wanted = None,
    length: WantedLength = None,
    style: Style = "",
    persona: Persona = "",
    per_document: Annotated[int | None, typer.Option(min=1, help="Questions per document.")] = None,
    concurrency: Annotated[int | None, typer.Option(min=1, help="Documents to process at once.")] = None,
    max_cost: Annotated[float | None, typer.Option(min=0, help="The most money to spend.")] = None,
    on: Annotated[str | None, typer.Option(help="Run on this Dask cluster: tcp://scheduler:8786.")] = None,
    resume: Resume = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Generate the same number of questions about every document of a corpus; each is saved as it is accepted."""
    settings = questions.with_limits(settings_for(context), concurrency, max_cost)
    request = questions.GenerationRequest(
        folder, per_document or settings.questions.target_count, mode, configuration, scenario
    )
    request = replace(request, options=_options(mix, difficulty, style, length, persona))
    if dry_run:
        render_estimate(questions.estimate_request(settings, request), as_json=as_json)
        return
    with progress_bar("questions"):
        outcome = asyncio.run(questions.generate_questions(settings, request, resume=resume, on=on))
    questions.write_result(out, outcome.corpus_result())
    if as_json:
        show_json(questions.outcome_json(outcome.run, outcome.documents))
    else:
        render_corpus(outcome.run, outcome.documents, out)


def _options(
    mix: str | None, difficulty: Difficulty | None, style: str, length: Length | None, persona: str
) -> QuestionOptions:
    kinds = parse_mix(mix) if mix else {}
    return QuestionOptions(mix=kinds, difficulty=difficulty, style=style, length=length, persona=persona)


@app.command()
def show(context: typer.Context, run: RunId, *, as_json: AsJson = False) -> None:
    """Show the outcome of a run: the questions of each document with their evidence, accepted and rejected."""
    outcome = questions.load_outcome(database_for(context), run)
    if as_json:
        show_json(questions.outcome_json(outcome.run, outcome.documents, whole=True))
        return
    for document in outcome.documents:
        render_document(document)
    render_corpus(outcome.run, outcome.documents, None)


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
    """Write the accepted questions of a run as a dataset, or as an Anki package."""
    from studium.questions.export import write_dataset

    outcome = questions.load_outcome(database_for(context), run)
    write_dataset(outcome.pairs, out, form)
    say(f"{len(outcome.pairs)} questions written to {out}.")
