"""Copies of a collection from before we wrote to it."""

from pathlib import Path
from typing import Any

_KEPT = 3


def keep_backup(database: Any, collection: Path) -> Path:
    """Keep the collection as it stands in `collection.anki2.studium-backup`; the two before it get a number."""
    newest = collection.with_name(f"{collection.name}.studium-backup")
    part = newest.with_name(f"{newest.name}.part")
    part.unlink(missing_ok=True)
    # The journal's content comes along, which a copy of the file alone would miss.
    database.execute("vacuum into ?", str(part))
    older = [newest, *(newest.with_name(f"{newest.name}.{number}") for number in range(1, _KEPT))]
    for place in range(_KEPT - 1, 0, -1):
        if older[place - 1].exists():
            older[place - 1].replace(older[place])
    return part.replace(newest)
