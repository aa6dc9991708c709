"""Blast radius: a run that would touch suspiciously much stops and asks first."""

from collections.abc import Sequence

from studium.core.domain.errors import Conflict
from studium.running.cards.order import Order

_FEW = 20  # so few changes are never suspicious, however small the collection


def check_blast_radius(orders: Sequence[Order], known: int, *, max_deletions: int, max_change_percent: int) -> None:
    """Refuse to retire or change more cards than the settings allow without a person's word."""
    retired = sum(order.kind == "retire" for order in orders)
    if retired > max_deletions:
        raise Conflict(
            f"{retired} cards would be suspended because their source is gone; at most {max_deletions} go unasked.",
            remedy="If the notes are really gone, add --allow-mass-change; else check the path of the vault.",
        )
    changed = sum(order.kind == "update" for order in orders) + retired
    if changed > _FEW and changed * 100 > known * max_change_percent:
        raise Conflict(
            f"{changed} of {known} known cards would change; at most {max_change_percent} % go unasked.",
            remedy="Look at `studium cards plan`, then run again with --allow-mass-change.",
        )
