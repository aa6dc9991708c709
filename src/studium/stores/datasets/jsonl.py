"""JSON Lines: one pair a line, with all that is known of it. Hugging Face `datasets` loads it as `json`."""

from collections.abc import Sequence
from pathlib import Path

from studium.core.files import write_text
from studium.domain.question import QAPair


def write(pairs: Sequence[QAPair], target: Path) -> None:
    """Write each pair as its JSON."""
    write_text(target, "".join(pair.model_dump_json() + "\n" for pair in pairs))
