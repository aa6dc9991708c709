r"""Renders the Markdown of a card as the HTML that Anki shows, with its media and a link to its note.

What does $x^2$ mean in [[Algebra]]?   ->   What does \(x^2\) mean in <a href="obsidian://…">Algebra</a>?
"""

import re
from html import escape, unescape
from urllib.parse import unquote

from studium.anki.escaping import (
    escape_cloze_marks_in_tags,
    escape_code_in_cloze,
    escape_commands,
    escape_macros,
    escape_maths_in_cloze,
)
from studium.anki.markdown import EMBED, highlight_code, render_callouts, safe_html
from studium.anki.media import IMAGES, PLAYABLE, MediaLibrary, suffix_of
from studium.anki.note_types import SOURCE_FIELD, note_type_fields
from studium.anki.store import ID_FIELD, MediaFile, RenderedCard
from studium.cards.models import ProposedCard
from studium.core.documents.vault import Vault
from studium.core.domain.finding import Finding, Locator, Severity

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SIZE = re.compile(r"(\d{1,4})(?:x(\d{1,4}))?")
_ATTRIBUTE = re.compile(r'(?<![a-z-])([a-z-]++)="([^"]*)"')


class LinkRenderer:
    """Renders the links and embeds of one card, and collects their media and findings."""

    def __init__(self, vault: Vault, library: MediaLibrary, note_path: str) -> None:
        self._vault, self._library, self._note = vault, library, vault.relative(note_path)
        self._note_path = note_path
        self.media: dict[str, MediaFile] = {}
        self.findings: list[Finding] = []

    def link(self, href: str | None, label: str) -> str:
        """A Markdown link; a link that leads nowhere becomes its text."""
        if href is None:
            return label
        address = unescape(href)
        if address.startswith("#fn"):  # a card is one page, so the number of a footnote is enough
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
        return self._to_vault(target, escape(_link_title(target)) if plain else label)

    def image(self, tag: str) -> str:
        """A Markdown or HTML picture: `![alt|300](pic.png)`, `<img src="pic.png" width="300">`."""
        given = {name: unescape(value) for name, value in _ATTRIBUTE.findall(tag)}
        alt, _, size = given.get("alt", "").rpartition("|")
        if not _SIZE.fullmatch(size):
            alt, size = given.get("alt", ""), ""
        source = given.get("src")
        if source is None:
            self._find("media.outside", f"A picture ({alt or 'without a name'}) has an address that cannot be used.")
            return _missing_file_html(alt)
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
        """What `![[…]]` shows: media, or a link to any other file."""
        file = target.partition("#")[0]
        if suffix_of(file) in IMAGES | PLAYABLE:
            sized = _SIZE.fullmatch(label)
            alt = label if not sized and label != target else file.rpartition("/")[2].rpartition(".")[0]
            return self._media(file, alt, label if sized else "")
        return self._to_vault(target, escape(label if label != target else _link_title(target)))

    def _media(self, target: str, alt: str, size: str) -> str:
        file = self._vault.resolve(target, self._note)
        if file is None:
            self._find_unresolved(target)
            return _missing_file_html(target.rpartition("/")[2])
        taken = self._library.take(self._vault.path(file))
        if isinstance(taken, Finding):
            self._find(taken.code, taken.message)
            return _missing_file_html(target.rpartition("/")[2])
        self.media[taken.name] = taken
        return f"[sound:{taken.name}]" if suffix_of(taken.name) in PLAYABLE else _picture(taken.name, alt, size)

    def _find_unresolved(self, target: str) -> None:
        if self._vault.leads_outside(target, self._note):
            self._find("media.outside", f"{target} is outside the vault and was not read; move it into the vault.")
        else:
            self._find("media.missing", f"{target} is not in the vault; add the file or correct the link.")

    def _find(self, code: str, message: str) -> None:
        where = Locator(path=self._note_path)
        self.findings.append(Finding(code=code, severity=Severity.WARNING, message=message, where=where))


def _decoded(address: str) -> str:
    return unquote(address) if "%" in address else address


def _link_title(target: str) -> str:
    """How Obsidian shows a link without an alias: `Note > Heading`."""
    return " > ".join(part for part in target.split("#") if part)


def _picture(source: str, alt: str, size: str) -> str:
    sized = _SIZE.fullmatch(size)
    sizes = zip(("width", "height"), sized.groups() if sized else (), strict=False)
    measures = "".join(f' {name}="{value}"' for name, value in sizes if value)
    return f'<img src="{escape(source)}" alt="{escape(alt)}"{measures}>'


