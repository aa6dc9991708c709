"""`studium cards`: notes become Anki cards."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studium.cli.console import say, show_json, show_table
from studium.cli.flags import AsJson, DryRun, FailOnReview, Resume, settings_for
from studium.cli.progress import progress_bar

if TYPE_CHECKING:
    from studium.domain.decision import Plan
    from studium.settings import Settings

app = typer.Typer(help="Turn Obsidian notes into Anki cards.", no_args_is_help=True)


@app.callback()
def cards() -> None:
    """Turn Obsidian notes into Anki cards."""


@app.command()
def sync(
    context: typer.Context,
    notes: Annotated[Path, typer.Argument(help="A Markdown note, or a folder of notes.")],
    *,
    to: Annotated[Path, typer.Option(help="The Anki package to write.")],
    dry_run: DryRun = False,
    resume: Resume = False,
    fail_on_review: FailOnReview = False,
    as_json: AsJson = False,
) -> None:
    """Make a card of each note that holds a question and its answer, and write them to an Anki package."""
    plan = asyncio.run(plan_cards(settings_for(context), notes, None if dry_run else to, resume=resume))
    if as_json:
        show_json({"run": plan.run, "counts": plan.counts, "decisions": plan.model_dump(mode="json")["decisions"]})
    else:
        _present(plan, None if dry_run else to)
    if fail_on_review and plan.counts["manual_review"]:
        raise typer.Exit(1)


async def plan_cards(settings: "Settings", notes: Path, to: Path | None, *, resume: bool = False) -> "Plan":
    """Decide on every note and, unless nothing is to be written, publish what was accepted."""
    from studium.bootstrap import open_house
    from studium.domain.budget import Limits
    from studium.running.cards import cards_job, publish_cards

    async with open_house(settings) as house:
        limits = Limits(calls=settings.agents.max_llm_calls_per_card)
        job = cards_job(notes, house.mind, house.card_policy, limits)
        with progress_bar("cards") as show:
            report = await house.runner(on_progress=show).run(job, resume=resume)
        plan = house.ledger.plan(report.run)
        if to is not None:
            publish_cards(house.ledger, plan, to)
        return plan


def _present(plan: "Plan", to: Path | None) -> None:
    from studium.domain.decision import Action

    doubtful = [decision for decision in plan.decisions if decision.action is not Action.CREATE]
    if doubtful:
        rows = ((decision.action.value, decision.item, "; ".join(decision.reasons)) for decision in doubtful)
        show_table(("what", "note", "why"), rows)
    made = plan.counts["create"] + plan.counts["update"]
    say(f"{made} cards " + (f"written to {to}." if to else "would be written (dry run)."))
    if waiting := plan.counts["manual_review"]:
        say(f"{waiting} wait for you: studium review")
    say(f"Run {plan.run}.", "dim")
