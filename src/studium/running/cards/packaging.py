"""Writes a package of every card that a vault has: those of this run, and those that did not change."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from studium.core.database import Database
from studium.core.domain.change import PublishedVersion
from studium.core.domain.finding import Finding
from studium.domain.anki import MediaFile, NewNote
from studium.running.cards.order import Order
from studium.stores.anki.package import write_package


def publish_package(
    ledger: Database, sink: str, target: Path, known: Mapping[str, PublishedVersion], orders: Sequence[Order]
) -> list[Finding]:
    """Write the package of what is known and what is ordered, and remember it; says which media could not be packed."""
    bases, fresh = dict(known), dict[str, PublishedVersion]()
    for order in orders:
        if order.kind == "retire":
            bases.pop(order.card_id, None)
        else:
            fresh |= _published(order, bases.get(order.card_id))
    bases |= fresh
    media = {file.name: file for base in bases.values() for file in _media(base)}
    missing = write_package(target, {card_id: _note(base) for card_id, base in bases.items()}, tuple(media.values()))
    ledger.published.save(sink, fresh)
    ledger.published.delete(sink, [order.card_id for order in orders if order.kind == "retire"])
    return missing


def in_package(base: PublishedVersion) -> dict[str, str]:
    """What a package holds for a card: what the note says, but for what a person wrote in a review."""
    published: dict[str, str] = base.about.get("published", {})
    return base.fields | published


def _published(order: Order, before: PublishedVersion | None) -> dict[str, PublishedVersion]:
    """The order's base, with those fields that the package holds differently."""
    held = (in_package(before) if before else {}) | order.fields
    return {
        key: base.model_copy(
            update={"about": base.about | {"published": {k: v for k, v in held.items() if base.fields.get(k) != v}}}
        )
        for key, base in order.based(None).items()
    }


def _note(base: PublishedVersion) -> NewNote:
    about = base.about
    return NewNote(
        note_type=about["note_type"], deck=about["deck"], fields=in_package(base), tags=tuple(about.get("tags", ()))
    )


def _media(base: PublishedVersion) -> list[MediaFile]:
    return [MediaFile.model_validate(file) for file in base.about.get("media", ())]
