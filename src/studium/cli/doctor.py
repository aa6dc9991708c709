"""`studium doctor`: which real parts are there, which are not, and what starts them."""

import typer

from studium.cli.console import say, show_json
from studium.cli.flags import AsJson, settings_for

_MARKS = {"there": "✓", "absent": "-", "broken": "✗"}


def doctor(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Say which real parts are there, and the command that starts or installs each of the others."""
    from dataclasses import asdict

    from studium.faculties.premises import parts as examine

    parts = examine(settings_for(context))
    if as_json:
        show_json([asdict(part) for part in parts])
    else:
        for part in parts:
            say(f"{_MARKS[part.state]} {part.name:<13} {part.detail}", "red" if part.state == "broken" else "")
            if part.remedy:
                say(f"  {'':<13} → {part.remedy}", "dim")
    if any(part.state == "broken" for part in parts):
        raise typer.Exit(3)
