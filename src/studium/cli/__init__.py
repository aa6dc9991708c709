"""The command line: parse, call, present."""

from studium.cli.app import main

__all__ = ["main"]
