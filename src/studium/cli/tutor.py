"""`studium tutor`: networking labs, explained and diagnosed."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from studium.cli import tutorlabs, tutortalks, tutortelling
from studium.cli.console import say, show_json
from studium.cli.flags import AsJson, settings_for
from studium.cli.progress import progress_bar
from studium.core.domain.errors import BadInput
from studium.faculties import labs, tutor

app = typer.Typer(help="Learn networking on labs with real routers.", no_args_is_help=True)
docs = typer.Typer(help="Documents that the tutor looks things up in.", no_args_is_help=True)
patterns = typer.Typer(help="Patterns of errors.", no_args_is_help=True)
app.add_typer(tutorlabs.app, name="lab")
app.add_typer(docs, name="docs")
app.add_typer(patterns, name="patterns")

Lab = tutorlabs.Lab
History = Annotated[Path | None, typer.Option(help="What was typed: a console recording, JSON, or one command a line.")]


@app.command()
def ask(
    context: typer.Context,
    lab: Lab,
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    *,
    history: History = None,
    as_json: AsJson = False,
) -> None:
    """Ask one question about a lab; what you typed in its console is known."""
    settings = settings_for(context)
    with progress_bar("tutor:"):
        answer = asyncio.run(tutor.ask(settings, lab, question, history))
    if as_json:
        show_json(answer)
    else:
        tutortelling.tell_answer(answer)


@app.command()
def chat(context: typer.Context, lab: Lab, *, history: History = None) -> None:
    """Talk with the tutor about a lab; an empty line ends it."""
    asyncio.run(tutortalks.chat(settings_for(context), lab, history))


@app.command()
def diagnose(
    context: typer.Context,
    *,
    command: Annotated[str, typer.Option(help="What was typed.")],
    output: Annotated[str, typer.Option(help="A file with what the device said; `-` reads it from stdin.")],
    prompt: Annotated[str | None, typer.Option(help="The prompt it was typed at, as in `R1(config)#`.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what is wrong with one command, and how to mend it."""
    found, complaint = tutor.diagnose(settings_for(context), command, _said(output), prompt)
    if as_json:
        show_json(found.model_dump(mode="json") if found else None)
    else:
        tutortelling.tell_diagnosis(found, complaint)


@app.command()
def console(
    context: typer.Context,
    lab: Lab,
    device: Annotated[str, typer.Argument(help="Which device, as in r1.")],
) -> None:
    """Type on a device of a lab that is up; every mistake is explained at once. Ctrl-D leaves."""
    tutortalks.console(settings_for(context), lab, device)


@app.command()
def quiz(
    context: typer.Context,
    lab: Lab,
    *,
    count: Annotated[int, typer.Option(min=1, help="How many questions.")] = 5,
) -> None:
    """Be asked about a lab: what is due, and what you know least."""
    tutortalks.quiz(settings_for(context), lab, count)


@app.command()
def fault(
    context: typer.Context,
    lab: Lab,
    *,
    topic: Annotated[str | None, typer.Option(help="What the fault should be about, as in ospf.")] = None,
    give_up: Annotated[bool, typer.Option("--give-up", help="Say what the last fault is, and how to mend it.")] = False,
) -> None:
    """Break one thing in a lab that is up and done, for you to find; `lab check` says when it is mended."""
    found = labs.fault(settings_for(context), lab, topic, give_up=give_up)
    if give_up:
        say(found.cause)
        say(f"On {found.device}:\n" + "\n".join(f"  {command}" for command in found.mending))
    else:
        say(found.question)


@docs.command("add")
def add(context: typer.Context, folder: Annotated[Path, typer.Argument(help="A folder of documents.")]) -> None:
    """Let the tutor look things up in a folder of yours."""
    found = tutor.add_documents(settings_for(context), folder)
    for finding in found.findings:
        say(f"- {finding}", "yellow")
    say(f"{len(found.passages)} passages can now be looked up.")


@patterns.command("learn")
def learn(
    context: typer.Context,
    transcript: Annotated[Path, typer.Argument(help="What a student typed, with what the devices said.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Propose patterns for complaints that nobody knows yet; they wait in `studium review`."""
    proposals = asyncio.run(tutor.learn_patterns(settings_for(context), transcript))
    tutortelling.tell_patterns(proposals, as_json=as_json)


def _said(output: str) -> str:
    """What the device said, from a file or from stdin."""
    if output == "-":
        return sys.stdin.read()
    try:
        return Path(output).read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise BadInput(f"{output} cannot be read: {error.strerror}.") from error
