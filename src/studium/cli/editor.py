"""Editing a value as YAML in the learner's own editor."""

import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from studium.cli.console import say
from studium.core.domain.errors import BadInput, Conflict, MissingPart
from studium.core.runs.review_text import parse_yaml


def edit_yaml(text: str, take: Callable[[dict[str, Any]], None], *, may_ask: bool) -> bool:
    """Let the person edit until the result is taken; False if nothing was changed."""
    before = text
    while (text := _in_editor(text)) != before:
        try:
            take(parse_yaml(text))
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
            raise BadInput(f"The editor {command[0]} ended with {error.returncode}; nothing was taken.") from error
        return path.read_text("utf-8")
