"""The options that all commands share, and the settings they lead to."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.core.database import Database


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Write nothing; show what would be written.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue the unfinished run of the same command.")]
FailOnReview = Annotated[bool, typer.Option("--fail-on-review", help="Exit with 1 if anything waits for review.")]


@dataclass
class GlobalOptions:
    """The options given before the name of the command."""

    config: Path | None = None
    overrides: tuple[str, ...] = ()
    verbose: bool = False


def settings_for(context: typer.Context) -> "Settings":
    """The settings of this command; logs and tracing are set up as they say."""
    from studium.core.config import load_settings
    from studium.core.files import secure_home
    from studium.core.telemetry import configure_logging

    flags = context.ensure_object(GlobalOptions)
    settings = load_settings(flags.config, flags.overrides)
    configure_logging(settings.logs.level, json=settings.logs.json_lines)
    if settings.tracing.otel:
        from studium.core.telemetry import enable_tracing

        enable_tracing(settings.tracing.endpoint)
    secure_home(settings.home)
    return settings


def database_for(context: typer.Context) -> "Database":
    """The database alone, for commands that need no model."""
    from studium.core.database import Database

    database = Database.open(settings_for(context).database_url)
    context.call_on_close(database.close)
    return database
