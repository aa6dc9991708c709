"""The note type for words: what it holds and how it looks."""

from importlib.resources import files

from studium.domain.anki import ID_FIELD, NoteType

WORD = "Studium Word"

_FRONT = """\
<div class="word" lang="{{Language}}">{{Word}}</div>
{{#Line}}<div class="line" lang="{{Language}}">{{Line}}</div>{{/Line}}"""

_BACK = """\
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


def _style(name: str) -> str:
    return files("studium.stores.anki").joinpath(name).read_text(encoding="utf-8")


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
    templates=(("Word", _FRONT, _BACK),),
    css=_style("card.css") + _style("word.css"),
)
"""A word to learn, with the line it was sung in."""
