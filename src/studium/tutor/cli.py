"""`studium tutor`: networking labs, explained and diagnosed."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studium.cli.console import progress_bar, say, show_json, show_table
from studium.cli.options import AsJson, settings_for
from studium.core.domain.errors import BadInput
from studium.tutor import lab_use_cases
from studium.tutor import use_cases as tutor

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.core.domain.decision import Decision
    from studium.tutor.domain import CheckResult, Diagnosis, Lab
    from studium.tutor.state import CitedAnswer


_STATE = {"create": "kept", "manual_review": "needs review", "skip": "rejected", "update": "kept"}


def render_labs(labs: "Sequence[tuple[Lab, bool]]", *, as_json: bool) -> None:
    """Print the list of labs."""
    if as_json:
        show_json([{"id": lab.id, "title": lab.title, "goal": lab.goal, "up": up} for lab, up in labs])
        return
    rows = ((lab.id, lab.title, len(lab.devices), len(lab.checks), "up" if up else "") for lab, up in labs)
    show_table(("lab", "title", "#devices", "#goals", "state"), rows)


def render_checks(results: "Sequence[CheckResult]", *, as_json: bool) -> None:
    """Print which goals are reached."""
    if as_json:
        show_json([each.model_dump(mode="json") for each in results])
        return
    for each in results:
        say(f"{'✓' if each.holds else '✗'} {each.check.title}", "green" if each.holds else "red")
        for missing in each.missing:
            say(f"    missing: {missing}", "dim")


def render_answer(answer: "CitedAnswer") -> None:
    """Print an answer and its sources."""
    say(answer["response"])
    if answer["citations"]:
        say("")
    for each in answer["citations"]:
        say(f"[{each['number']}] {each['source']}: {each['heading']}", "dim")


def render_diagnosis(found: "Diagnosis | None", complaint: str | None) -> None:
    """Print the diagnosis of a command."""
    if found is None and complaint:
        say(f"The device reports an error that no pattern explains: {complaint}")
        return
    if found is None:
        say("No mistake found.")
        return
    say(f"{found.error_type}: {found.diagnosis}", "bold")
    say(found.fix)


def render_patterns(proposals: "Sequence[Decision]", *, as_json: bool) -> None:
    """Print the proposed patterns."""
    if as_json:
        show_json([each.model_dump(mode="json") for each in proposals])
    elif not proposals:
        say("It has nothing for a new pattern.")
    else:
        rows = ((each.item, _STATE[each.action.value], each.reasons[0]) for each in proposals)
        show_table(("pattern", "state", "why"), rows)
        say("\nReview them with studium review; approved ones are saved when you run this again.", "dim")


async def run_chat(settings: "Settings", name: str, history: Path | None) -> None:
    """Chat until an empty line."""
    from studium.core.app import open_app

    with progress_bar("tutor:"):
        tutor.prepare_search(settings)
    async with open_app(settings) as app:
        who = tutor.tutor_for_lab(app, name, history, _ask_permission)
        say(f"{who.lab.title if who.lab else name}. Ask a question; an empty line ends the chat.", "dim")
        while question := _read_line("> "):
            async for piece in who.ask_stream(question):
                typer.echo(piece, nl=False)
            typer.echo("\n")
            tutor.save_learning(settings, who)


def run_console(settings: "Settings", name: str, device: str) -> None:
    """Run a device's command line and explain mistakes as they happen."""
    with lab_use_cases.open_console(settings, name, device) as opened:
        while (command := _read_line(opened.prompt, ends="\x04")) is not None:
            said, found = opened.run(command)
            if said:
                typer.echo(said)
            if found:
                say(f"  {found.diagnosis} {found.fix}", "yellow")


def run_quiz(settings: "Settings", name: str, count: int) -> None:
    """Ask up to `count` questions; grade and explain each answer."""
    asked: list[str] = []
    while len(asked) < count and (question := tutor.next_question(settings, name, asked)):
        asked.append(question.question)
        say(f"\n{question.question}", "bold")
        for letter, choice in zip("abcdefgh", question.choices, strict=False):
            say(f"  {letter}) {choice}")
        answer = _read_line("> ")
        if not answer:
            return
        say(tutor.grade(settings, question, answer))


def _ask_permission(device: str, command: str) -> bool:
    """Ask whether the tutor may run a command that may change something."""
    return sys.stdin.isatty() and typer.confirm(f"The tutor wants to run `{command}` on {device}. Allow it?")


def _read_line(prompt: str, ends: str = "") -> str | None:
    """Read a line; None at the end of the input."""
    try:
        line = input(prompt)
    except EOFError:
        return None
    return None if ends and line == ends else line


lab_app = typer.Typer(help="Start, check and stop labs on this machine.", no_args_is_help=True)

LabArgument = Annotated[str, typer.Argument(help="The lab's id or a unique part of it.")]


