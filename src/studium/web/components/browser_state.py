"""State in the browser: the query of the address, and drafts that survive a reload."""

import json

from nicegui import ui

_SET_QUERY = """
const url = new URL(location);
for (const [name, value] of Object.entries(%s)) {
  if (value) url.searchParams.set(name, value);
  else url.searchParams.delete(name);
}
history.replaceState(history.state, "", url);
"""


def query_value(name: str) -> str:
    """A query parameter of the address, as it was when the page was opened."""
    request = ui.context.client.request
    return str(request.query_params.get(name, ""))


def set_query(values: dict[str, object]) -> None:
    """Set query parameters of the address; empty ones are removed."""
    query = {name: "" if value is None else str(value) for name, value in values.items()}
    ui.run_javascript(_SET_QUERY % json.dumps(query))


class BrowserDraft:
    """A text that the browser keeps under a name, also across reloads."""

    def __init__(self, name: str) -> None:
        self._key = json.dumps(f"studium-{name}")
        self._client = ui.context.client

    async def recall(self) -> str:
        """The saved text."""
        return str(await self._client.run_javascript(f"localStorage.getItem({self._key})", timeout=10) or "")

    def keep(self, text: str | None) -> None:
        """Save the text."""
        self._client.run_javascript(f"localStorage.setItem({self._key}, {json.dumps(text or '')})")

    def forget(self) -> None:
        """Delete the text."""
        self._client.run_javascript(f"localStorage.removeItem({self._key})")
