r"""Reads a card of Anki back into Markdown, so that it can be judged like one that is about to be written.

<p>Floods <b>LSAs</b> at \(O(n)\)</p><ul><li>reliably</li></ul>   ->   Floods **LSAs** at $O(n)$\n\n- reliably
"""

import re
from collections.abc import Iterator
from html import unescape

from studium.core.text.html import BLOCKS, HtmlPiece, HtmlTag, parse_tag, split_html
from studium.domain.anki import ID_FIELD, AnkiNote
from studium.domain.card import ProposedCard
from studium.workflows.cards.judging.schema import CLOZE
from studium.workflows.cards.wanted import WantedCard

SOURCE_FIELD = "Source"

_OPENING = {"br": "\n", "hr": "\n\n---\n\n", "li": "\n- ", "td": "| ", "th": "| ", "tr": "\n", "pre": "\n\n```\n"}
_CLOSING = {"li": "", "td": " ", "th": " ", "tr": "", "pre": "\n```\n\n"}
_AROUND = {"b": "**", "strong": "**", "code": "`"}
_FORMULAS = {r"\(": "$", r"\[": "$$"}
_SPACE = re.compile(r"\s+")
_LOOSE = re.compile(r"[ \t]+(?=\n)")
_EMPTY_LINES = re.compile(r"\n{3,}")


def standing_card(note: AnkiNote, wanted: WantedCard) -> ProposedCard:
    """The card as it stands in Anki; what the note declares about its languages still holds."""
    fields = {name: as_markdown(html) for name, html in content_fields(note).items()}
    return ProposedCard(
        card_type="Cloze" if note.note_type == CLOZE else "Basic",
        model_name=note.note_type,
        deck_name=note.cards[0].deck if note.cards else "",
        fields=fields,
        tags=note.tags,
        language="+".join(source.language or "und" for source in wanted.sources),
        bilingual_mode=wanted.bilingual_mode,
    )


def content_fields(note: AnkiNote) -> dict[str, str]:
    """The fields that a person reads as the card; not our id, nor the link back."""
    return {name: html for name, html in note.fields.items() if name not in (ID_FIELD, SOURCE_FIELD)}


def as_markdown(html: str) -> str:
    """A field's HTML in Markdown: its words, paragraphs, lists, code, formulas and what is bold."""
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
