"""Studium's own note types: their fields, templates and styles."""

from importlib.resources import files

from studium.anki.store import ID_FIELD, NoteType

SOURCE_FIELD = "Source"

BASIC, REVERSED, CLOZE = "Studium Basic", "Studium Basic (reversed)", "Studium Cloze"

_FIELDS = {
    BASIC: ("Front", "Back", "Extra", "Hint", SOURCE_FIELD, ID_FIELD),
    REVERSED: ("Front", "Back", "Extra", "Hint", SOURCE_FIELD, ID_FIELD),
    CLOZE: ("Text", "Extra", "Hint", SOURCE_FIELD, ID_FIELD),
}

_HINT = '{{#Hint}}<details class="hint"><summary>Hint</summary><div dir="auto">{{Hint}}</div></details>{{/Hint}}'
_MORE = """\
{{#Extra}}<details class="extra"><summary>More</summary><div dir="auto">{{Extra}}</div></details>
<script>
  // A short extra is open at once; without scripts it waits for a tap.
  for (const extra of document.querySelectorAll("details.extra")) extra.open = extra.textContent.length < 300;
</script>{{/Extra}}
{{#Source}}<footer>{{Source}}</footer>{{/Source}}"""
_TEXT = '<div class="text" dir="auto">{{cloze:Text}}</div>\n'


def _question(field: str) -> str:
    return f'<div class="question" dir="auto">{{{{{field}}}}}</div>\n{_HINT}'


def _answer(field: str) -> str:
    return f'{{{{FrontSide}}}}\n<hr id="answer">\n<div class="answer" dir="auto">{{{{{field}}}}}</div>\n{_MORE}'


_FORWARD = ("Card 1", _question("Front"), _answer("Back"))
_BACKWARD = ("Card 2", _question("Back"), _answer("Front"))
_TEMPLATES = {
    BASIC: (_FORWARD,),
    REVERSED: (_FORWARD, _BACKWARD),
    CLOZE: (("Cloze", _TEXT + _HINT, _TEXT + _MORE),),
}


def _read_css(name: str) -> str:
    return files("studium.anki").joinpath(name).read_text(encoding="utf-8")


NOTE_TYPES = tuple(
    NoteType(name=name, fields=fields, templates=_TEMPLATES[name], css=_read_css("card.css"), is_cloze=name == CLOZE)
    for name, fields in _FIELDS.items()
)
"""The note types for cards."""


def note_type_fields(name: str) -> tuple[str, ...]:
    """The fields of one of our note types, in order; empty for any other."""
    return _FIELDS.get(name, ())


WORD = "Studium Word"

_WORD_FRONT = """\
<div class="word" lang="{{Language}}">{{Word}}</div>
{{#Line}}<div class="line" lang="{{Language}}">{{Line}}</div>{{/Line}}"""

_WORD_BACK = """\
<div class="word" lang="{{Language}}">
  {{#Furigana}}{{furigana:Furigana}}{{/Furigana}}{{^Furigana}}{{Word}}{{/Furigana}}
</div>
<div class="reading" lang="{{Language}}">
  {{#PitchAccent}}{{PitchAccent}}{{/PitchAccent}}{{^PitchAccent}}{{Reading}}{{/PitchAccent}}
  {{#Romaji}}<span class="romaji">{{Romaji}}</span>{{/Romaji}} {{Audio}}
</div>
<hr id="answer">
<div class="meaning">{{Meaning}}</div>
{{#Meanings}}<div class="meanings">{{Meanings}}</div>{{/Meanings}}
{{#Parts}}<div class="parts" lang="{{Language}}">{{Parts}}</div>{{/Parts}}
{{#Line}}<div class="line" lang="{{Language}}">
  {{#LineFurigana}}{{furigana:LineFurigana}}{{/LineFurigana}}{{^LineFurigana}}{{Line}}{{/LineFurigana}}
</div>{{/Line}}
<footer>{{#JLPT}}<span class="chip">{{JLPT}}</span>{{/JLPT}}
{{#PartOfSpeech}}<span class="chip">{{PartOfSpeech}}</span>{{/PartOfSpeech}}
{{#Song}}<span class="song">{{Song}}</span>{{/Song}}</footer>"""


WORD_TYPE = NoteType(
    name=WORD,
    fields=(
        "Word",
        "Reading",
        "Furigana",
        "Romaji",
        "Meaning",
        "Meanings",
        "Parts",
        "PitchAccent",
        "Audio",
        "Line",
        "LineFurigana",
        "Song",
        "JLPT",
        "PartOfSpeech",
        "Language",
        ID_FIELD,
    ),
    templates=(("Word", _WORD_FRONT, _WORD_BACK),),
    css=_read_css("card.css") + _read_css("word.css"),
)
"""The note type for a word of a song, with the line it is in."""
