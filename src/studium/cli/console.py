"""What the commands print: tables and text on stdout, JSON for programs, errors on stderr; and the editor."""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import typer

from studium.core.domain.errors import BadInput, Conflict, MissingPart, StudiumError
from studium.core.redaction import redact

_PIECES = 10_000
REPORT_BUG = "This is a fault in Studium. Run the command again with --verbose and report what it prints."


def say(text: str, style: str = "") -> None:
    """Print a line as it is: nothing in it is markup."""
    from rich.console import Console
    from rich.text import Text

    Console().print(Text(text, style), soft_wrap=True)


def show_json(value: Any) -> None:
    """Print a JSON value for a program to read."""
    # Piece by piece: a plan of 15,000 cards is not held in memory as one text.
    pieces = json.JSONEncoder(ensure_ascii=False, indent=2, default=str).iterencode(value)
    while together := "".join(islice(pieces, _PIECES)):
        sys.stdout.write(together)
    sys.stdout.write("\n")


def show_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str | None = None) -> None:
    """Print rows under their headings; a column whose heading starts with `#` holds numbers."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for position, column in enumerate(columns):
        justify: Literal["left", "right"] = "right" if column.startswith("#") else "left"
        table.add_column(column.removeprefix("#"), justify=justify, overflow="fold", no_wrap=position == 0)
    for row in rows:
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    Console().print(table)


def print_error(error: Exception, *, verbose: bool) -> None:
    """Print on stderr what went wrong and what to do about it, without secrets."""
    import traceback

    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True)
    known = isinstance(error, StudiumError)
    what = str(error) if known else f"{type(error).__name__}: {error}"
    if verbose:
        console.print(Text(redact("".join(traceback.format_exception(error))), "dim"), soft_wrap=True)
    console.print(Text.assemble(("Error: ", "bold red"), redact(what)), soft_wrap=True)
    console.print(Text(redact(error.remedy if isinstance(error, StudiumError) else REPORT_BUG)), soft_wrap=True)


@contextmanager
def progress_bar(label: str) -> Iterator[None]:
    """Show how many items of the work in this block are done; nothing if stderr is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from studium.core.domain.run import current_context, use_context

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label, total=None)

        def show(kind: str, data: dict[str, Any]) -> None:
            if kind == "progress":
                bar.update(task, completed=data["done"], total=data["total"], description=f"{label} {data['item']}")

        with use_context(replace(current_context(), on_event=show)):
            yield


def edit_yaml(text: str, save: Callable[[dict[str, Any]], None], *, may_ask: bool) -> bool:
    """Open YAML in the user's editor until the result can be saved; False if nothing was changed."""
    from studium.core.runs.review_text import parse_yaml

    before = text
    while (text := _in_editor(text)) != before:
        try:
            save(parse_yaml(text))
        except Conflict:
            raise
        except BadInput as mistake:
            if not may_ask:
                raise
            say(str(mistake), "red")
            if not typer.confirm("Edit again?", default=True):
                raise
        else:
            return True
    return False


def _in_editor(text: str) -> str:
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "proposal.yaml")
        path.write_text(text, "utf-8")
        try:
            subprocess.run([*command, str(path)], check=True)  # noqa: S603 - the person's own editor
        except FileNotFoundError as error:
            raise MissingPart(f"The editor {command[0]} is not installed.", remedy="export EDITOR=nano") from error
        except subprocess.CalledProcessError as error:
            raise BadInput(
                f"The editor {command[0]} ended with {error.returncode}; nothing was saved.",
                remedy="Try again, or set EDITOR to another editor.",
            ) from error
        return path.read_text("utf-8")
