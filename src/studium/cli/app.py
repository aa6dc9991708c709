"""The `studium` command: its flags, its groups, and the one place where an error becomes an exit code."""

import gc
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal

import typer

from studium import __version__
from studium.cli.console import print_error, say
from studium.cli.options import GlobalOptions
from studium.core.domain.errors import BadInput, MissingPart

_CODES = ((BadInput, 2), (MissingPart, 3))


def exit_code(error: BaseException) -> int:
    """The code that a program sees when this ended the command."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), 1)


app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # Typer's boxed help would take longer to load than most commands take to run
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _module, _attribute, _name in (
    ("studium.cards.cli", "app", "cards"),
    ("studium.questions.cli", "app", "questions"),
    ("studium.vocabulary.cli", "app", "vocab"),
    ("studium.concepts.cli", "app", "concepts"),
    ("studium.tutor.cli", "app", "tutor"),
    ("studium.cli.runs", "app", "runs"),
    ("studium.cli.review", "app", "review"),
    ("studium.cli.serve", "serve", "serve"),
    ("studium.cli.serve", "mcp", "mcp"),
    ("studium.cli.serve", "demo", "demo"),
    ("studium.cli.system", "doctor", "doctor"),
    ("studium.cli.system", "graphs", "graphs"),
):
    _found = getattr(import_module(_module), _attribute)
    if isinstance(_found, typer.Typer):
        app.add_typer(_found, name=_name)
    else:
        app.command(_name)(_found)


def _show_version(asked: bool) -> None:
    if asked:
        say(f"studium {__version__}")
        raise typer.Exit


@app.callback()
def studium(
    context: typer.Context,
    *,
    config: Annotated[Path | None, typer.Option(help="Settings file, instead of ./studium.yaml.")] = None,
    home: Annotated[Path | None, typer.Option(help="Where Studium keeps everything.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="One setting.")] = None,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"] | None, typer.Option(help="Which log lines to show.")
    ] = None,
    log_json: Annotated[bool, typer.Option("--log-json", help="Log in JSON lines.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show all log lines, and tracebacks.")] = False,
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Turn what you read, hear and configure into study material that has been checked against its source."""
    given = {
        "home": home,
        "logs.level": log_level or ("debug" if verbose else None),
        "logs.json": "true" if log_json else None,
    }
    flags = context.ensure_object(GlobalOptions)
    flags.config = config
    flags.overrides = (*(f"{key}={value}" for key, value in given.items() if value is not None), *(set_ or ()))
    flags.verbose = verbose


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    run_app(app, "studium", arguments)


def run_app(application: typer.Typer, name: str, arguments: list[str] | None) -> None:
    """Run a command line; whatever ends it is told in plain words and becomes an exit code."""
    # A batch program makes many objects and few cycles: looking for cycles every 700 objects took a third of its time.
    gc.set_threshold(50_000, 20, 50)
    flags = GlobalOptions()
    try:
        application(arguments, prog_name=name, obj=flags)
    except Exception as error:  # noqa: BLE001 - the outermost edge: a bare traceback could print a secret
        print_error(error, verbose=flags.verbose)
        sys.exit(exit_code(error))
