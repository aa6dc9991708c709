"""What a note says about itself and all its cards: tags, deck and marks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from studium.core.documents.markdown import Frontmatter, split_frontmatter

_TAG = re.compile(r"(?<![^\s\0])#([^\s\x00-,.:-@\[-^`{-~\u2010-\u206f\u3000-\u303f\uff01-\uff0f]+)")
_CLOSING = re.compile(r"[\r\n](?:---|\.\.\.)[^\S\r\n]*(?![^\r\n])")
# An inka section at the very top looks like frontmatter, but is no YAML.
_INKA_ON_TOP = re.compile(r"---[ \t]*\r?\n(?:(?!---).*\r?\n)*?\d{1,9}\.[ \t]")
_MARK = re.compile(r"(card|flashcards?|cloze)(?:/.*|-(?:reversed?|spaced))?", re.IGNORECASE)
_DECK_KEYS = ("deck_hint", "deck", "cards-deck", "TARGET DECK", "target deck")


@dataclass(frozen=True)
class Header:
    """The frontmatter, the index of the line after it, and what it says about every card of the note."""

    values: dict[str, Any]
    body: int
    tags: tuple[str, ...] = ()
    deck: str | None = None
    marks: frozenset[str] = frozenset()
    """The tags that say what is to become of the note: `card`, `flashcards`, `cloze`."""


def note_frontmatter(text: str, path: str = "") -> Frontmatter:
    """The fields at the top of a note; a section of inka's that begins a note is none."""
    closing = _CLOSING.search(text, len("---")) if text.startswith("---") else None
    if not closing:
        return Frontmatter({}, 1)
    frontmatter = split_frontmatter(text[: closing.end()], path)
    return Frontmatter({}, 1) if frontmatter.findings and _INKA_ON_TOP.match(text) else frontmatter


def note_header(values: dict[str, Any], body: int) -> Header:
    """Read the frontmatter's tags (a list, or words parted by commas or spaces), deck and marks."""
    tags = [tag.strip().lstrip("#") for tag in (*_words(values.get("tags")), *_words(values.get("tag")))]
    marks = {mark for tag in tags if (mark := card_mark(tag))}
    if "cards-deck" in values:
        marks.add("flashcards")
    if "cloze" in str(values.get("card_type_hint", "")).lower():
        marks.add("cloze")
    deck = next((str(values[key]).strip() for key in _DECK_KEYS if values.get(key)), None)
    return Header(
        values, body, tuple(anki_tag(tag) for tag in tags if tag and not card_mark(tag)), deck, frozenset(marks)
    )


def inline_tags(shown: str) -> Iterator[str]:
    """The `#tags` of a line, without the mark; `#12` is none."""
    for match in _TAG.finditer(shown):
        if not match[1].isdigit():
            yield match[1]


def card_mark(tag: str) -> str | None:
    """Which mark a tag is, if it says how to read cards and not what they are about."""
    match = _MARK.fullmatch(tag)
    return match[1].lower() if match else None


def anki_tag(tag: str) -> str:
    """A tag as Anki writes it: `a/b c` is `a::b_c`."""
    return "_".join(tag.strip("/").replace("/", "::").split())


def _words(value: Any) -> Iterator[str]:
    """Whatever people write where a list of words belongs."""
    if isinstance(value, str):
        yield from (word for word in (value.split(",") if "," in value else value.split()) if word.strip())
    elif isinstance(value, list | tuple):
        yield from (str(each) for each in value if isinstance(each, str | int | float) and str(each).strip())
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
