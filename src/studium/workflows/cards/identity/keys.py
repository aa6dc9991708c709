"""What a card is known by: keys of its question and of its content, and the id of a new one."""

import re
from collections.abc import Collection
from hashlib import sha256
from unicodedata import normalize

from studium.core.text.html import visible_text
from studium.domain.card import CardSource

_LINK = re.compile(
    r"!\[\[[^\]\n]*\]\]|!\[[^\]\n]*\]\([^)\n]*\)"  # what is shown in its place says nothing
    r"|\[\[(?:[^\]|\n]*\|)?(?P<note>[^\]|\n]*)\]\]|\[(?P<text>[^\]\n]*)\]\([^)\n]*\)"
)
_LINE_MARK = re.compile(r"^[ \t>]*(?:(?:#{1,6}|[-+*]|\d{1,9}[.)])[ \t]+)?", re.MULTILINE)
_MARK = re.compile(r"\\[()\[\]]|==(?=\S)|(?<=\S)==|\{(?:\d+:)?|[}*_`~$\\]")


def front_key(text: str) -> str:
    """The key of a question, the same in Markdown and in what Anki shows of it; of an empty one, empty."""
    said = _folded(plain_text(text)) or _folded(text)
    return _hash(said) if said else ""


def content_key(source: CardSource) -> str:
    """The key of all that a source says, whatever its case, white space and emphasis."""
    said = f"{source.front} \0 {source.back} \0 {source.extra} \0 {source.hint}"
    for mark in "*_`":
        said = said.replace(mark, "")
    return _hash(_folded(said))


def new_card_id(source: CardSource, taken: Collection[str] = ()) -> str:
    """The id of a new card: by its content, so that two computers agree on it; the second such card gets `-2`."""
    first = fresh = content_key(source)[:12]
    number = 1
    while fresh in taken:
        number += 1
        fresh = f"{first}-{number}"
    return fresh


def plain_text(text: str) -> str:
    """What a text says, without the marks of Markdown, HTML and formulas."""
    if "<" in text or "{{c" in text or "&" in text:
        text = visible_text(text)
    if "](" in text or "[[" in text:
        text = _LINK.sub(lambda link: link["note"] or link["text"] or "", text)
    return _MARK.sub("", _LINE_MARK.sub("", text))


def _folded(text: str) -> str:
    composed = text if text.isascii() else normalize("NFC", text)
    return " ".join(composed.casefold().split())


def _hash(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
