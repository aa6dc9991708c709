"""How labs, answers and diagnoses are shown."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from studium.cli.console import say, show_json, show_table

if TYPE_CHECKING:
    from studium.core.domain.decision import Decision
    from studium.domain.lab import Checked, Diagnosis, Lab

_STATE = {"create": "kept", "manual_review": "waits for you", "skip": "rejected", "update": "kept"}


def tell_labs(labs: "Sequence[tuple[Lab, bool]]", *, as_json: bool) -> None:
    """Say which labs there are."""
    if as_json:
        show_json([{"id": lab.id, "title": lab.title, "goal": lab.goal, "up": up} for lab, up in labs])
        return
    rows = ((lab.id, lab.title, len(lab.devices), len(lab.checks), "up" if up else "") for lab, up in labs)
    show_table(("lab", "title", "#devices", "#goals", "state"), rows)


def tell_checks(results: "Sequence[Checked]", *, as_json: bool) -> None:
    """Say which goals are reached."""
    if as_json:
        show_json([each.model_dump(mode="json") for each in results])
        return
    for each in results:
        say(f"{'✓' if each.holds else '✗'} {each.check.title}", "green" if each.holds else "red")
        for missing in each.missing:
            say(f"    missing: {missing}", "dim")


def tell_answer(answer: dict[str, Any]) -> None:
    """Show an answer and what it rests on."""
    say(answer["response"])
    if answer["citations"]:
        say("")
    for each in answer["citations"]:
        say(f"[{each['number']}] {each['source']}: {each['heading']}", "dim")


def tell_diagnosis(found: "Diagnosis | None", complaint: str | None) -> None:
    """Say what is wrong with a command."""
    if found is None and complaint:
        say(f"The device complains, and no pattern knows why: {complaint}")
        return
    if found is None:
        say("Nothing is wrong with it.")
        return
    say(f"{found.error_type}: {found.diagnosis}", "bold")
    say(found.fix)


def tell_patterns(proposals: "Sequence[Decision]", *, as_json: bool) -> None:
    """Say which patterns are proposed."""
    if as_json:
        show_json([each.model_dump(mode="json") for each in proposals])
    elif not proposals:
        say("There is nothing in it to make a new pattern of.")
    else:
        rows = ((each.item, _STATE[each.action.value], each.reasons[0]) for each in proposals)
        show_table(("pattern", "state", "why"), rows)
        say("\nstudium review shows them; what you approve is kept when you run this again.", "dim")
