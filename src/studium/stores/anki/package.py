"""Writes cards to an Anki package. Ids are stable: importing a package twice updates, never duplicates."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any

from studium.domain.card import ProposedCard
from studium.stores.anki.rendering import to_html
from studium.stores.files import written_whole

FIELDS = ("Front", "Back", "Extra", "Hint")
_MODEL_ID = 1_763_164_800_001  # fixed for ever: Anki knows the note type by it
_FRONT = '<div class="front">{{Front}}</div>{{#Hint}}<div class="hint">{{hint:Hint}}</div>{{/Hint}}'
_BACK = (
    '{{FrontSide}}<hr id="answer"><div class="back">{{Back}}</div>'
    "{{#Extra}}<details><summary>More</summary>{{Extra}}</details>{{/Extra}}"
)
_STYLE = """
.card { font: 18px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 0 auto; padding: 1rem; text-align: left;
        color: #1d1d1f; background: #fff; }
.card.nightMode { color: #e8e8ea; background: #1c1c1e; }
.front { font-weight: 600; }
.hint, details { margin-top: 1rem; font-size: .9em; opacity: .85; }
pre { overflow-x: auto; padding: .6rem; border-radius: .4rem; background: #8882; }
table { border-collapse: collapse; } td, th { border: 1px solid #8886; padding: .2rem .5rem; }
"""


def write_package(target: Path, cards: Mapping[str, ProposedCard], *, now: Callable[[], float] = time) -> None:
    """Write these cards, keyed by our own id, as an `.apkg` file; Anki takes what is newer than what it has."""
    import genanki

    model = _model()
    decks: dict[str, Any] = {}
    for key, card in cards.items():
        fields = [to_html(card.fields.get(name, "")) for name in FIELDS]
        deck = decks.setdefault(card.deck_name, genanki.Deck(_number(card.deck_name), card.deck_name))
        deck.add_note(genanki.Note(model, fields, tags=list(card.tags), guid=genanki.guid_for("studium", key)))
    with written_whole(target) as part:
        genanki.Package(list(decks.values())).write_to_file(part, timestamp=now())


def _model() -> Any:
    import genanki

    return genanki.Model(
        _MODEL_ID,
        "Studium Basic",
        fields=[{"name": name} for name in FIELDS],
        templates=[{"name": "Card 1", "qfmt": _FRONT, "afmt": _BACK}],
        css=_STYLE,
    )


def _number(name: str) -> int:
    """A stable positive number for a name, in the range that Anki uses for ids."""
    return int.from_bytes(sha256(name.encode()).digest()[:5])
