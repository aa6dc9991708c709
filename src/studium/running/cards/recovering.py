"""After a crash: finds out in Anki which of the planned changes were made, and settles them."""

from studium.core.database import Database
from studium.core.domain.change import Change, ChangeStatus
from studium.domain.anki import AnkiNote, AnkiStore
from studium.running.cards.order import Order


def recover(ledger: Database, store: AnkiStore, sink: str) -> int:
    """Settle the changes that were under way when a process died; says how many there were."""
    unfinished = ledger.changes.unfinished(sink)
    if not unfinished:
        return 0
    ours = {note.card_id: note for note in store.our_notes()}
    by_id = store.notes([id_ for _, change in unfinished if (id_ := Order.model_validate(change.after).anki_id)])
    for run, change in unfinished:
        order = Order.model_validate(change.after)
        note = by_id.get(order.anki_id or 0) or ours.get(order.card_id)
        made = note is not None and _was_made(change, order, note)
        status = ChangeStatus.APPLIED if made else ChangeStatus.REFUSED
        ledger.changes.finish(run, sink, {change.position: status}, order.based(note.id) if made and note else None)
    return len(unfinished)


def _was_made(change: Change, order: Order, note: AnkiNote) -> bool:
    """Whether the note is as the change would leave it; an update of which a part is missing is made again."""
    fields = all(note.fields.get(name) == text for name, text in order.fields.items())
    tags = set(order.add_tags) <= set(note.tags) and not set(order.remove_tags) & set(note.tags)
    if change.before is None:
        return fields
    moved = order.move_to is None or all(card.deck == order.move_to for card in note.cards)
    retired = order.kind != "retire" or all(card.suspended for card in note.cards)
    return fields and tags and moved and retired