@lab_app.command("list")
def list_(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List the labs and which of them are running."""
    render_labs(lab_use_cases.list_labs(settings_for(context)), as_json=as_json)


@lab_app.command()
def up(context: typer.Context, lab: LabArgument) -> None:
    """Start a lab: routers in network namespaces on this machine, with the lab's starting configuration."""
    live, seconds = lab_use_cases.lab_up(settings_for(context), lab)
    say(f"{live.lab.title} is running ({seconds:.1f} s).")
    say(live.lab.goal)
    routers = ", ".join(device.name for device in live.lab.devices)
    say(f"\nstudium tutor console {live.lab.id} r1 opens a router; there are {routers}.", "dim")


@lab_app.command()
def down(context: typer.Context, lab: LabArgument) -> None:
    """Stop a lab and remove its routers."""
    lab_use_cases.lab_down(settings_for(context), lab)
    say("The lab is stopped.")


@lab_app.command()
def reset(context: typer.Context, lab: LabArgument) -> None:
    """Restore the starting configuration of every router."""
    lab_use_cases.reset_lab(settings_for(context), lab)
    say("Every router has its starting configuration.")


@lab_app.command()
def restart(
    context: typer.Context, lab: LabArgument, device: Annotated[str, typer.Argument(help="Which router, as in r1.")]
) -> None:
    """Restart a router that crashed, with its last saved configuration."""
    lab_use_cases.restart_device(settings_for(context), lab, device)
    say(f"{device} is running again.")


@lab_app.command()
def check(
    context: typer.Context,
    lab: LabArgument,
    *,
    replay: Annotated[Path | None, typer.Option(help="Check a console recording instead of devices.")] = None,
    patience: Annotated[float, typer.Option(min=0, help="Seconds to wait for routing to converge.")] = 5.0,
    as_json: AsJson = False,
) -> None:
    """Show which goals of a lab are reached and what is missing."""
    results = lab_use_cases.check_lab(settings_for(context), lab, patience, replay)
    render_checks(results, as_json=as_json)
    if not all(each.holds for each in results):
        raise typer.Exit(1)


app = typer.Typer(help="Learn networking on labs with real routers.", no_args_is_help=True)
docs = typer.Typer(help="Documents that the tutor searches.", no_args_is_help=True)
patterns = typer.Typer(help="Patterns of errors.", no_args_is_help=True)
app.add_typer(lab_app, name="lab")
app.add_typer(docs, name="docs")
app.add_typer(patterns, name="patterns")

LabName = LabArgument
History = Annotated[
    Path | None, typer.Option(help="What was typed: a console recording, JSON, or one command per line.")
]


@app.command()
def ask(
    context: typer.Context,
    lab: LabName,
    question: Annotated[str, typer.Argument(help="Your question.")],
    *,
    history: History = None,
    as_json: AsJson = False,
) -> None:
    """Ask one question about a lab; the tutor has seen what you typed in its consoles."""
    settings = settings_for(context)
    with progress_bar("tutor:"):
        answer = asyncio.run(tutor.ask(settings, lab, question, history))
    if as_json:
        show_json(answer)
    else:
        render_answer(answer)


@app.command()
def chat(context: typer.Context, lab: LabName, *, history: History = None) -> None:
    """Chat with the tutor about a lab; an empty line ends the chat."""
    asyncio.run(run_chat(settings_for(context), lab, history))


@app.command()
def diagnose(
    context: typer.Context,
    *,
    command: Annotated[str, typer.Option(help="What was typed.")],
    output: Annotated[str, typer.Option(help="A file with the device's output; `-` reads stdin.")],
    prompt: Annotated[str | None, typer.Option(help="The prompt, as in `R1(config)#`.")] = None,
    as_json: AsJson = False,
) -> None:
    """Explain what is wrong with one command and how to fix it."""
    found, complaint = tutor.diagnose(settings_for(context), command, _read_output(output), prompt)
    if as_json:
        show_json(found.model_dump(mode="json") if found else None)
    else:
        render_diagnosis(found, complaint)


@app.command()
def console(
    context: typer.Context,
    lab: LabName,
    device: Annotated[str, typer.Argument(help="Which device, as in r1.")],
) -> None:
    """Open a device's console in a running lab; mistakes are explained as you type. Ctrl-D leaves."""
    run_console(settings_for(context), lab, device)


@app.command()
def quiz(
    context: typer.Context,
    lab: LabName,
    *,
    count: Annotated[int, typer.Option(min=1, help="How many questions.")] = 5,
) -> None:
    """Take a quiz on a lab: topics that are due first, then the weakest ones."""
    run_quiz(settings_for(context), lab, count)


@app.command()
def fault(
    context: typer.Context,
    lab: LabName,
    *,
    topic: Annotated[str | None, typer.Option(help="Topic of the fault, as in ospf.")] = None,
    give_up: Annotated[bool, typer.Option("--give-up", help="Show the last fault and how to fix it.")] = False,
) -> None:
    """Break one thing in a running lab for you to find; `lab check` shows when it is fixed."""
    found = lab_use_cases.practice_fault(settings_for(context), lab, topic, give_up=give_up)
    if give_up:
        say(found.cause)
        say(f"On {found.device}:\n" + "\n".join(f"  {command}" for command in found.mending))
    else:
        say(found.question)


@docs.command("add")
def add(context: typer.Context, folder: Annotated[Path, typer.Argument(help="A folder of documents.")]) -> None:
    """Add a folder of documents for the tutor to search."""
    found = tutor.add_documents(settings_for(context), folder)
    for finding in found.findings:
        say(f"- {finding}", "yellow")
    say(f"{len(found.passages)} passages are now searchable.")


@patterns.command("learn")
def learn(
    context: typer.Context,
    transcript: Annotated[Path, typer.Argument(help="Typed commands with their output.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Propose patterns for messages that none explains yet; review them with `studium review`."""
    proposals = asyncio.run(tutor.learn_patterns(settings_for(context), transcript))
    render_patterns(proposals, as_json=as_json)


def _read_output(output: str) -> str:
    """Read the device's output from a file or stdin."""
    if output == "-":
        return sys.stdin.read()
    try:
        return Path(output).read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise BadInput(f"{output} cannot be read: {error.strerror}.") from error
