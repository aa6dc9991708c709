"""What is looked at on a page, kept in its address, so that a reload or the way back finds it again."""

import json

from nicegui import ui

_KEEP = """
const url = new URL(location);
for (const [name, value] of Object.entries(%s)) {
  if (value) url.searchParams.set(name, value);
  else url.searchParams.delete(name);
}
history.replaceState(history.state, "", url);
"""


def in_address(name: str) -> str:
    """What the address said under this name when the page was opened."""
    request = ui.context.client.request
    return str(request.query_params.get(name, ""))


def keep_in_address(said: dict[str, object]) -> None:
    """Say this in the address too; what is nothing is left out of it."""
    told = {name: "" if value is None else str(value) for name, value in said.items()}
    ui.run_javascript(_KEEP % json.dumps(told))
