"""How the results of `studium cards` are told to people."""

from typing import TYPE_CHECKING

from studium.cli.console import say, show_table

if TYPE_CHECKING:
    from studium.core.domain.decision import Decision
    from studium.running.cards.applying import Applied
    from studium.running.cards.syncing import Synced

_SHOWN = 40


def tell_synced(synced: "Synced", to: str, *, applied: bool) -> None:
    """Say what was done, what was left and what waits."""
    from studium.core.domain.decision import Action

    plan, counts = synced.plan, synced.plan.counts
    notable = [d for d in plan.decisions if d.action is Action.MANUAL_REVIEW or d.findings]
    if notable:
        rows = [(d.action.value, _place(d), "; ".join(d.reasons)) for d in notable[:_SHOWN]]
        show_table(("what", "where", "why"), rows)
    if len(notable) > _SHOWN:
        say(f"… and {len(notable) - _SHOWN} more; --json shows all.", "dim")
    done = "" if applied else " (nothing was written)"
    say(f"{counts['create']} new cards, {counts['update']} updated, {counts['skip']} left as they are{done}; {to}")
    say(f"{synced.unchanged} notes had not changed.", "dim")
    tell_applied(synced.applied)
    if counts["manual_review"]:
        say(f"{counts['manual_review']} wait for you: studium review")
    if plan.run:
        say(f"Run {plan.run}.", "dim")


def tell_applied(applied: "Applied") -> None:
    """Say what was not carried out."""
    for finding in applied.faults:
        say(f"not done: {finding}", "yellow")


def _place(decision: "Decision") -> str:
    where = next((finding.where for finding in decision.findings if finding.where), None)
    if where:
        return str(where)
    return f"{decision.order['note']}:{decision.order['line']}" if decision.order else decision.item
