r"""A card's Markdown becomes the HTML that Anki shows, the media it needs, and a link back to its note.

What does $x^2$ mean in [[Algebra]]?   ->   What does \(x^2\) mean in <a href="obsidian://…">Algebra</a>?
"""

import re
from html import escape

from studium.domain.anki import ID_FIELD, RenderedCard
from studium.domain.card import ProposedCard
from studium.domain.vault import Vault
from studium.stores.anki.notetypes import SOURCE_FIELD, fields_of
from studium.stores.anki.rendering.callouts import with_callouts
from studium.stores.anki.rendering.defusing import (
    code_in_cloze,
    maths_in_cloze,
    whole_clozes,
    without_commands,
    without_macros,
)
from studium.stores.anki.rendering.highlighting import highlighted
from studium.stores.anki.rendering.linking import Linker
from studium.stores.anki.rendering.markdown import EMBED, safe_html
from studium.stores.anki.rendering.media import Shelf

_CLOZE = re.compile(r"\{\{c\d+::")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
# A list is one direction, or its bullets would stand on the wrong side of it.
_BLOCK = re.compile(r"<(p|h[1-6]|ul|ol|td|th|dd|dt|summary)(?=[ >])(?![^>]* dir=)")
# The cleaned HTML has one spelling for each tag, and no `<` or `>` in any attribute.
_MARKED = re.compile(
    r'<(?:code(?: class="(?P<kind>[^"]*)")?>(?P<code>[^<]*)</code>'
    r'|span data-math-style="(?P<style>inline|display)">(?P<maths>[^<]*)</span>'
    r'|a href="(?P<wiki>[^"]*)" data-wikilink="true">(?P<name>[^<]*)</a>'
    r'|a(?: [^>]*?href="(?P<href>[^"]*)")?[^>]*>(?P<label>(?:[^<]|<(?!/?a[ >]))*)</a>'
    r"|(?P<image>img(?: [^>]*)?>))"
)


class Renderer:
    """Renders the cards of one vault."""

    def __init__(self, vault: Vault, shelf: Shelf | None = None) -> None:
        self._vault, self._shelf = vault, shelf or Shelf()

    def render(self, card: ProposedCard, *, note_path: str, heading: str = "", card_id: str) -> RenderedCard:
        """The card as Anki shows it; a note type of ours also gets the link back and our id."""
        linker = Linker(self._vault, self._shelf, note_path)
        fields = {name: _field(markdown, linker) for name, markdown in card.fields.items()}
        if ours := fields_of(card.model_name):
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


def _field(markdown: str, linker: Linker) -> str:
    if not markdown:
        return ""
    clozes = bool(_CLOZE.search(markdown))
    html = without_macros(safe_html(markdown, clozes=clozes).strip())
    html = _finished(html, linker, clozes=clozes)
    if "[!" in html:
        html = with_callouts(html)
    html = without_commands(html)
    if clozes:
        html = whole_clozes(html)
    if _RIGHT_TO_LEFT.search(html):
        return _BLOCK.sub(r'<\1 dir="auto"', html)
    return _without_lone_paragraph(html)


def _finished(html: str, linker: Linker, *, clozes: bool) -> str:
    """The cleaned HTML with code coloured, formulas in Anki's brackets, links and embeds in their places."""

    def finish(found: re.Match[str]) -> str:
        if (code := found["code"]) is not None:
            return _code(code, found["kind"], clozes=clozes)
        if found["style"]:
            tex = maths_in_cloze(found["maths"]) if clozes else found["maths"]
            return rf"\({tex}\)" if found["style"] == "inline" else rf"\[{tex.strip()}\]"
        if (wiki := found["wiki"]) is not None:
            return linker.wikilink(wiki, found["name"])
        if (label := found["label"]) is not None:
            return linker.link(found["href"], _MARKED.sub(finish, label))
        return linker.image(found["image"])

    finished = _MARKED.sub(finish, html)
    return finished.replace(f"[[{EMBED}", "![[") if EMBED in finished else finished  # in code it was no embed


def _code(code: str, kind: str | None, *, clozes: bool) -> str:
    if clozes:
        code = code_in_cloze(code)
    elif kind:
        code = highlighted(code, kind.removeprefix("language-"))
    return f'<code class="{kind}">{code}</code>' if kind else f"<code>{code}</code>"


def _without_lone_paragraph(html: str) -> str:
    """A text of one paragraph as a person would type it into Anki."""
    alone = html.startswith("<p>") and html.find("</p>") == len(html) - len("</p>")
    return html[len("<p>") : -len("</p>")] if alone else html
