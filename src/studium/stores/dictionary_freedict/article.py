"""Reads an article of FreeDict: one sense of a headword.

Haus /haʊs/ <neut, n, sg>
house <n>
      "ein Haus bauen"  - build a house
   Synonym: {Gebäude}
 see: {Häuser}, {frei Haus}
"""

import re
from dataclasses import dataclass

from studium.domain.word import PartOfSpeech

_HEAD = re.compile(r"(?P<word>[^/<\n]+?)\s*(?:/[^/\n]*/.*?)?(?:<(?P<grammar>[^<>\n]*)>)?\s*$")
_GRAMMAR = re.compile(r"<([^<>]*)>")
_LABEL = re.compile(r"\[([^\]]*)\]")
# An abbreviation stands right behind its word, with its pronunciation.
_ABBREVIATION = re.compile(r"(?<=>)[^,<>]*,\s+/[^/]*/")
_PRONOUNCED = re.compile(r"/[^/]*/")
_COMMA = re.compile(r",(?![^()]*\)|[^<>]*>)")
_EXAMPLE = re.compile(r'^\s+"(.*)"  - ', re.MULTILINE)
_SYNONYMS = re.compile(r"^\s+Synonyms?: (.*)$", re.MULTILINE)
_POS: dict[str, PartOfSpeech] = {
    "v": "verb",
    "adj": "i-adjective",
    "adv": "adverb",
    "pron": "pronoun",
    "num": "number",
    "int": "interjection",
    "conj": "conjunction",
    "prep": "particle",
    "art": "particle",
    "ptcl": "particle",
    "n": "noun",
    "masc": "noun",
    "fem": "noun",
    "neut": "noun",
    "pl": "noun",
}
# Verbs stand with their objects: `etw. sehen`, `see sth.`
_OBJECTS = re.compile(
    r"^(?:(?:sich|etw\.|jdn\.|jdm\.|jdn\./etw\.|etw\./jdn\.)\s+)+|\s+(?:sth\.|sb\.|sb\./sth\.|sth\./sb\.)$"
)
_ARTICLES = {"masc": "der", "fem": "die", "neut": "das", "pl": "die"}


@dataclass(frozen=True)
class Translation:
    """A word of the other language, with its grammar and what is said about its use."""

    text: str
    grammar: frozenset[str]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Sense:
    """One meaning of a headword."""

    word: str
    grammar: frozenset[str]
    translations: tuple[Translation, ...]
    examples: tuple[str, ...] = ()
    synonyms: int = 0
    is_noted: bool = False

    @property
    def part_of_speech(self) -> PartOfSpeech:
        """What kind of word it is; the translation tells where the headword does not."""
        return kind_of(self.grammar or self.translations[0].grammar)

    @property
    def article(self) -> str:
        """`der`, `die` or `das` for a noun whose gender is told, else nothing."""
        return article_of(self.grammar)


def kind_of(grammar: frozenset[str]) -> PartOfSpeech:
    """The kind of word that these marks tell."""
    return next((kind for mark, kind in _POS.items() if mark in grammar), "other")


def article_of(grammar: frozenset[str]) -> str:
    """The article of a noun with these marks."""
    return next((article for gender, article in _ARTICLES.items() if gender in grammar), "")


def bare(text: str) -> str:
    """A word without the objects that show its use."""
    return _OBJECTS.sub("", text)


def sense_of(article: str) -> Sense | None:
    """Read an article; nothing where it translates nothing."""
    first, _, rest = article.partition("\n")
    translated, _, remarks = rest.partition("\n")
    translations = _translations(translated)
    if not (head := _HEAD.match(first)) or not translations:
        return None
    return Sense(
        word=head["word"].strip(),
        grammar=_marks(head["grammar"] or ""),
        translations=translations,
        examples=tuple(_EXAMPLE.findall(remarks)),
        synonyms=sum(found.count("{") for found in _SYNONYMS.findall(remarks)),
        is_noted="Note:" in remarks,
    )


def _translations(line: str) -> tuple[Translation, ...]:
    found = []
    for part in _COMMA.split(_ABBREVIATION.sub("", line)):
        labels = tuple(_LABEL.findall(part))
        grammar = frozenset(mark for marks in _GRAMMAR.findall(part) for mark in _marks(marks))
        text = _PRONOUNCED.sub("", _GRAMMAR.sub("", _LABEL.sub("", part)))
        if text := " ".join(text.split()):
            found.append(Translation(text, grammar, labels))
    return tuple(found)


def _marks(grammar: str) -> frozenset[str]:
    return frozenset(mark.strip() for mark in grammar.split(",") if mark.strip())
