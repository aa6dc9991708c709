"""A card as Anki shows it: its real templates and style, behind glass."""

from base64 import b64encode
from collections.abc import Iterable, Mapping
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import quote

from nicegui.element import Element

from studium.core.domain.decision import Decision
from studium.core.domain.errors import BadInput
from studium.core.text.safe_html import MEDIA_URL, SANDBOX, sandboxed_document
from studium.domain.anki import MediaFile
from studium.domain.card import ProposedCard
from studium.domain.vault import Vault
from studium.running.cards.order import Order
from studium.stores.anki.rendering.renderer import Renderer
from studium.web.cards.rows import note_of
from studium.web.cards.templates import card_style, sides_of
from studium.web.house import service

_LARGEST = 4_000_000
_MOST = 16_000_000
"""So many characters of pictures a side of a card may show."""
"""Pictures up to so many bytes are shown; they travel inside the page."""

Shown = list[dict[str, str]]


class CardFrame(Element, component="card_frame.js"):
    """The frame itself; `run_method("flip")` turns the card over."""


def card_frame(cards: Shown) -> CardFrame:
    """Show these cards, one at a time."""
    frame = CardFrame()
    frame.props["cards"] = cards
    frame.props["sandbox"] = SANDBOX
    return frame


def shown_cards(decision: Decision, vault: Path) -> Shown:
    """The cards that a decision would make, as documents for the frame; none if it makes no card."""
    note_type, fields, media = _rendered(decision, vault)
    if not any(fields.values()):
        return []
    pictures = _pictures(media)
    css = card_style(note_type)
    return [
        {"name": each.name, "front": _document(each.front, css, pictures), "back": _document(each.back, css, pictures)}
        for each in sides_of(note_type, fields)
    ]


def _rendered(decision: Decision, vault: Path) -> tuple[str, dict[str, str], Iterable[MediaFile]]:
    """The note type, fields and media as they are to be; what waits without an order is rendered from its proposal."""
    if decision.order and decision.order.get("kind") != "retire":
        order = Order.model_validate(decision.order)
        if order.whole_fields:
            return order.note_type, order.whole_fields, order.media
    if decision.proposal:
        card = ProposedCard.model_validate(decision.proposal)
        made = Renderer(Vault(vault, vault.name, ())).render(card, note_path=note_of(decision), card_id="")
        return made.note_type, made.fields, made.media
    return "", {}, ()


def _document(html: str, css: str, pictures: Mapping[str, str]) -> str:
    document = sandboxed_document(html, css)
    for address, picture in pictures.items():
        # A picture that a card shows over and over is shown as often as a browser can bear.
        often = max(1, _MOST // len(picture))
        document = document.replace(f'"{address}"', f'"{picture}"', often)
    return document


def _pictures(media: Iterable[MediaFile]) -> dict[str, str]:
    """The pictures as data, by the address that safe HTML gives them; only files that may be read."""
    found: dict[str, str] = {}
    for file in media:
        kind = guess_type(file.name)[0] or ""
        if not kind.startswith("image/"):
            continue
        try:
            path = service().find(file.path)
        except BadInput:
            continue
        room = _MOST - sum(map(len, found.values()))
        if path.is_file() and path.stat().st_size <= min(_LARGEST, room):
            found[MEDIA_URL + quote(file.name)] = f"data:{kind};base64,{b64encode(path.read_bytes()).decode()}"
    return found
