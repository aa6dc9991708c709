"""The note of a concept in the reader's vault."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from studium.core.config import Settings
from studium.core.database import Database

_LARGEST = 200_000


@dataclass(frozen=True)
class VaultNote:
    """A note as it stands in the vault, and the address by which Obsidian opens it."""

    link: str
    text: str


def note_of(settings: Settings, ledger: Database, concept: str) -> VaultNote | None:
    """The note that was written of a concept, if there is a vault and the note is still where it was written."""
    if settings.concepts.vault is None:
        return None
    folder = settings.concepts.vault.expanduser().absolute()
    about = ledger.published.details(f"concepts:{folder}").get(concept)
    file = folder / about["path"] if about else None
    if file is None or not file.is_file():
        return None
    return VaultNote(_link(file, folder), file.read_bytes()[:_LARGEST].decode("utf-8", errors="replace"))


def _link(file: Path, folder: Path) -> str:
    """The vault is the nearest folder that Obsidian keeps its own in; else the folder that notes go to."""
    vault = next((each for each in file.parents if (each / ".obsidian").is_dir()), folder)
    inside = file.relative_to(vault).with_suffix("").as_posix()
    return f"obsidian://open?vault={quote(vault.name, safe='')}&file={quote(inside, safe='')}"
