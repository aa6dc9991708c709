"""What can be wrong with a card in Anki, each as a finding."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from html import unescape
from urllib.parse import parse_qs, urlsplit

from studium.anki.note_types import CLOZE, SOURCE_FIELD
from studium.anki.store import ID_FIELD, AnkiNote
from studium.cards.card_specs import CardSpec
from studium.cards.models import ProposedCard, QAReport
from studium.cards.state import ExistingCard
from studium.cards.steps import spec_key
from studium.core.documents.vault import Vault
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.text.html import BLOCKS, HtmlPiece, HtmlTag, parse_tag, same_html, split_html, visible_text

LEECH_LAPSES = 8
"""A card that was forgotten this often is a leech, as in Anki."""

NEEDS_REVIEW = frozenset({"card.low_quality", "card.leech", "card.duplicate", "card.dead_link", "card.media_missing"})
"""The faults that a sync cannot fix."""


def source_gone(where: Locator) -> Finding:
    """The note does not define the card any more."""
    return _fault("source_gone", "The note does not define this card any more; the next sync suspends it.", where)


def gone_from_anki(where: Locator) -> Finding:
    """The card was deleted in Anki."""
    return _fault("gone_from_anki", "The card is not in Anki any more; the next sync makes it again.", where)


def source_changed(existing: ExistingCard, spec: CardSpec, where: Locator) -> Iterator[Finding]:
    """The note changed since the card was written."""
    if existing.content_key and existing.content_key != spec_key(spec):
        yield _fault(
            "source_changed", "The note changed since the card was written; the next sync compares them.", where
        )


def edited_in_anki(existing: ExistingCard, where: Locator) -> Iterator[Finding]:
    """A person edited fields in Anki."""
    fields, base = existing.anki.fields, existing.base or {}
    edited = [name for name, text in base.items() if name in fields and name != ID_FIELD]
    edited = [name for name in edited if not same_html(base[name], fields[name])]
    if edited:
        message = f"Edited in Anki: {', '.join(edited)}. The edit is kept."
        yield Finding(code="card.edited_in_anki", severity=Severity.INFO, message=message, where=where)


def leech(where: Locator) -> Finding:
    """The card is forgotten again and again."""
    message = (
        f"This is a leech: Anki tagged it, or you forgot it {LEECH_LAPSES} times or more. Split it or simplify it."
    )
    return _fault("leech", message, where)


def duplicate(of: str, of_where: Locator, where: Locator) -> Finding:
    """Another card has the same question."""
    return _fault("duplicate", f"It asks the same as card {of} ({of_where}). Keep one of them.", where)


def low_quality(report: QAReport, where: Locator) -> Finding:
    """The card would not pass the judge today."""
    said = " ".join(issue.message for issue in report.issues)
    return _fault("low_quality", f"{said} Its score is {report.qa_score}.".strip(), where)


def missing_media(fields: Mapping[str, str], where: Locator) -> Iterator[Finding]:
    """The card lacks pictures or sounds because they were not in the vault."""
    for html in fields.values():
        for name in html.split('<span class="missing">')[1:]:
            shown = visible_text(name.partition("</span>")[0])
            yield _fault("media_missing", f"{shown} is missing. Add it to the vault, or correct the link.", where)


def dead_link(message: str, where: Locator) -> Finding:
    """The card has a broken link."""
    return _fault("dead_link", message, where)


def _fault(code: str, message: str, where: Locator) -> Finding:
    return Finding(code=f"card.{code}", severity=Severity.WARNING, message=message, where=where)


_ADDRESS = re.compile(r'href="(obsidian://open\?[^"]+)"')


class LinkCheck:
    """Checks links into one vault; `headings` returns the headings of a note, or None if it was not read."""

    def __init__(self, vault: Vault, headings: Callable[[str], Collection[str] | None]) -> None:
        self._vault, self._headings = vault, headings
        self._files = frozenset(vault.files)

    def dead(self, fields: Mapping[str, str]) -> Iterator[str]:
        """A message for each broken link of a card."""
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
            return f"Its link to “{path}” is broken: the note was moved, renamed or removed."
        if anchor and not anchor.startswith("^") and not self._has_heading(file, anchor):
            return f"Its link to “{path}” is broken: the heading “{anchor}” is gone."
        return None

    def _has_heading(self, file: str, anchor: str) -> bool:
        """Whether a note has this heading; the heading `A#B` is linked as `A B`."""
        headings = self._headings(file)
        if headings is None:
            return True
        addressed = (self._anchor(file, heading) for heading in headings)
        return any(anchor == each or anchor.endswith(f" {each}") for each in addressed if each)

    def _anchor(self, file: str, heading: str) -> str:
        return parse_qs(urlsplit(self._vault.link(file, heading)).query)["file"][0].partition("#")[2]


_OPENING = {"br": "\n", "hr": "\n\n---\n\n", "li": "\n- ", "td": "| ", "th": "| ", "tr": "\n", "pre": "\n\n```\n"}
_CLOSING = {"li": "", "td": " ", "th": " ", "tr": "", "pre": "\n```\n\n"}
_AROUND = {"b": "**", "strong": "**", "code": "`"}
_FORMULAS = {r"\(": "$", r"\[": "$$"}
_SPACE = re.compile(r"\s+")
_LOOSE = re.compile(r"(?<![ \t])[ \t]+(?=\n)")
_EMPTY_LINES = re.compile(r"\n{3,}")


def read_back_card(note: AnkiNote, spec: CardSpec) -> ProposedCard:
    """The card as Anki has it, with the languages that the note declares."""
    fields = {name: html_to_markdown(html) for name, html in content_fields(note).items()}
    return ProposedCard(
        card_type="Cloze" if note.note_type == CLOZE else "Basic",
        model_name=note.note_type,
        deck_name=note.cards[0].deck if note.cards else "",
        fields=fields,
        tags=note.tags,
        language="+".join(source.language or "und" for source in spec.sources),
        bilingual_mode=spec.bilingual_mode,
    )


def content_fields(note: AnkiNote) -> dict[str, str]:
    """The fields that a person reads, without our id and the link to the note."""
    return {name: html for name, html in note.fields.items() if name not in (ID_FIELD, SOURCE_FIELD)}


def html_to_markdown(html: str) -> str:
    """The HTML of a field as Markdown: words, paragraphs, lists, code, formulas and bold text."""
    return _EMPTY_LINES.sub("\n\n", _LOOSE.sub("", "".join(_written(html)))).strip()


def _written(html: str) -> Iterator[str]:
    in_code = 0
    for piece in split_html(html, clozes=False):
        if piece.kind == "tag":
            tag = parse_tag(piece.text)
            in_code += (-1 if tag.closing else 1) if tag.name == "pre" else 0
            yield _tag(tag, in_code=in_code > 0)
        elif piece.kind in ("text", "cloze"):
            text = unescape(piece.text)
            yield text if in_code > 0 else _SPACE.sub(" ", text)
        elif piece.kind == "span":
            yield _formula(piece)


def _tag(tag: HtmlTag, *, in_code: bool) -> str:
    if in_code and tag.name != "pre":
        return "\n" if tag.name == "br" else ""
    if tag.name in _AROUND:
        return _AROUND[tag.name]
    marks = _CLOSING if tag.closing else _OPENING
    return marks.get(tag.name, "\n\n" if tag.name in BLOCKS else "")


def _formula(piece: HtmlPiece) -> str:
    mark = _FORMULAS.get(piece.text[:2])
    return f"{mark}{unescape(piece.text[2:-2])}{mark}" if mark else unescape(piece.text)
