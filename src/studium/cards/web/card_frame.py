"""A card as Anki shows it: its real templates and styles, in a sandboxed frame."""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import quote

from nicegui.element import Element

from studium.anki.clozes import cloze_numbers
from studium.anki.note_types import NOTE_TYPES, WORD_TYPE
from studium.anki.store import ID_FIELD, MediaFile, NoteType
from studium.cards.models import ProposedCard
from studium.cards.rendering import CardRenderer
from studium.cards.sync.changes import AnkiChange, note_of
from studium.core.documents.vault import Vault
from studium.core.domain.decision import Decision
from studium.core.domain.errors import BadInput
from studium.core.reader_process import outside_server
from studium.core.text.formulas import strip_tags_in_formulas
from studium.core.text.html import cloze_spans, visible_text
from studium.core.text.html_policy import MEDIA_URL, SANDBOX, sandboxed_document
from studium.web.service import service

_TYPES = {each.name: each for each in (*NOTE_TYPES, WORD_TYPE)}
_SECTION = re.compile(r"\{\{([#^])([^{}]+)\}\}(.*?)\{\{/\2\}\}", re.DOTALL)
_FIELD = re.compile(r"\{\{(?:(cloze|furigana):)?([^{}#^/:]+)\}\}")
_SOUND = re.compile(r"\[sound:([^\]<\n]{1,500})\]")
_FURIGANA = re.compile(r" ?([^ >\[]{1,100}+)\[([^\[\]]{1,200})\]")
_SHORT_EXTRA = 300


@dataclass(frozen=True)
class CardSides:
    """One card: its name, and the HTML of its front and back."""

    name: str
    front: str
    back: str


def card_style(note_type: str) -> str:
    """The style of a note type; a foreign note type gets ours."""
    return _TYPES.get(note_type, NOTE_TYPES[0]).css


def fill_templates(note_type: str, fields: Mapping[str, str]) -> list[CardSides]:
    """The cards that Anki makes of a note; for a foreign note type, its first field and then the others."""
    known = _TYPES.get(note_type)
    if known is None:
        first, *others = [text for name, text in fields.items() if text and name != ID_FIELD] or [""]
        return [CardSides("Card", _audible(first), _audible("<hr>".join([first, *others])))]
    if known.is_cloze:
        return _clozes(known, fields)
    return [_sides(name, front, back, fields) for name, front, back in known.templates]


def _clozes(note_type: NoteType, fields: Mapping[str, str]) -> list[CardSides]:
    _, front, back = note_type.templates[0]
    text = next(iter(fields.values()), "")
    made = []
    for number in sorted(cloze_numbers(text)) or [1]:
        asked = {**fields, "cloze": _covered(text, number, shown=False)}
        answered = {**fields, "cloze": _covered(text, number, shown=True)}
        made.append(CardSides(f"Cloze {number}", _filled(front, asked), _opened(_filled(back, answered), fields)))
    return made


def _sides(name: str, front: str, back: str, fields: Mapping[str, str]) -> CardSides:
    asked = _filled(front, fields)
    return CardSides(name, asked, _opened(_filled(back, {**fields, "FrontSide": asked}), fields))


def _filled(template: str, fields: Mapping[str, str]) -> str:
    def section(found: re.Match[str]) -> str:
        sign, name, inside = found.groups()
        return inside if bool(fields.get(name, "").strip()) is (sign == "#") else ""

    def field(found: re.Match[str]) -> str:
        how, name = found.groups()
        if how == "cloze":
            return _audible(fields.get("cloze", ""))
        text = fields.get(name, "")
        return _FURIGANA.sub(r"<ruby>\1<rt>\2</rt></ruby>", text) if how == "furigana" else _audible(text)

    while template != (inner := _SECTION.sub(section, template)):
        template = inner
    return _FIELD.sub(field, template)


