"""FreeDict, the dictionary of German and English, in dictd's format."""

import mmap
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from math import log1p
from pathlib import Path

from studium.core.domain.errors import BadInput, MissingPart
from studium.core.extras import needs_extra
from studium.core.text.stems import stem
from studium.core.text.tokens import split_words
from studium.vocabulary.domain import DictionaryEntry, Gloss, PartOfSpeech, WordToken

_DIGITS = {
    digit: value for value, digit in enumerate(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
_HEADER = 12
_HAS_EXTRA, _HAS_NAME, _HAS_COMMENT, _HAS_CHECK = 4, 8, 16, 2


class DictdFile:
    """The articles of `NAME.index` and `NAME.dict.dz` in a folder, by headword."""

    def __init__(self, folder: Path, name: str) -> None:
        try:
            self._index = _mapped(folder / f"{name}.index")
            self._articles = _mapped(folder / f"{name}.dict.dz")
        except (OSError, ValueError) as error:
            message = f"The dictionary {name} is not in {folder}."
            raise MissingPart(message, remedy=f"apt-get install dict-{name}, or set `vocabulary.freedict`.") from error
        self._chunk_size, self._chunks = _chunks(self._articles)
        self._chunk = lru_cache(maxsize=64)(self._inflated)

    def articles(self, word: str) -> list[str]:
        """Return the articles of a headword, ignoring case and punctuation."""
        key = _key(word)
        found = []
        at = self._first(key)
        while key and at < len(self._index):
            end = self._index.find(b"\n", at)
            # An optional fourth column has the headword with its punctuation.
            headword, start, size, *_ = self._index[at:end].split(b"\t")
            if headword != key:
                break
            found.append(self._text(_number(start), _number(size)))
            at = end + 1
        return found

    def _first(self, key: bytes) -> int:
        """Find the first line of the index whose headword is not before the key, by binary search."""
        low, high = 0, len(self._index)
        while low < high:
            middle = self._index.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = self._index.find(b"\n", middle) + 1 or len(self._index)
            if self._index[middle : self._index.find(b"\t", middle)] < key:
                low = end
            else:
                high = middle
        return low

    def _text(self, start: int, size: int) -> str:
        first, last = start // self._chunk_size, (start + size - 1) // self._chunk_size
        content = b"".join(self._chunk(number) for number in range(first, last + 1))
        skipped = start - first * self._chunk_size
        return content[skipped : skipped + size].decode(errors="replace")

    def _inflated(self, number: int) -> bytes:
        start, end = self._chunks[number : number + 2]
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(self._articles[start:end])


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _key(word: str) -> bytes:
    """Spell a headword as in the index: lower-case letters, digits and spaces."""
    kept = "".join(sign for sign in word.lower() if sign.isalnum() or sign.isspace())
    return " ".join(kept.split()).encode()


def _number(digits: bytes) -> int:
    value = 0
    for digit in digits:
        value = value * 64 + _DIGITS[digit]
    return value


def _chunks(packed: mmap.mmap) -> tuple[int, list[int]]:
    """Return the uncompressed size of a chunk, and the offsets of the compressed chunks and of their end.

    dictzip stores their sizes in gzip's extra field `RA`.
    """
    if packed[:2] != b"\x1f\x8b" or not packed[3] & _HAS_EXTRA or packed[_HEADER : _HEADER + 2] != b"RA":
        raise BadInput("The dictionary is not a dictzip file.", remedy="Install Debian's package of it.")
    extra, _, _, _, length, count = struct.unpack_from("<H2sHHHH", packed, _HEADER - 2)
    sizes = struct.unpack_from(f"<{count}H", packed, _HEADER + 10)
    at = _HEADER + extra
    for flag in (_HAS_NAME, _HAS_COMMENT):
        if packed[3] & flag:
            at = packed.find(b"\0", at) + 1
    starts = [at + 2 * bool(packed[3] & _HAS_CHECK)]
    for size in sizes:
        starts.append(starts[-1] + size)
    return length, starts


_HEAD = re.compile(r"(?P<word>[^/<\n]+?)\s*(?:/[^/\n]*/.*?)?(?:<(?P<grammar>[^<>\n]*)>)?\s*$")
_GRAMMAR = re.compile(r"<([^<>]*)>")
_LABEL = re.compile(r"\[([^\]]*)\]")
# An abbreviation follows its word, with its pronunciation.
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
# Verbs are listed with their objects: `etw. sehen`, `see sth.`
_OBJECTS = re.compile(
    r"^(?:(?:sich|etw\.|jdn\.|jdm\.|jdn\./etw\.|etw\./jdn\.)\s+)+|\s+(?:sth\.|sb\.|sb\./sth\.|sth\./sb\.)$"
)
_ARTICLES = {"masc": "der", "fem": "die", "neut": "das", "pl": "die"}


@dataclass(frozen=True)
class Translation:
    """A translation, with its grammar and usage labels."""

    text: str
    grammar: frozenset[str]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class ArticleSense:
    """One meaning of a headword."""

    word: str
    grammar: frozenset[str]
    translations: tuple[Translation, ...]
    examples: tuple[str, ...] = ()
    synonyms: int = 0
    is_noted: bool = False

    @property
    def part_of_speech(self) -> PartOfSpeech:
        """The part of speech, of the headword or else of the translation."""
        return pos_of_grammar(self.grammar or self.translations[0].grammar)

    @property
    def article(self) -> str:
        """`der`, `die` or `das` if the gender is known, else empty."""
        return definite_article(self.grammar)


def pos_of_grammar(grammar: frozenset[str]) -> PartOfSpeech:
    """Return the part of speech of grammar marks."""
    return next((kind for mark, kind in _POS.items() if mark in grammar), "other")


def definite_article(grammar: frozenset[str]) -> str:
    """Return the definite article for grammar marks; empty if there is none."""
    return next((article for gender, article in _ARTICLES.items() if gender in grammar), "")


def bare_word(text: str) -> str:
    """Remove the objects from a verb: `etw. sehen` becomes `sehen`."""
    return _OBJECTS.sub("", text)


def parse_article(article: str) -> ArticleSense | None:
    """Parse an article; `None` if it has no translation."""
    first, _, rest = article.partition("\n")
    translated, _, remarks = rest.partition("\n")
    translations = _translations(translated)
    if not (head := _HEAD.match(first)) or not translations:
        return None
    return ArticleSense(
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


Zipf = Callable[[str], float]
"""Returns the Zipf frequency of a word: log10 of its occurrences per billion words."""

# Labels of words that learners need late or never.
_MARGINAL = re.compile(r"^(?:obs|slang|vulg|rare|dated|archaic|veraltet|selten|ugs|coll|Schw|Ös|Sc|poet|pej|humor)\b")
_MIN_LENGTH = 4


def sense_weight(sense: ArticleSense, zipf: Zipf, line: str = "") -> float:
    """Score how likely a sense is, in a line if one is given."""
    first = sense.translations[0]
    return (
        0.5 * zipf(bare_word(first.text))
        + min(log1p(len(sense.examples)), 2.2)
        + min(_shared(sense, line), 3)
        - 0.6 * min(sense.synonyms, 3)
        - 0.8 * bool(first.labels)
        - 1.0 * (" " in bare_word(first.text))
        - 2.0 * any(_MARGINAL.match(label) for label in first.labels)
        - 0.5 * sense.is_noted
        - 1.5 * (sense.part_of_speech == "other")
    )


def _shared(sense: ArticleSense, line: str) -> int:
    """Count the words that a line shares with the examples, in any form."""
    if not line:
        return 0
    own = _stems(sense.word)
    return len((_stems(line) & _stems(" ".join(sense.examples))) - own)


def _stems(text: str) -> set[str]:
    return {stem(word, "de") for word in split_words(text) if len(word) >= _MIN_LENGTH}


DICTD_FOLDER = Path("/usr/share/dictd")
"""Debian's folder for dictionaries."""

_MODALS = {"can", "could", "may", "might", "must", "shall", "should", "will", "would"}
# How headwords may begin.
_VERB_FRAMES = ("", "etw. ", "jdn. ", "jdm. ", "jdn./etw. ")
_NOUN_FRAMES = ("", "der ", "die ", "das ")
_ENGLISH_FRAMES = ("{}", "the {}", "{} sth.", "{} sb.", "{} sb./sth.")


class FreeDict:
    """FreeDict's German–English and English–German dictionaries in a folder; the second is opened on first use."""

    def __init__(self, folder: Path = DICTD_FOLDER) -> None:
        self._folder = folder
        self._german = DictdFile(folder, "freedict-deu-eng")
        self._senses = cache(self._read)

    @cached_property
    def _english(self) -> DictdFile:
        return DictdFile(self._folder, "freedict-eng-deu")

    def look_up(
        self, lemma: str, reading: str | None = None, pos: PartOfSpeech | None = None
    ) -> Sequence[DictionaryEntry]:
        """Return the entries of a word, most likely first; the reading is ignored."""
        del reading
        return _entries(lemma, _of_kind(self._senses(lemma), pos))

    def gloss(self, word: WordToken, line: str) -> Gloss | None:
        """Return what a word means in its line, or `None` if the dictionary does not have it."""
        senses = _of_kind(self._senses(word.lemma), word.part_of_speech)
        if not senses:
            return None
        best = max(senses, key=lambda sense: sense_weight(sense, _zipf_english, line))
        meanings = tuple(_english_of(best, translation) for translation in best.translations)
        return Gloss(meanings[0], meanings, _id(word.lemma, best.part_of_speech), senses.index(best))

    def reverse(self, english: str, pos: PartOfSpeech | None = None) -> Sequence[DictionaryEntry]:
        """Return the German translations of an English word, most useful to a learner first."""
        weights: dict[tuple[str, PartOfSpeech], float] = {}
        for sense in self._from_english(english):
            base = sense_weight(sense, _zipf_german)
            for place, translation in enumerate(sense.translations):
                word = bare_word(translation.text)
                if " " in word:
                    continue
                key = (word, _kind_in_german(sense, translation))
                worth = base - place + 0.4 * _zipf_german(word)
                weights[key] = max(weights.get(key, worth), worth)
        ranked = sorted(weights, key=lambda key: -weights[key])
        found = (self.look_up(word, pos=kind) for word, kind in ranked if pos in (None, kind))
        return [entries[0] for entries in found if entries]

    def kanji_readings(self, kanji: str) -> Sequence[str]:
        """Return nothing: German has no kanji."""
        del kanji
        return ()

    def _read(self, lemma: str) -> tuple[ArticleSense, ...]:
        """Return the senses of a word, most likely first; those of `sich freuen` if there is no `freuen`."""
        frames = _NOUN_FRAMES if lemma[:1].isupper() else _VERB_FRAMES
        senses = _read_all(self._german, [frame + lemma for frame in frames])
        senses = senses or _read_all(self._german, [f"sich {lemma}"])
        return tuple(sorted(senses, key=lambda sense: -sense_weight(sense, _zipf_english)))

    def _from_english(self, english: str) -> list[ArticleSense]:
        return _read_all(self._english, [frame.format(english) for frame in _ENGLISH_FRAMES])


def _read_all(dictionary: DictdFile, words: Iterable[str]) -> list[ArticleSense]:
    """Return the senses of exactly these words; the index does not distinguish `gehen`, `Gehen` and `Gehen…`."""
    found = ((word, parse_article(article)) for word in words for article in dictionary.articles(word))
    return [sense for word, sense in found if sense and sense.word == word]


def _of_kind(senses: Sequence[ArticleSense], pos: PartOfSpeech | None) -> list[ArticleSense]:
    """Return the senses with a part of speech, or all if there is none."""
    return [sense for sense in senses if sense.part_of_speech == pos] or list(senses)


def _entries(lemma: str, senses: Iterable[ArticleSense]) -> list[DictionaryEntry]:
    """Make one entry per part of speech and gender, with the meanings of all its senses."""
    grouped: dict[tuple[PartOfSpeech, str], list[ArticleSense]] = {}
    for sense in senses:
        grouped.setdefault((sense.part_of_speech, sense.article), []).append(sense)
    return [
        DictionaryEntry(
            id=_id(lemma, kind),
            written=lemma,
            reading=f"{article} {lemma}".strip(),
            part_of_speech=kind,
            glosses=tuple(dict.fromkeys(_english_of(sense, each) for sense in group for each in sense.translations)),
            frequency=_zipf_german(lemma),
        )
        for (kind, article), group in grouped.items()
    ]


def _english_of(sense: ArticleSense, translation: Translation) -> str:
    text = bare_word(translation.text)
    is_infinitive = sense.part_of_speech == "verb" and text.split()[0] not in _MODALS
    return f"to {text}" if is_infinitive else text


def _kind_in_german(sense: ArticleSense, translation: Translation) -> PartOfSpeech:
    if definite_article(translation.grammar):
        return "noun"
    return sense.part_of_speech if sense.grammar else pos_of_grammar(translation.grammar)


def _id(lemma: str, kind: PartOfSpeech) -> str:
    return f"freedict:deu-eng:{lemma}:{kind}"


@cache
def _zipf_german(word: str) -> float:
    return _zipf(word, "de")


@cache
def _zipf_english(word: str) -> float:
    return _zipf(word, "en")


def _zipf(word: str, language: str) -> float:
    with needs_extra("german", "Reading German songs"):
        from wordfreq import zipf_frequency
    return zipf_frequency(word, language)