def _missing_file_html(name: str) -> str:
    return f'<span class="missing">{escape(name)}</span>'


_CLOZE = re.compile(r"\{\{c\d+::")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
# A list has one direction as a whole, or its bullets would be on the wrong side.
_BLOCK = re.compile(r"<(p|h[1-6]|ul|ol|td|th|dd|dt|summary)(?=[ >])(?![^<>]* dir=)")
# Cleaned HTML has one spelling for each tag, and no `<` or `>` in attributes.
_MARKED = re.compile(
    r'<(?:code(?: class="(?P<kind>[^"<>]*)")?>(?P<code>[^<]*)</code>'
    r'|span data-math-style="(?P<style>inline|display)">(?P<maths>[^<]*)</span>'
    r'|a href="(?P<wiki>[^"<>]*)" data-wikilink="true">(?P<name>[^<]*)</a>'
    r'|a(?: [^<>]*?href="(?P<href>[^"<>]*)")?[^<>]*>(?P<label>(?:[^<]|<(?!/?a[ >]))*)</a>'
    r"|(?P<image>img(?: [^<>]*)?>))"
)


class CardRenderer:
    """Renders the cards of one vault."""

    def __init__(self, vault: Vault, library: MediaLibrary | None = None) -> None:
        self._vault, self._library = vault, library or MediaLibrary()

    def render(self, card: ProposedCard, *, note_path: str, heading: str = "", card_id: str) -> RenderedCard:
        """Render a card; our own note types also get the link to the note and our id."""
        linker = LinkRenderer(self._vault, self._library, note_path)
        fields = {name: _field(markdown, linker) for name, markdown in card.fields.items()}
        if ours := note_type_fields(card.model_name):
            fields = dict.fromkeys(ours, "") | fields
            fields |= {SOURCE_FIELD: self._source(note_path, heading), ID_FIELD: card_id}
        return RenderedCard(
            note_type=card.model_name,
            fields=fields,
            media=tuple(linker.media.values()),
            findings=tuple(linker.findings),
        )

    def _source(self, note_path: str, heading: str) -> str:
        file = self._vault.relative(note_path)
        title = file.rpartition("/")[2].removesuffix(".md")
        return f'<a href="{escape(self._vault.link(file, heading))}">{escape(title)}</a>'


def _field(markdown: str, linker: LinkRenderer) -> str:
    if not markdown:
        return ""
    clozes = bool(_CLOZE.search(markdown))
    html = escape_macros(safe_html(markdown, clozes=clozes).strip())
    html = _finished(html, linker, clozes=clozes)
    if "[!" in html:
        html = render_callouts(html)
    html = escape_commands(html)
    if clozes:
        html = escape_cloze_marks_in_tags(html)
    if _RIGHT_TO_LEFT.search(html):
        return _BLOCK.sub(r'<\1 dir="auto"', html)
    return _without_lone_paragraph(html)


def _finished(html: str, linker: LinkRenderer, *, clozes: bool) -> str:
    """The cleaned HTML with highlighted code, formulas in Anki's brackets, and rendered links and embeds."""

    def finish(found: re.Match[str]) -> str:
        if (code := found["code"]) is not None:
            return _code(code, found["kind"], clozes=clozes)
        if found["style"]:
            tex = escape_maths_in_cloze(found["maths"]) if clozes else found["maths"]
            return rf"\({tex}\)" if found["style"] == "inline" else rf"\[{tex.strip()}\]"
        if (wiki := found["wiki"]) is not None:
            return linker.wikilink(wiki, found["name"])
        if (label := found["label"]) is not None:
            return linker.link(found["href"], _MARKED.sub(finish, label))
        return linker.image(found["image"])

    finished = _MARKED.sub(finish, html)
    return finished.replace(f"[[{EMBED}", "![[") if EMBED in finished else finished  # in code it is not an embed


def _code(code: str, kind: str | None, *, clozes: bool) -> str:
    if clozes:
        code = escape_code_in_cloze(code)
    elif kind:
        code = highlight_code(code, kind.removeprefix("language-"))
    return f'<code class="{kind}">{code}</code>' if kind else f"<code>{code}</code>"


def _without_lone_paragraph(html: str) -> str:
    """Drop the `<p>` of a single paragraph, as a person would type it into Anki."""
    alone = html.startswith("<p>") and html.find("</p>") == len(html) - len("</p>")
    return html[len("<p>") : -len("</p>")] if alone else html
