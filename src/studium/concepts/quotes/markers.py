"""Words by which readers and devices mark quotes, notes and sections, in several languages."""

import re
from functools import cache
from pathlib import Path


@cache
def marker_words(kind: str) -> tuple[str, ...]:
    """The words of a kind, as `wording.yaml` lists them."""
    import yaml

    listed = yaml.safe_load((Path(__file__).parent / "wording.yaml").read_text(encoding="utf-8"))
    return tuple(str(word) for word in listed[kind])


@cache
def marker_pattern(kind: str) -> str:
    """A pattern of the words of a kind, the longest first."""
    return "(?:" + "|".join(re.escape(word) for word in sorted(marker_words(kind), key=len, reverse=True)) + ")"


@cache
def _heading_pattern() -> re.Pattern[str]:
    quotes = marker_pattern("quotes")
    return re.compile(
        rf"(?:(?:{marker_pattern('whose')})\s+)?{quotes}(?:\s+{marker_pattern('which')}.*)?", re.IGNORECASE
    )


def is_quotes_heading(heading: str) -> bool:
    """Whether a heading says that quotes follow: `Citas`, `My Highlights`, `📚 Quotes from Walden:`."""
    bare = re.sub(r"^[\W\d_]+|[\W_]+$", "", heading)
    return bool(_heading_pattern().fullmatch(bare))


@cache
def _note_pattern() -> re.Pattern[str]:
    return re.compile(rf"[*_]{{0,2}}{marker_pattern('note_labels')}[*_]{{0,2}}\s*[:：][*_]{{0,2}}\s*", re.IGNORECASE)


def labelled_note(text: str) -> str | None:
    """What the reader notes, if a text says that it is a note: `Nota: …`, `**Note:** …`, `→ …`."""
    if text.startswith(("→", "=>")):
        return text.lstrip("→=> ").strip()
    match = _note_pattern().match(text)
    return text[match.end() :].strip() if match else None


_PAIRS = {"“": "”", "„": "“”", "«": "»", "»": "«", '"': '"', "「": "」", "『": "』"}
_EMPHASIS = ("***", "**", "==", "*", "_")
_HARD_BREAK = re.compile(r"(?: {2,}|\\|<br ?/?>)$")
_CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")


def strip_quote_marks(text: str) -> str:
    """A quote without the quotation marks or the emphasis that stand around all of it."""
    while (inner := _inner(text)) is not None:
        text = inner
    return text


def join_lines(lines: list[str]) -> str:
    """The lines of a paragraph as one; a line broken on purpose stays broken."""
    text = ""
    for line in lines:
        broken = _HARD_BREAK.search(line, max(0, len(line) - len("<br />")))
        bare = (line[: broken.start()] if broken else line).strip()
        text += bare + ("\n" if broken else "" if _CJK.match(bare[-1:]) else " ")
    return text.strip()


def _inner(text: str) -> str | None:
    text = text.strip()
    closing = _PAIRS.get(text[:1])
    if closing and text[1:-1] and text[-1] in closing and not any(mark in text[1:-1] for mark in text[0] + closing):
        return text[1:-1].strip()
    for mark in _EMPHASIS:
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            inner = text[len(mark) : -len(mark)]
            return None if mark[0] in inner else inner.strip()
    return None
