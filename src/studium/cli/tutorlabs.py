"""`studium tutor lab`: labs on this machine, brought up, checked and taken down."""

from pathlib import Path
from typing import Annotated

import typer

from studium.cli import tutortelling
from studium.cli.console import say
from studium.cli.flags import AsJson, settings_for
from studium.faculties import labs

app = typer.Typer(help="Bring labs up on this machine, check them, take them down.", no_args_is_help=True)

Lab = Annotated[str, typer.Argument(help="The lab's id, or as much of it as is unique.")]


@app.command("list")
def list_(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List the labs, and which of them are up."""
    tutortelling.tell_labs(labs.labs(settings_for(context)), as_json=as_json)


@app.command()
def up(context: typer.Context, lab: Lab) -> None:
    """Bring a lab up: routers in namespaces of this machine, with the lab's starting configuration."""
    live, seconds = labs.lab_up(settings_for(context), lab)
    say(f"{live.lab.title} is up ({seconds:.1f} s).")
    say(live.lab.goal)
    routers = ", ".join(device.name for device in live.lab.devices)
    say(f"\nstudium tutor console {live.lab.id} r1 opens a router; there are {routers}.", "dim")


@app.command()
def down(context: typer.Context, lab: Lab) -> None:
    """Take a lab down; only what is ours goes."""
    labs.lab_down(settings_for(context), lab)
    say("The lab is down.")


@app.command()
def reset(context: typer.Context, lab: Lab) -> None:
    """Give every router its starting configuration again."""
    labs.reset_lab(settings_for(context), lab)
    say("Every router is as it was at the start.")


@app.command()
def restart(
    context: typer.Context, lab: Lab, device: Annotated[str, typer.Argument(help="Which router, as in r1.")]
) -> None:
    """Start a router that died anew, with the configuration it had last saved."""
    labs.restart_device(settings_for(context), lab, device)
    say(f"{device} is up again.")


@app.command()
def check(
    context: typer.Context,
    lab: Lab,
    *,
    replay: Annotated[Path | None, typer.Option(help="Check a console recording instead of devices.")] = None,
    patience: Annotated[float, typer.Option(min=0, help="Seconds to wait for routers to tell each other.")] = 5.0,
    as_json: AsJson = False,
) -> None:
    """Say which goals of a lab are reached, and what is missing."""
    results = labs.check_lab(settings_for(context), lab, patience, replay)
    tutortelling.tell_checks(results, as_json=as_json)
    if not all(each.holds for each in results):
        raise typer.Exit(1)
