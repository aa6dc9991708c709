"""The command `studium questions`."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from studium.cli.console import progress_bar, say, show_json
from studium.cli.options import AsJson, Resume, database_for, settings_for
from studium.questions import review as reviews
from studium.questions import use_cases as questions
from studium.questions.cli_render import (
    render_corpus,
    render_document,
    render_estimate,
    render_question,
    render_result,
    render_review,
)
from studium.questions.domain import GenerationLimits
from studium.questions.kinds import Difficulty, Length, QuestionOptions, parse_mix
from studium.questions.question_set import Place, load_question_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from studium.core.config import Settings
    from studium.questions.review import EditedQuestion
    from studium.questions.use_cases import GenerationOutcome


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
EstimateOnly = Annotated[
    bool,
    typer.Option("--dry-run", help="Ask nothing: open the documents, and estimate what the run gives and takes."),
]
Strict = Annotated[bool, typer.Option("--strict", help="Exit with 1 if there are fewer questions than asked for.")]
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
    document: Annotated[Path, typer.Argument(help="A PDF, Markdown, AsciiDoc, text, HTML, EPUB or JATS file.")],
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
    max_failures: MaxFailures = None,
    out: Out = None,
    strict: Strict = False,
    resume: Resume = False,
    dry_run: EstimateOnly = False,
    as_json: AsJson = False,
) -> None:
    """Generate questions about a document; accept those that a second engine answers the same way."""
    settings = settings_for(context)
    limits = GenerationLimits(max_failures)
    request = questions.GenerationRequest(
        document, count or settings.questions.target_count, mode, corpus, scenario, limits
    )
    request = replace(request, options=_options(mix, difficulty, style, length, persona))
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
    mix: Mix = None,
    difficulty: Wanted = None,
    length: WantedLength = None,
    style: Style = "",
    persona: Persona = "",
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
    dry_run: EstimateOnly = False,
    as_json: AsJson = False,
) -> None:
    """Generate the same number of questions about every document of a corpus; each is saved as it is accepted."""
    settings = questions.with_limits(settings_for(context), concurrency, max_cost)
    limits = GenerationLimits(max_failures, total_target, max_docs)
    request = questions.GenerationRequest(
        folder, per_document or settings.questions.target_count, mode, configuration, scenario, limits
    )
    request = replace(request, options=_options(mix, difficulty, style, length, persona))
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
        show_json(questions.outcome_json(outcome, whole=True))
        return
    for document in outcome.documents:
        render_document(document)
    render_corpus(outcome, None)


Numbers = list[int] | None


@app.command()
def review(
    context: typer.Context,
    run: RunId,
    *,
    keep: Annotated[Numbers, typer.Option(min=1, help="Keep the question with this number.")] = None,
    drop: Annotated[Numbers, typer.Option(min=1, help="Leave this question out.")] = None,
    undo: Annotated[Numbers, typer.Option(min=1, help="Undo the last decision about this question.")] = None,
    edit: Annotated[int | None, typer.Option(min=1, help="Change this question or its answer.")] = None,
    question: Annotated[str | None, typer.Option(help="The new question, with --edit.")] = None,
    answer: Annotated[str | None, typer.Option(help="The new answer, with --edit.")] = None,
    regenerate: Annotated[Numbers, typer.Option(min=1, help="Ask another question in place of this one.")] = None,
    anywhere: Annotated[bool, typer.Option("--anywhere", help="With --regenerate: about any place.")] = False,
    approve: Annotated[bool, typer.Option("--approve", help="Keep all that are not decided about.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the questions of a run with what was decided, or decide: keep, edit, drop, regenerate, approve, undo."""
    if (question or answer) and edit is None:
        raise typer.BadParameter("--question and --answer need --edit N.")
    database = database_for(context)
    done = [reviews.undo_decision(database, run, number) for number in undo or ()]
    done += [reviews.keep_question(database, run, number) for number in keep or ()]
    done += [reviews.drop_question(database, run, number) for number in drop or ()]
    changed = asyncio.run(
        _change(
            settings_for(context), run, (edit, question, answer) if edit else None, regenerate or (), anywhere=anywhere
        )
    )
    approved = reviews.approve_questions(database, run) if approve else []
    whole = load_question_set(database, run)
    if as_json:
        show_json(whole.to_json())
        return
    for each in (*done, *(change.question for change in changed)):
        render_question(each)
    for note in (change.note for change in changed if change.note):
        say(note, "yellow")
    if approved:
        say(f"{len(approved)} questions kept.")
    render_review(whole, listed=not (done or changed or approve))


async def _change(
    settings: "Settings",
    run: str,
    edit: tuple[int, str | None, str | None] | None,
    regenerate: "Sequence[int]",
    *,
    anywhere: bool,
) -> "list[EditedQuestion]":
    """Edit a question, and regenerate others; one after the other, since each must differ from those before."""
    changed = []
    if edit:
        number, question, answer = edit
        changed.append(await reviews.edit_question(settings, run, number, question=question, answer=answer))
    for number in regenerate:
        place: Place = "anywhere" if anywhere else "same"
        changed.append(await reviews.regenerate_question(settings, run, number, place=place))
    return changed


@app.command()
def export(
    context: typer.Context,
    run: RunId,
    *,
    form: Annotated[
        Literal["ragas", "jsonl", "csv", "parquet", "anki", "json"],
        typer.Option("--format", help="The format of the file."),
    ],
    out: Annotated[Path, typer.Option(help="The file to write.")],
) -> None:
    """Write the questions of a run as a dataset, with the chunks of its documents, or as an Anki package."""
    written = questions.export_questions(database_for(context), run, out, form)
    say(f"{written.questions} questions written to {' and '.join(map(str, written.files))}.")
    if written.missing:
        say(f"Not opened again, so their contexts are the quotes alone: {', '.join(written.missing)}.", "yellow")
