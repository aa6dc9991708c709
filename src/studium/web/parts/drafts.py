"""Drafts: words that a person is typing, kept in the browser until they are taken."""

import json

from nicegui import ui


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
