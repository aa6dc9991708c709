"""The links of a card that lead nowhere in the vault: the file or the heading is gone."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from html import unescape
from urllib.parse import parse_qs, urlsplit

from studium.domain.vault import Vault

_ADDRESS = re.compile(r'href="(obsidian://open\?[^"]+)"')


class LinkCheck:
    """Checks links into one vault; `headings` are those of a note, or None of a file that is no note that was read."""

    def __init__(self, vault: Vault, headings: Callable[[str], Collection[str] | None]) -> None:
        self._vault, self._headings = vault, headings
        self._files = frozenset(vault.files)

    def dead(self, fields: Mapping[str, str]) -> Iterator[str]:
        """What to say of each link of a card that leads nowhere, once."""
        addresses = {unescape(found) for html in fields.values() for found in _ADDRESS.findall(html)}
        for address in sorted(addresses):
            if fault := self._fault(address):
                yield fault

    def _fault(self, address: str) -> str | None:
        asked = parse_qs(urlsplit(address).query)
        if asked.get("vault") != [self._vault.name] or "file" not in asked:
            return None
        path, _, anchor = asked["file"][0].partition("#")
        file = next((name for name in (f"{path}.md", path) if name in self._files), None)
        if file is None:
            return f"Its link to “{path}” leads nowhere: the note was moved, renamed or removed."
        if anchor and not anchor.startswith("^") and not self._has_heading(file, anchor):
            return f"Its link to “{path}” leads to a heading that is gone: “{anchor}”."
        return None

    def _has_heading(self, file: str, anchor: str) -> bool:
        """Whether a note has a heading that is addressed so; `A#B` is addressed as `A B`."""
        headings = self._headings(file)
        if headings is None:
            return True
        addressed = (self._anchor(file, heading) for heading in headings)
        return any(anchor == each or anchor.endswith(f" {each}") for each in addressed if each)

    def _anchor(self, file: str, heading: str) -> str:
        return parse_qs(urlsplit(self._vault.link(file, heading)).query)["file"][0].partition("#")[2]
