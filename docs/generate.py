#!/usr/bin/env python3
"""Writes the pages that are made from the code: configuration.md, cli.md, graphs.md; `--check` only compares."""

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

DOCS = Path(__file__).resolve().parent
MADE = "<!-- Made by docs/generate.py; change the code, then run `make docs`. -->\n"
WIDTH = 88


def configuration() -> str:
    """Every setting, with its type, its default and its meaning."""
    from studium.core.config import Settings

    head = """# Configuration

Settings come from three places; the later wins over the earlier:

1. `studium.yaml`: the file given with `--config`, else by `STUDIUM_CONFIG`, else `./studium.yaml`, else `studium.yaml`
   in the home folder.
2. Variables: `STUDIUM_` and the key in capitals, its parts joined by two underscores (`STUDIUM_ROLES__DEFAULT=rules`).
3. Flags: `--set roles.default=ollama:qwen3:14b`, as often as you like; also `--home`, `--log-level`, `--log-json`.

In variables and flags, `null` means no value and `{…}` or `[…]` is read as YAML. A part of a key that has dots in
it is quoted: `--set 'models."openai:gpt-4.1".timeout=30'`. An unknown key is refused, with the nearest valid key and
its line. The setting `database` was once called `ledger`; that name is still accepted.

```yaml
roles:
  default: ollama:qwen3:14b
  questions:
    validator: rules
models:
  ollama:qwen3:14b:
    temperature: 0.2
    max_tokens: 1024
budget:
  calls: 500
```
"""
    return "\n".join([head, *_sections(Settings, "")])


def _sections(section: Any, above: str) -> Iterator[str]:
    """A table of the section's own keys, then one of each section inside it."""
    from studium.core.config.loader import section_of

    rows, inside = [], []
    for name, field in section.model_fields.items():
        key = above + (field.alias or name)
        inner = section_of(field.annotation)
        if inner:
            inside.append((inner, f"{key}.NAME." if get_origin(field.annotation) is dict else f"{key}.", field))
        else:
            meaning = field.description or ""
            rows.append(f"| `{key}` | {_type(field.annotation)} | {_default(field)} | {meaning} |")
    if rows:
        yield "\n".join(["| key | value | default | meaning |", "|---|---|---|---|", *rows, ""])
    for inner, prefix, field in inside:
        yield f"## {prefix.removesuffix('.')}\n\n{field.description or inner.__doc__}\n"
        yield from _sections(inner, prefix)


def _type(annotation: Any) -> str:
    names = {str: "text", int: "whole number", float: "number", bool: "true or false", Path: "folder"}
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(annotation))
    if get_origin(annotation) in (Union, UnionType):
        return " or ".join(_type(each) for each in get_args(annotation) if each is not type(None))
    if hasattr(annotation, "__metadata__"):
        return _type(annotation.__origin__)
    if get_origin(annotation) is tuple:
        return f"list of {_type(get_args(annotation)[0])}s"
    return names.get(annotation, "secret text")


def _default(field: Any) -> str:
    if field.is_required():
        return "needed"
    if field.default_factory:
        return "see right"
    if field.default is None:
        return "none"
    if isinstance(field.default, str | Path):
        return f"`{field.default}`" if field.default != "" else "empty"
    return f"`{json.dumps(field.default)}`"


def cli() -> str:
    """What `--help` says of every command."""
    from typer.main import get_command

    from studium.cli.app import app

    return "# Commands\n\n" + "\n".join(_helps(get_command(app), "studium"))


def _helps(command: Any, path: str, above: Any = None) -> Iterator[str]:
    context = command.make_context(path, [], above, resilient_parsing=True, terminal_width=WIDTH, color=False)
    level = "##" if above is None else "##" + "#" * context.parent.command_path.count(" ") + "#"
    text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    yield f"{level} {context.command_path}\n\n```text\n{text}\n```\n"
    for name in command.list_commands(context) if hasattr(command, "list_commands") else ():
        yield from _helps(command.get_command(context, name), name, context)


def graphs() -> str:
    """The workflow graphs as they are built."""
    from studium.app.graphs import graphs_to_draw as built
    from studium.cli.system import render_mermaid

    return "# Graphs\n\nDrawn from the graphs themselves (`studium graphs --mermaid`).\n\n" + render_mermaid(built())


def main() -> None:
    """Write the pages, or with `--check` say which of them are stale."""
    pages = {}
    with tempfile.TemporaryDirectory() as home:
        # The pages show the product, not the settings of whoever makes them.
        os.environ["STUDIUM_HOME"] = home
        os.chdir(home)
        for make in (configuration, cli, graphs):
            pages[DOCS / f"{make.__name__}.md"] = MADE + "\n" + make()
        os.chdir(DOCS)
    if "--check" not in sys.argv:
        for path, text in pages.items():
            path.write_text(text, "utf-8")
        return
    stale = [path.name for path, text in pages.items() if not path.exists() or path.read_text("utf-8") != text]
    if stale:
        sys.exit(f"stale: {', '.join(stale)}; run `make docs`")


if __name__ == "__main__":
    main()
