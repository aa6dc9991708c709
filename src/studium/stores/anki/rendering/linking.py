"""Links and embeds of a note: into the vault by Obsidian's address, pictures and sounds by their name in Anki."""

import re
from html import escape, unescape
from urllib.parse import unquote

from studium.core.domain.finding import Finding, Locator, Severity
from studium.domain.anki import MediaFile
from studium.domain.vault import Vault
from studium.stores.anki.rendering.markdown import EMBED
from studium.stores.anki.rendering.media import IMAGES, PLAYED, Shelf, suffix_of

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SIZE = re.compile(r"(\d{1,4})(?:x(\d{1,4}))?")
_ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')


class Linker:
    """Writes the links and embeds of one card, and gathers the media they need and what was wrong with them."""

    def __init__(self, vault: Vault, shelf: Shelf, note_path: str) -> None:
        self._vault, self._shelf, self._note = vault, shelf, vault.relative(note_path)
        self._note_path = note_path
        self.media: dict[str, MediaFile] = {}
        self.findings: list[Finding] = []

    def link(self, href: str | None, label: str) -> str:
        """A link of the Markdown kind; what it shows stays, also where it leads nowhere."""
        if href is None:
            return label
        address = unescape(href)
        if address.startswith("#fn"):  # footnotes: a card is one page, so their numbers suffice
            return "" if address.startswith("#fnref-") else label
        if _SCHEME.match(address):
            return f'<a href="{href}">{label}</a>'
        return self._to_vault(_decoded(address), label)

    def wikilink(self, href: str, label: str) -> str:
        """A link or an embed in double brackets."""
        target = _decoded(unescape(href))
        if target.startswith(EMBED):
            return self._embed(target.removeprefix(EMBED), unescape(label).removeprefix(EMBED))
        plain = unescape(label) == target
        return self._to_vault(target, escape(_spoken(target)) if plain else label)

    def image(self, tag: str) -> str:
        """A picture of the Markdown or the HTML kind: `![alt|300](pic.png)`, `<img src="pic.png" width="300">`."""
        given = {name: unescape(value) for name, value in _ATTRIBUTE.findall(tag)}
        alt, _, size = given.get("alt", "").rpartition("|")
        if not _SIZE.fullmatch(size):
            alt, size = given.get("alt", ""), ""
        source = given.get("src")
        if source is None:
            self._find("media.outside", f"A picture ({alt or 'without a name'}) has an address that cannot be shown.")
            return _missing(alt)
        width = size or "x".join(value for name in ("width", "height") if (value := given.get(name)))
        if _SCHEME.match(source):
            return _picture(source, alt, width)
        return self._media(_decoded(source), alt, width)

    def _to_vault(self, target: str, label: str) -> str:
        file = self._vault.resolve(target, self._note)
        if file is None:
            return label
        return f'<a href="{escape(self._vault.link(file, target.partition("#")[2]))}">{label}</a>'

    def _embed(self, target: str, label: str) -> str:
        """What `![[…]]` shows: media itself, and of a note or any other file the link to it."""
        file = target.partition("#")[0]
        if suffix_of(file) in IMAGES | PLAYED:
            sized = _SIZE.fullmatch(label)
            alt = label if not sized and label != target else file.rpartition("/")[2].rpartition(".")[0]
            return self._media(file, alt, label if sized else "")
        return self._to_vault(target, escape(label if label != target else _spoken(target)))

    def _media(self, target: str, alt: str, size: str) -> str:
        file = self._vault.resolve(target, self._note)
        if file is None:
            self._find_unresolved(target)
            return _missing(target.rpartition("/")[2])
        taken = self._shelf.take(self._vault.path(file))
        if isinstance(taken, Finding):
            self._find(taken.code, taken.message)
            return _missing(target.rpartition("/")[2])
        self.media[taken.name] = taken
        return f"[sound:{taken.name}]" if suffix_of(taken.name) in PLAYED else _picture(taken.name, alt, size)

    def _find_unresolved(self, target: str) -> None:
        if self._vault.leads_outside(target, self._note):
            self._find("media.outside", f"{target} lies outside the vault and was not read; move it into the vault.")
        else:
            self._find("media.missing", f"{target} is not in the vault; add the file or correct the link.")

    def _find(self, code: str, message: str) -> None:
        where = Locator(path=self._note_path)
        self.findings.append(Finding(code=code, severity=Severity.WARNING, message=message, where=where))


def _decoded(address: str) -> str:
    return unquote(address) if "%" in address else address


def _spoken(target: str) -> str:
    """How Obsidian shows a link without an alias: `Note > Heading`."""
    return " > ".join(part for part in target.split("#") if part)


def _picture(source: str, alt: str, size: str) -> str:
    sized = _SIZE.fullmatch(size)
    sizes = zip(("width", "height"), sized.groups() if sized else (), strict=False)
    measures = "".join(f' {name}="{value}"' for name, value in sizes if value)
    return f'<img src="{escape(source)}" alt="{escape(alt)}"{measures}>'


def _missing(name: str) -> str:
    return f'<span class="missing">{escape(name)}</span>'
