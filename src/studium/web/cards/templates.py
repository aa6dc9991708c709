"""What Anki makes of a note: its templates filled with the fields, one card a template or a cloze number."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from studium.core.text.formulas import strip_tags_in_formulas
from studium.core.text.html import cloze_spans, visible_text
from studium.domain.anki import ID_FIELD, NoteType
from studium.domain.clozes import cloze_numbers
from studium.stores.anki.notetypes import NOTE_TYPES
from studium.stores.anki.wordtype import WORD_TYPE

_TYPES = {each.name: each for each in (*NOTE_TYPES, WORD_TYPE)}
_SECTION = re.compile(r"\{\{([#^])([^{}]+)\}\}(.*?)\{\{/\2\}\}", re.DOTALL)
_FIELD = re.compile(r"\{\{(?:(cloze|furigana):)?([^{}#^/:]+)\}\}")
_SOUND = re.compile(r"\[sound:([^\]<\n]+)\]")
_FURIGANA = re.compile(r" ?([^ >]+?)\[([^\]]+)\]")
_SHORT_EXTRA = 300


@dataclass(frozen=True)
class Sides:
    """One card: its name, and what stands on its front and back, as HTML."""

    name: str
    front: str
    back: str


def card_style(note_type: str) -> str:
    """How a note type looks; one that is not ours looks like ours."""
    return _TYPES.get(note_type, NOTE_TYPES[0]).css


def sides_of(note_type: str, fields: Mapping[str, str]) -> list[Sides]:
    """The cards that Anki makes of a note; of a note type that is not ours, its first field and then the others."""
    known = _TYPES.get(note_type)
    if known is None:
        first, *others = [text for name, text in fields.items() if text and name != ID_FIELD] or [""]
        return [Sides("Card", _audible(first), _audible("<hr>".join([first, *others])))]
    if known.is_cloze:
        return _clozes(known, fields)
    return [_sides(name, front, back, fields) for name, front, back in known.templates]


def _clozes(note_type: NoteType, fields: Mapping[str, str]) -> list[Sides]:
    _, front, back = note_type.templates[0]
    text = next(iter(fields.values()), "")
    made = []
    for number in sorted(cloze_numbers(text)) or [1]:
        asked = {**fields, "cloze": _covered(text, number, shown=False)}
        answered = {**fields, "cloze": _covered(text, number, shown=True)}
        made.append(Sides(f"Cloze {number}", _filled(front, asked), _opened(_filled(back, answered), fields)))
    return made


def _sides(name: str, front: str, back: str, fields: Mapping[str, str]) -> Sides:
    asked = _filled(front, fields)
    return Sides(name, asked, _opened(_filled(back, {**fields, "FrontSide": asked}), fields))


def _filled(template: str, fields: Mapping[str, str]) -> str:
    def section(found: re.Match[str]) -> str:
        sign, name, inside = found.groups()
        return inside if bool(fields.get(name, "").strip()) is (sign == "#") else ""

    def field(found: re.Match[str]) -> str:
        how, name = found.groups()
        if how == "cloze":
            return _audible(fields.get("cloze", ""))
        text = fields.get(name, "")
        return _FURIGANA.sub(r"<ruby>\1<rt>\2</rt></ruby>", text) if how == "furigana" else _audible(text)

    while template != (inner := _SECTION.sub(section, template)):
        template = inner
    return _FIELD.sub(field, template)


def _covered(text: str, number: int, *, shown: bool) -> str:
    """The text with the clozes of this number covered, or shown in their colour, and all others as they read."""
    # The one that begins last holds no other, and taking it out leaves those before it where they are.
    while spans := cloze_spans(text):
        start, end = spans[-1]
        written, _, inside = text[start + len("{{c") : end - len("}}")].partition("::")
        hidden, _, hint = inside.partition("::")
        if str(number) not in written.split(","):
            instead = f'<span class="cloze-inactive">{hidden}</span>'
        else:
            seen = hidden if shown else f"[{hint or '...'}]"
            instead = f'<span class="cloze">{seen}</span>'
        text = text[:start] + instead + text[end:]
    return strip_tags_in_formulas(text)


def _opened(back: str, fields: Mapping[str, str]) -> str:
    """A short extra is open at once; in Anki a script sees to it, and here none runs."""
    is_short = len(visible_text(fields.get("Extra", ""))) < _SHORT_EXTRA
    return back.replace('<details class="extra">', '<details class="extra" open>') if is_short else back


def _audible(html: str) -> str:
    return _SOUND.sub(r'<span class="chip">▶ \1</span>', html)
