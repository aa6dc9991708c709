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


def query_value(name: str) -> str:
    """What the address said under this name when the page was opened."""
    request = ui.context.client.request
    return str(request.query_params.get(name, ""))


def set_query(said: dict[str, object]) -> None:
    """Say this in the address too; what is nothing is left out of it."""
    told = {name: "" if value is None else str(value) for name, value in said.items()}
    ui.run_javascript(_KEEP % json.dumps(told))


class BrowserDraft:
    """One text under one name; it survives a reload, and whatever else happens to the page."""

    def __init__(self, name: str) -> None:
        self._key = json.dumps(f"studium-{name}")
        self._client = ui.context.client

    async def recall(self) -> str:
        """What was typed before."""
        return str(await self._client.run_javascript(f"localStorage.getItem({self._key})", timeout=10) or "")

    def keep(self, text: str | None) -> None:
        """Keep what is typed by now."""
        self._client.run_javascript(f"localStorage.setItem({self._key}, {json.dumps(text or '')})")

    def forget(self) -> None:
        """It was taken."""
        self._client.run_javascript(f"localStorage.removeItem({self._key})")