def _covered(text: str, number: int, *, shown: bool) -> str:
    """The text with the clozes of this number hidden, or highlighted if `shown`, and the others as plain text."""
    # The last cloze contains no other, and replacing it does not move those before it.
    while spans := cloze_spans(text):
        start, end = spans[-1]
        written, _, inside = text[start + len("{{c") : end - len("}}")].partition("::")
        hidden, _, hint = inside.partition("::")
        if str(number) not in written.split(","):
            instead = f'<span class="cloze-inactive">{hidden}</span>'
        else:
            seen = hidden if shown else f"[{hint or '...'}]"
            instead = f'<span class="cloze">{seen}</span>'
        text = text[:start] + instead + text[end:]
    return strip_tags_in_formulas(text)


def _opened(back: str, fields: Mapping[str, str]) -> str:
    """Open a short extra, which a script does in Anki; no script runs here."""
    is_short = len(visible_text(fields.get("Extra", ""))) < _SHORT_EXTRA
    return back.replace('<details class="extra">', '<details class="extra" open>') if is_short else back


def _audible(html: str) -> str:
    return _SOUND.sub(r'<span class="chip">▶ \1</span>', html)


_MAX_PICTURE = 4_000_000
"""Pictures up to this many bytes are shown; they are embedded in the page."""
_MAX_PICTURES = 16_000_000
"""The pictures of one side of a card may have this many characters together."""

RenderedSides = list[dict[str, str]]


class CardFrame(Element, component="card_frame.js"):
    """The frame; `run_method("flip")` turns the card over."""


def card_frame(cards: RenderedSides) -> CardFrame:
    """Show these cards one at a time."""
    frame = CardFrame()
    frame.props["cards"] = cards
    frame.props["sandbox"] = SANDBOX
    return frame


def shown_cards(decision: Decision, vault: Path) -> RenderedSides:
    """The cards that a decision would make, as documents for the frame."""
    cards, media = _documents(decision, vault)
    pictures = _pictures(media)
    return [
        {"name": each.name, "front": _with_pictures(each.front, pictures), "back": _with_pictures(each.back, pictures)}
        for each in cards
    ]


@outside_server(lambda decision, _vault: f"The card {decision.item}")
def _documents(decision: Decision, vault: Path) -> tuple[list[CardSides], list[MediaFile]]:
    """The cards of a decision as documents, still without their pictures, and the media files that they use."""
    note_type, fields, media = _rendered(decision, vault)
    if not any(fields.values()):
        return [], []
    css = card_style(note_type)
    cards = [
        CardSides(each.name, sandboxed_document(each.front, css), sandboxed_document(each.back, css))
        for each in fill_templates(note_type, fields)
    ]
    return cards, list(media)


def _rendered(decision: Decision, vault: Path) -> tuple[str, dict[str, str], Iterable[MediaFile]]:
    """The note type, fields and media that the decision would write; without a change, the proposal is rendered."""
    change = AnkiChange.of(decision)
    if change and change.kind != "retire" and change.all_fields:
        return change.note_type, change.all_fields, change.media
    if decision.proposal:
        card = ProposedCard.model_validate(decision.proposal)
        made = CardRenderer(Vault(vault, vault.name, ())).render(card, note_path=note_of(decision), card_id="")
        return made.note_type, made.fields, made.media
    return "", {}, ()


def _with_pictures(document: str, pictures: Mapping[str, str]) -> str:
    for address, picture in pictures.items():
        # A picture that a card repeats is shown only as often as a browser can handle.
        often = max(1, _MAX_PICTURES // len(picture))
        document = document.replace(f'"{address}"', f'"{picture}"', often)
    return document


def _pictures(media: Iterable[MediaFile]) -> dict[str, str]:
    """The pictures as data URLs, by their address in the cleaned HTML; only files that may be read."""
    found: dict[str, str] = {}
    for file in media:
        kind = guess_type(file.name)[0] or ""
        if not kind.startswith("image/"):
            continue
        try:
            path = service().find(file.path)
        except BadInput:
            continue
        room = _MAX_PICTURES - sum(map(len, found.values()))
        if path.is_file() and path.stat().st_size <= min(_MAX_PICTURE, room):
            found[MEDIA_URL + quote(file.name)] = f"data:{kind};base64,{b64encode(path.read_bytes()).decode()}"
    return found
