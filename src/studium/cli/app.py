"""The `studium` command: its flags, its groups, and the one place where an error becomes an exit code."""

import gc
import sys
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from studium import __version__
from studium.cli.console import print_error, say
from studium.cli.options import GlobalOptions
from studium.core.domain.errors import BadInput, MissingPart
from studium.core.features import Ref, all_features

_CODES = ((BadInput, 2), (MissingPart, 3))


def exit_code(error: BaseException) -> int:
    """The exit code for this error."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), 1)


_OWN_COMMANDS = {
    "runs": (Ref("studium.cli.runs:app"), "Show past runs, and what each took and made."),
    "review": (Ref("studium.cli.review:app"), "Show what waits for your decision, and answer it."),
    "serve": (Ref("studium.cli.system:serve"), "Serve the web app and the HTTP API."),
    "mcp": (Ref("studium.cli.system:mcp"), "Serve an assistant over standard input and output."),
    "demo": (Ref("studium.cli.system:demo"), "Run every feature on samples, and serve the app that shows the results."),
    "doctor": (Ref("studium.cli.system:doctor"), "Check what is installed, and say how to install the rest."),
    "graphs": (Ref("studium.cli.system:graphs"), "List the workflow graphs, or draw them."),
}


@cache
def _commands() -> dict[str, tuple[Ref, str]]:
    """Every command by name, with its line in the help."""
    return {each.command or each.name: (each.cli, each.summary) for each in all_features()} | _OWN_COMMANDS


class LazyGroup(TyperGroup):
    """Imports the module of a command when that command is used; `--help` imports none of them."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the name is Click's
        """The names of the commands."""
        return list(_commands())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - likewise
        """The command with this name."""
        if cmd_name not in _commands():
            return None
        ref, summary = _commands()[cmd_name]
        found = ref.load()
        if isinstance(found, typer.Typer):
            found.info.help = summary
            found.rich_markup_mode = None
            command: Any = typer.main.get_group(found)
        else:
            single = typer.Typer(rich_markup_mode=None)
            single.command(cmd_name)(found)
            single.callback()(lambda: None)
            command = typer.main.get_group(single).commands[cmd_name]
        command.name = cmd_name
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - likewise
        """Write the name and the summary of each command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _commands().items()])


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # Typer's boxed help would take longer to load than most commands take to run
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


def _check_encoding(arguments: list[str]) -> None:
    """Refuse a file name that is not text: neither the database nor JSON can hold it."""
    for argument in arguments:
        shown = argument.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        if shown != argument:
            raise BadInput(f"{shown} is not valid UTF-8.", remedy="Rename the file or folder, then name it again.")


def run_app(application: typer.Typer, name: str, arguments: list[str] | None) -> None:
    """Run a command line; an error is printed in plain words and becomes an exit code."""
    # A batch program makes many objects and few cycles: collecting every 700 objects took a third of its time.
    gc.set_threshold(50_000, 20, 50)
    flags = GlobalOptions()
    try:
        _check_encoding(sys.argv[1:] if arguments is None else arguments)
        application(arguments, prog_name=name, obj=flags)
    except Exception as error:  # noqa: BLE001 - the outermost edge: a bare traceback could print a secret
        print_error(error, verbose=flags.verbose)
        sys.exit(exit_code(error))
