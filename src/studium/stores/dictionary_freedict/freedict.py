"""A dictionary of two languages: German for those who know English."""

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path

from studium.core.domain.errors import MissingExtra
from studium.domain.word import Entry, Gloss, PartOfSpeech, SungWord
from studium.stores.dictionary_freedict.article import Sense, Translation, article_of, bare, kind_of, sense_of
from studium.stores.dictionary_freedict.dictd import DictdFile
from studium.stores.dictionary_freedict.ranking import weight

FOLDER = Path("/usr/share/dictd")
"""Where Debian puts its dictionaries."""

_MODALS = {"can", "could", "may", "might", "must", "shall", "should", "will", "would"}
# What headwords begin with besides the word itself.
_VERB_FRAMES = ("", "etw. ", "jdn. ", "jdm. ", "jdn./etw. ")
_NOUN_FRAMES = ("", "der ", "die ", "das ")
_ENGLISH_FRAMES = ("{}", "the {}", "{} sth.", "{} sb.", "{} sb./sth.")


class FreeDict:
    """German–English by the two files of FreeDict in a folder; English–German is only opened to look from there."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._german = DictdFile(folder, "freedict-deu-eng")
        self._senses = cache(self._read)

    @cached_property
    def _english(self) -> DictdFile:
        return DictdFile(self._folder, "freedict-eng-deu")

    def look_up(self, lemma: str, reading: str | None = None, pos: PartOfSpeech | None = None) -> Sequence[Entry]:
        """The entries of a word, the likeliest first; what is written as it is spoken has no other reading."""
        del reading
        return _entries(lemma, _of_kind(self._senses(lemma), pos))

    def gloss(self, word: SungWord, line: str) -> Gloss | None:
        """What a word means in its line."""
        senses = _of_kind(self._senses(word.lemma), word.part_of_speech)
        if not senses:
            return None
        best = max(senses, key=lambda sense: weight(sense, _zipf_english, line))
        meanings = tuple(_english_of(best, translation) for translation in best.translations)
        return Gloss(meanings[0], meanings, _id(word.lemma, best.part_of_speech), senses.index(best))

    def reverse(self, english: str, pos: PartOfSpeech | None = None) -> Sequence[Entry]:
        """The German words that mean this, the most useful to a learner first."""
        weights: dict[tuple[str, PartOfSpeech], float] = {}
        for sense in self._from_english(english):
            base = weight(sense, _zipf_german)
            for place, translation in enumerate(sense.translations):
                word = bare(translation.text)
                if " " in word:
                    continue
                key = (word, _kind_in_german(sense, translation))
                worth = base - place + 0.4 * _zipf_german(word)
                weights[key] = max(weights.get(key, worth), worth)
        ranked = sorted(weights, key=lambda key: -weights[key])
        found = (self.look_up(word, pos=kind) for word, kind in ranked if pos in (None, kind))
        return [entries[0] for entries in found if entries]

    def kanji_readings(self, sign: str) -> Sequence[str]:
        """None: a letter has no reading of its own."""
        del sign
        return ()

    def _read(self, lemma: str) -> tuple[Sense, ...]:
        """The senses of a word, the likeliest first; of `sich freuen` where there is no `freuen`."""
        frames = _NOUN_FRAMES if lemma[:1].isupper() else _VERB_FRAMES
        senses = _read_all(self._german, [frame + lemma for frame in frames])
        senses = senses or _read_all(self._german, [f"sich {lemma}"])
        return tuple(sorted(senses, key=lambda sense: -weight(sense, _zipf_english)))

    def _from_english(self, english: str) -> list[Sense]:
        return _read_all(self._english, [frame.format(english) for frame in _ENGLISH_FRAMES])


def _read_all(dictionary: DictdFile, words: Iterable[str]) -> list[Sense]:
    """The senses of just these words: the index knows no capitals and no marks, `Gehen` and `Haus…` are other words."""
    found = ((word, sense_of(article)) for word in words for article in dictionary.articles(word))
    return [sense for word, sense in found if sense and sense.word == word]


def _of_kind(senses: Sequence[Sense], pos: PartOfSpeech | None) -> list[Sense]:
    """The senses of this kind; all where the dictionary knows the word as something else."""
    return [sense for sense in senses if sense.part_of_speech == pos] or list(senses)


def _entries(lemma: str, senses: Iterable[Sense]) -> list[Entry]:
    """One entry for each kind of word and gender, with the meanings of all its senses."""
    grouped: dict[tuple[PartOfSpeech, str], list[Sense]] = {}
    for sense in senses:
        grouped.setdefault((sense.part_of_speech, sense.article), []).append(sense)
    return [
        Entry(
            id=_id(lemma, kind),
            written=lemma,
            reading=f"{article} {lemma}".strip(),
            part_of_speech=kind,
            glosses=tuple(dict.fromkeys(_english_of(sense, each) for sense in group for each in sense.translations)),
            frequency=_zipf_german(lemma),
        )
        for (kind, article), group in grouped.items()
    ]


def _english_of(sense: Sense, translation: Translation) -> str:
    text = bare(translation.text)
    is_infinitive = sense.part_of_speech == "verb" and text.split()[0] not in _MODALS
    return f"to {text}" if is_infinitive else text


def _kind_in_german(sense: Sense, translation: Translation) -> PartOfSpeech:
    if article_of(translation.grammar):
        return "noun"
    return sense.part_of_speech if sense.grammar else kind_of(translation.grammar)


def _id(lemma: str, kind: PartOfSpeech) -> str:
    return f"freedict:deu-eng:{lemma}:{kind}"


@cache
def _zipf_german(word: str) -> float:
    return _zipf(word, "de")


@cache
def _zipf_english(word: str) -> float:
    return _zipf(word, "en")


def _zipf(word: str, language: str) -> float:
    try:
        from wordfreq import zipf_frequency
    except ImportError as error:
        raise MissingExtra("German needs the package wordfreq.", remedy="pip install 'studium[german]'") from error
    return zipf_frequency(word, language)
