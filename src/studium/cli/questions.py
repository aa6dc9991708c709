"""`studium questions`: documents become validated questions."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studium.cli.console import say, show_json
from studium.cli.flags import AsJson, Resume, settings_for
from studium.cli.progress import progress_bar

if TYPE_CHECKING:
    from studium.domain.question import GenerationResult
    from studium.settings import Settings

app = typer.Typer(help="Make validated question/answer sets from documents.", no_args_is_help=True)


@app.callback()
def questions() -> None:
    """Make validated question/answer sets from documents."""


@app.command()
def generate(
    context: typer.Context,
    document: Annotated[Path, typer.Argument(help="A Markdown or text file.")],
    *,
    count: Annotated[int | None, typer.Option(min=1, help="How many questions; else `questions.target_count`.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the result to this JSON file.")] = None,
    resume: Resume = False,
    as_json: AsJson = False,
) -> None:
    """Ask questions about a document; accept those that a second engine answers alike from the document alone."""
    settings = settings_for(context)
    wanted = count or settings.questions.target_count
    run, result = asyncio.run(generate_questions(settings, document, wanted, out, resume=resume))
    if as_json:
        show_json({"run": run} | result.model_dump(mode="json"))
    else:
        _present(run, result, out)


async def generate_questions(
    settings: "Settings", document: Path, count: int, out: Path | None, *, resume: bool = False
) -> "tuple[str, GenerationResult]":
    """Run the loop over one document and, if asked to, write what it made."""
    from studium.bootstrap import open_house
    from studium.running.checkpoints import open_checkpoints
    from studium.running.questions import generation_result, questions_job
    from studium.stores.files import write_text
    from studium.workflows.questions.state import CHECKPOINTED

    async with (
        open_house(settings) as house,
        open_checkpoints(settings.checkpoints_url, CHECKPOINTED) as checkpoints,
    ):
        job = questions_job(document, house.mind, house.question_policy, count=count, checkpointer=checkpoints)
        with progress_bar("questions") as show:
            report = await house.runner(on_progress=show).run(job, resume=resume)
        result = generation_result(str(document), count, report.plan.decisions)
        if out is not None:
            write_text(out, result.model_dump_json(indent=2))
        return report.run, result


def _present(run: str, result: "GenerationResult", out: Path | None) -> None:
    for pair in result.accepted:
        say(pair.question, "bold")
        say(f"  {pair.answer}")
        for evidence in pair.content_refs:
            say(f"  {evidence.where}", "dim")
    for refused in result.rejected:
        say(f"refused ({refused.rejection_reason}): {refused.question} {refused.rejection_detail}", "dim")
    stats = result.stats
    say(f"{stats.accepted_count} of {stats.target_count} questions" + (f" written to {out}." if out else "."))
    say(f"Run {run}.", "dim")
