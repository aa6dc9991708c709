"""Which entry of the dictionary a word in a text is: by its spelling, its reading, its use and its part of speech."""

import re

from studium.domain.word import PartOfSpeech
from studium.stores.dictionary.headword import Form, Headword, in_hiragana
from studium.stores.dictionary.usefulness import rarity, usefulness

_KANA = re.compile(r"[ぁ-ゖー]+")

# Parts of speech that analysers and JMdict tell apart differently.
_NEAR: dict[PartOfSpeech, frozenset[PartOfSpeech]] = {
    "noun": frozenset({"na-adjective", "pronoun", "counter", "number", "suffix", "adverb"}),
    "na-adjective": frozenset({"noun"}),
    "i-adjective": frozenset({"na-adjective", "auxiliary"}),
    "pronoun": frozenset({"noun"}),
    "adverb": frozenset({"noun", "na-adjective", "expression"}),
    "verb": frozenset({"expression", "auxiliary"}),
    "suffix": frozenset({"noun", "counter"}),
    "prefix": frozenset({"noun", "other"}),
    "interjection": frozenset({"expression", "noun"}),
    "expression": frozenset({"noun", "verb", "adverb", "interjection"}),
    "conjunction": frozenset({"adverb", "expression"}),
    "other": frozenset({"expression", "adverb"}),
}


def agreement(kinds: frozenset[PartOfSpeech], pos: PartOfSpeech | None) -> float:
    """How well an entry's or a sense's parts of speech fit the one that was seen: 1, a half, or 0."""
    if pos is None or pos in kinds:
        return 1.0
    return 0.5 if _NEAR.get(pos, frozenset()) & kinds else 0.0


def fit(word: Headword, lemma: str, reading: str | None, pos: PartOfSpeech | None) -> float:
    """How well a headword answers to a word as it was seen."""
    worth = usefulness(word)
    return (
        _spelling(word, lemma)
        + _reading(word, lemma, reading)
        + 5 * agreement(word.kinds, pos)
        + 0.5 * worth
        - 0.7 * min(rarity(sense) for sense in word.senses)
    )


def skeleton(text: str) -> str:
    """A word without its kana: what 立ち上がる and 立上がる have in common."""
    return _KANA.sub("", in_hiragana(text))


def _spelling(word: Headword, lemma: str) -> float:
    """Written as the entry writes it; in kana, as only some words usually are."""
    for place, form in enumerate(word.written):
        if form.text == lemma:
            return 6 - min(place, 4) * 0.5 - (2 if form.is_irregular else 0)
    if skeleton(lemma):
        return 3.0 if any(in_hiragana(form.text) == in_hiragana(lemma) for form in word.written) else 0.0
    exact = 1.0 if any(form.text == lemma for form in word.read) else 0.0
    return exact + (5.0 if word.is_usually_kana else 2.0)


def _reading(word: Headword, lemma: str, reading: str | None) -> float:
    if reading is None:
        return 0.0
    wanted = in_hiragana(reading)
    for place, form in enumerate(word.readings_of(lemma)):
        if in_hiragana(form.text) == wanted:
            return 8 - min(place, 4) * 0.4 - (2 if form.is_irregular else 0)
    return 0.0


def usual(forms: tuple[Form, ...]) -> Form:
    """The form a learner meets: the first one that is not irregular."""
    return next((form for form in forms if not form.is_irregular), forms[0])
