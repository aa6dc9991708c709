"""Where the student types: the chat with the tutor, a device's console, the quiz."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from studium.cli.console import say
from studium.cli.progress import progress_bar
from studium.faculties import labs, tutor

if TYPE_CHECKING:
    from studium.core.config import Settings


async def chat(settings: "Settings", name: str, history: Path | None) -> None:
    """A conversation, until an empty line."""
    from studium.bootstrap.house import open_house

    with progress_bar("tutor:"):
        tutor.prepare(settings)
    async with open_house(settings) as house:
        who = tutor.tutor_in(house, name, history, _allowed)
        say(f"{who.lab.title if who.lab else name}. Ask; an empty line ends it.", "dim")
        while question := _line("> "):
            async for piece in who.ask_stream(question):
                typer.echo(piece, nl=False)
            typer.echo("\n")
            tutor.remember(settings, who)


def console(settings: "Settings", name: str, device: str) -> None:
    """A device's own command line; what goes wrong on it is explained at once."""
    with labs.open_console(settings, name, device) as opened:
        while (command := _line(opened.prompt, ends="\x04")) is not None:
            said, found = opened.run(command)
            if said:
                typer.echo(said)
            if found:
                say(f"  {found.diagnosis} {found.fix}", "yellow")


def quiz(settings: "Settings", name: str, count: int) -> None:
    """So many questions, each answered, graded and explained."""
    asked: list[str] = []
    while len(asked) < count and (question := tutor.next_question(settings, name, asked)):
        asked.append(question.question)
        say(f"\n{question.question}", "bold")
        for letter, choice in zip("abcdefgh", question.choices, strict=False):
            say(f"  {letter}) {choice}")
        answer = _line("> ")
        if not answer:
            return
        say(tutor.grade(settings, question, answer))


def _allowed(device: str, command: str) -> bool:
    """Whether the student lets the tutor type a command that may change something."""
    return sys.stdin.isatty() and typer.confirm(f"The tutor wants to type `{command}` on {device}. May it?")


def _line(prompt: str, ends: str = "") -> str | None:
    """A line of the student; None at the end of the input."""
    try:
        line = input(prompt)
    except EOFError:
        return None
    return None if ends and line == ends else line
