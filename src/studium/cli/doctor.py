"""`studium doctor`: which real parts are there, which are not, and what starts them."""

from typing import TYPE_CHECKING

import typer

from studium.cli.console import say, show_json
from studium.cli.flags import AsJson, settings_for

if TYPE_CHECKING:
    from studium.doctor import Premises
    from studium.settings import Settings

_MARKS = {"there": "✓", "absent": "-", "broken": "✗"}


def doctor(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Say which real parts are there, and the command that starts or installs each of the others."""
    from dataclasses import asdict

    from studium.doctor import examine

    parts = examine(_premises(settings_for(context)))
    if as_json:
        show_json([asdict(part) for part in parts])
    else:
        for part in parts:
            say(f"{_MARKS[part.state]} {part.name:<13} {part.detail}", "red" if part.state == "broken" else "")
            if part.remedy:
                say(f"  {'':<13} → {part.remedy}", "dim")
    if any(part.state == "broken" for part in parts):
        raise typer.Exit(3)


def _premises(settings: "Settings") -> "Premises":
    from studium.doctor import Premises

    roles = settings.roles
    named = {roles.default, *vars(roles.cards).values(), *vars(roles.questions).values(), settings.embedder} - {None}
    addresses = {name: model.base_url for name, model in settings.models.items()}
    addresses[settings.embedder] = settings.embedder_base_url
    return Premises(
        home=settings.home,
        ledger_url=settings.ledger_url,
        models=frozenset(name for name in named if name and ":" in name),
        embedder=settings.embedder,
        addresses=tuple((name, url) for name, url in addresses.items() if url),
    )
