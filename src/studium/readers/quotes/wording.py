"""Words by which readers and devices mark quotes, notes and sections, in several languages."""

import re
from functools import cache
from pathlib import Path


@cache
def words(kind: str) -> tuple[str, ...]:
    """The words of a kind, as `wording.yaml` lists them."""
    import yaml

    listed = yaml.safe_load((Path(__file__).parent / "wording.yaml").read_text(encoding="utf-8"))
    return tuple(str(word) for word in listed[kind])


@cache
def any_of(kind: str) -> str:
    """A pattern of the words of a kind, the longest first."""
    return "(?:" + "|".join(re.escape(word) for word in sorted(words(kind), key=len, reverse=True)) + ")"


@cache
def _heading_pattern() -> re.Pattern[str]:
    quotes = any_of("quotes")
    return re.compile(rf"(?:(?:{any_of('whose')})\s+)?{quotes}(?:\s+{any_of('which')}.*)?", re.IGNORECASE)


def names_quotes(heading: str) -> bool:
    """Whether a heading says that quotes follow: `Citas`, `My Highlights`, `📚 Quotes from Walden:`."""
    bare = re.sub(r"^[\W\d_]+|[\W_]+$", "", heading)
    return bool(_heading_pattern().fullmatch(bare))


@cache
def _note_pattern() -> re.Pattern[str]:
    return re.compile(rf"[*_]{{0,2}}{any_of('note_labels')}[*_]{{0,2}}\s*[:：][*_]{{0,2}}\s*", re.IGNORECASE)


def labelled_note(text: str) -> str | None:
    """What the reader notes, if a text says that it is a note: `Nota: …`, `**Note:** …`, `→ …`."""
    if text.startswith(("→", "=>")):
        return text.lstrip("→=> ").strip()
    match = _note_pattern().match(text)
    return text[match.end() :].strip() if match else None
