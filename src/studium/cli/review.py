"""`studium review`: list, show and answer the open reviews of every feature."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from studium.cli.console import edit_yaml, say, show_json, show_table
from studium.cli.options import AsJson, database_for
from studium.core.runs.review_text import parse_yaml, review_diff, to_yaml

if TYPE_CHECKING:
    from studium.core.domain.decision import Review

app = typer.Typer(
    help="Show what waits for your decision, and answer it.", invoke_without_command=True, rich_markup_mode=None
)

Id = Annotated[str, typer.Argument(help="The review's id, or a unique beginning of it.")]
All = Annotated[bool, typer.Option("--all", help="Also list answered reviews.")]
Feature = Annotated[str | None, typer.Option(help="Only this feature.")]
Limit = Annotated[int, typer.Option(min=1, help="How many at most.")]
Comment = Annotated[str | None, typer.Option(help="Why you decided so.")]


@app.callback()
def review(
    context: typer.Context, *, all_: All = False, feature: Feature = None, limit: Limit = 50, as_json: AsJson = False
) -> None:
    """Show what waits for your decision, and answer it; without a command, list it."""
    if context.invoked_subcommand is None:
        list_(context, all_=all_, feature=feature, limit=limit, as_json=as_json)


@app.command("list")
def list_(
    context: typer.Context, *, all_: All = False, feature: Feature = None, limit: Limit = 50, as_json: AsJson = False
) -> None:
    """List the open reviews, the oldest first."""
    found = database_for(context).reviews.select(None if all_ else "open", feature=feature, limit=limit)
    if as_json:
        show_json([each.model_dump(mode="json") for each in found])
    elif not found:
        say("No open reviews.")
    else:
        rows = ((each.id, each.feature, each.decision.item, each.status.value, _reason(each)) for each in found)
        show_table(("id", "feature", "item", "status", "why"), rows)
        say("\nShow one with `studium review show ID`; answer it with approve, edit, reject or respond.", "dim")


@app.command()
def show(context: typer.Context, id_: Id, *, as_json: AsJson = False) -> None:
    """Show one review: the proposal, its evidence, what was found, and what changed."""
    database = database_for(context)
    found = database.reviews.get(id_)
    if as_json:
        show_json(found.model_dump(mode="json"))
        return
    decision = found.decision
    say(f"{found.feature}: {decision.item}", "bold")
    say(f"review {found.id}, {found.status.value}" + (f": {found.comment}" if found.comment else ""))
    _section("Why", [*decision.reasons, *(f"{each.severity.value}: {each}" for each in decision.findings)])
    _section("Proposal", to_yaml(decision.proposal).splitlines() if decision.proposal else [])
    _section("Evidence", [f"{each.where}: “{each.quote}”" for each in decision.evidence])
    _section("Changes", review_diff(database, found))


@app.command()
def approve(context: typer.Context, id_: Id, *, comment: Comment = None) -> None:
    """Accept the proposal as it is."""
    _answered(database_for(context).reviews.answer(id_, "approved", None, comment))


@app.command()
def reject(context: typer.Context, id_: Id, *, comment: Comment = None) -> None:
    """Reject the proposal; the item stays as it is."""
    _answered(database_for(context).reviews.answer(id_, "rejected", None, comment))


@app.command()
def respond(
    context: typer.Context,
    id_: Id,
    *,
    text: Annotated[str, typer.Option(help="What the next attempt should do differently.")],
) -> None:
    """Comment on the proposal; the next run tries again with your comment."""
    _answered(database_for(context).reviews.answer(id_, "responded", None, text))


@app.command()
def edit(
    context: typer.Context,
    id_: Id,
    *,
    text: Annotated[str | None, typer.Option(help="The proposal in YAML or JSON, instead of opening $EDITOR.")] = None,
    comment: Comment = None,
) -> None:
    """Edit the proposal in $EDITOR and accept it; it must match the proposal's schema."""
    database = database_for(context)
    found = database.reviews.get(id_)

    def save(proposal: dict[str, Any]) -> None:
        _answered(database.reviews.answer(found.id, "edited", proposal, comment))

    if text is not None:
        save(parse_yaml(text))
    elif not edit_yaml(to_yaml(found.decision.proposal or {}), save, may_ask=sys.stdin.isatty()):
        say("Nothing was changed; the review stays open.")


@app.command()
def reopen(context: typer.Context, id_: Id) -> None:
    """Take back an answer."""
    _answered(database_for(context).reviews.reopen(id_))


def _answered(review: "Review") -> None:
    say(f"{review.decision.item}: {review.status.value}.")


def _reason(review: "Review") -> str:
    """The first thing found against the proposal."""
    decision = review.decision
    return next(iter((*decision.reasons, *(finding.message for finding in decision.findings))), "")


def _section(title: str, lines: list[str]) -> None:
    if lines:
        say(f"\n{title}", "bold")
        for line in lines:
            say(f"  {line}")
