"""FreeDict's German–English dictionaries, as Debian packs them."""

from pathlib import Path

FOLDER = Path("/usr/share/dictd")


def available() -> str | None:
    """Why there are no dictionaries, or nothing."""
    wanted = [FOLDER / f"freedict-{pair}.index" for pair in ("deu-eng", "eng-deu")]
    return None if all(path.is_file() for path in wanted) else "FreeDict's German dictionaries are not installed"
