"""The words of German lyrics: their dictionary forms and parts of speech, and which are worth learning."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from studium.core.extras import needs_extra
from studium.core.text.language_detection import guess_language
from studium.core.text.stop_words import spoken_words, stop_words
from studium.core.text.word_lists import load_text, load_word_list
from studium.vocabulary.domain import Dictionary, PartOfSpeech, WordToken

_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*(?:['’](?![^\W\d_]))?|\d+|[^\w\s]")
_ENDS_SENTENCE = frozenset('.!?:…"„“»«–')
_ENDS_CLAUSE = _ENDS_SENTENCE | {",", ";"}
# These begin a new clause: `hör auf zu weinen`.
_BEGIN_CLAUSE = frozenset({"und", "oder", "zu", "wenn", "weil", "dass"})
_CONTENT = frozenset({"noun", "verb", "i-adjective", "adverb"})
# Songs often drop an ending: hab', geh', geht's.
_APOSTROPHES = "'’"

_Candidate = tuple[str, PartOfSpeech | None]


@dataclass(frozen=True)
class _Token:
    """A word or mark of a line; if `is_first`, it may have a capital for that reason alone."""

    text: str
    start: int
    line: int
    is_first: bool
    ends_clause: bool
    looks_like_verb: bool


class GermanAnalyser:
    """Finds the words of a text; the dictionary knows their parts of speech."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._kinds = cache(self._look_up)

    def words(self, text: str) -> list[WordToken]:
        """Return every word and mark of a text, in order."""
        found: list[WordToken] = []
        start = 0
        for number, line in enumerate(text.split("\n"), start=1):
            tokens = list(_tokens(line, number, start))
            words = [self._word(token) for token in tokens]
            found += self._join_separable(words, tokens)
            start += len(line) + 1
        return found

    def _word(self, token: _Token) -> WordToken:
        lemma, kind, is_content = self._identify(token)
        reading = self._with_article(lemma) if kind == "noun" else lemma
        return WordToken(token.text, lemma, token.text, reading, kind, is_content, token.start, token.line)

    def _identify(self, token: _Token) -> tuple[str, PartOfSpeech, bool]:
        text = token.text.rstrip(_APOSTROPHES)
        if not text or not text[0].isalpha():
            return token.text, "number" if text.isdigit() else "symbol", False
        if text.isupper() and len(text) > 1:
            text = text.capitalize()
        if text.lower() in _function_words() and (token.is_first or text.islower() or not self._noun(text)):
            return text.lower(), "particle", False
        for lemma, kind in self._candidates(text, token):
            if kind is not None:
                return lemma, kind, kind in _CONTENT
        return (text, "name", False) if text[0].isupper() else (_lemma(text), "other", False)

    def _candidates(self, text: str, token: _Token) -> tuple[_Candidate, _Candidate]:
        """Return what a word may be, most likely first; the part of speech is `None` if the word is unknown."""
        noun = self._noun(text)
        as_noun: _Candidate = (noun, "noun") if noun else (text, None)
        other = self._other(text.lower())
        if text[0].islower() or (token.is_first and not self._is_rather_noun(text, other, token)):
            return other, as_noun
        return as_noun, other

    def _is_rather_noun(self, text: str, other: _Candidate, token: _Token) -> bool:
        """Tell whether the first word of a sentence is a noun: `Liebe ist …`, but not `Sag mir …`."""
        lemma, kind = other
        is_in_dictionary_form = kind != "verb" and lemma == text.lower()
        return self._noun(text) is not None and not is_in_dictionary_form and not token.looks_like_verb

    def _noun(self, text: str) -> str | None:
        """Return the noun that this is a form of, if the dictionary has it."""
        capital = text[0].upper() + text[1:]
        lemma = _lemma(capital)
        # Inflected forms are longer: a lemma that is longer is another word (Junge is not a form of Junges).
        forms = (lemma, capital) if len(lemma) <= len(capital) else (capital, lemma)
        return next((form for form in forms if form[0].isupper() and "noun" in self._kinds(form)), None)

    def _other(self, text: str) -> _Candidate:
        """Return the verb, adjective or adverb that this is a form of, if the dictionary has it."""
        for form in dict.fromkeys((_lemma(text), text)):
            if form.islower() and (kinds := [kind for kind in self._kinds(form) if kind not in ("noun", "other")]):
                # Every adjective can be used as an adverb; it is learned as an adjective.
                is_adjective = kinds[0] == "adverb" and "i-adjective" in kinds
                return form, "i-adjective" if is_adjective else kinds[0]
        return text, None

    def _look_up(self, lemma: str) -> tuple[PartOfSpeech, ...]:
        return tuple(dict.fromkeys(entry.part_of_speech for entry in self._dictionary.look_up(lemma)))

    def _with_article(self, noun: str) -> str:
        """Return a noun with its article: das Haus."""
        return next((entry.reading for entry in self._dictionary.look_up(noun, pos="noun")), noun)

    def _join_separable(self, words: Sequence[WordToken], tokens: Sequence[_Token]) -> list[WordToken]:
        """Join separable verbs with their prefixes: `ruf mich an` has anrufen."""
        whole = list(words)
        verb: int | None = None
        for place, token in enumerate(tokens):
            if whole[place].part_of_speech == "verb":
                verb = place
            elif token.ends_clause and verb is not None and token.text in _separable():
                joined = token.text + whole[verb].lemma
                if "verb" in self._kinds(joined):
                    whole[verb] = replace(whole[verb], lemma=joined, lemma_reading=joined)
                    whole[place] = replace(whole[place], part_of_speech="particle", is_content=False)
            if token.text in _ENDS_CLAUSE:
                verb = None
        return whole


def is_german(text: str) -> bool:
    """Tell whether a text is in German rather than in English."""
    return guess_language(text, ("en", "de"), "en") == "de"


def _tokens(line: str, number: int, start: int) -> Iterator[_Token]:
    found = list(_TOKEN.finditer(line))
    for place, token in enumerate(found):
        before = found[place - 1][0] if place else ""
        after = found[place + 1][0] if place + 1 < len(found) else ""
        yield _Token(
            text=token[0],
            start=start + token.start(),
            line=number,
            # In a text in capitals, a capital means nothing.
            is_first=not before or before in _ENDS_SENTENCE or (token[0].isupper() and len(token[0]) > 1),
            ends_clause=not after or after in _ENDS_CLAUSE or after.lower() in _BEGIN_CLAUSE,
            looks_like_verb=after.lower() in _after_verbs(),
        )


@cache
def _lemma(form: str) -> str:
    with needs_extra("german", "Reading German songs"):
        from simplemma import lemmatize
    return _irregular().get(form) or lemmatize(form, lang="de")


@cache
def _function_words() -> frozenset[str]:
    return (stop_words("de") | spoken_words("de") | {"du-du", "lalala"}) - load_word_list(
        "studium.vocabulary", "word_lists/german_worth_learning.txt"
    )


def _separable() -> frozenset[str]:
    return load_word_list("studium.vocabulary", "word_lists/german_separable.txt")


def _after_verbs() -> frozenset[str]:
    return load_word_list("studium.vocabulary", "word_lists/german_after_verbs.txt")


@cache
def _irregular() -> dict[str, str]:
    lines = load_text("studium.vocabulary", "word_lists/german_irregular.tsv").splitlines()
    return dict(line.split("\t") for line in lines if not line.startswith("#"))
