"""The small words of five languages: they tell the language, and they carry no fact."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple
from unicodedata import category, normalize

import yaml

RULES = "studium.questions.rules"


@dataclass(frozen=True)
class Lexicon:
    """One file of words: under each concept, the languages with their words or wordings."""

    concepts: dict[str, Any]

    def by_language(self, concept: str) -> dict[str, frozenset[str]]:
        """The single words of a concept, language by language."""
        return {language: frozenset(said.split()) for language, said in self.concepts[concept].items()}

    def words(self, concept: str) -> frozenset[str]:
        """The single words of a concept in all languages."""
        return frozenset(word for said in self.concepts[concept].values() for word in said.split())

    def any_of(self, concept: str) -> str:
        """A pattern for any of the wordings of a concept."""
        return "|".join(self.wordings(concept))

    def wordings(self, concept: str) -> Iterable[str]:
        """The wordings of a concept in all languages; each is a pattern."""
        return [wording for said in self.concepts[concept].values() for wording in said.split(" / ")]


@cache
def load_lexicon(folder: str) -> Lexicon:
    """The words that a folder of the rules keeps beside its code."""
    text = files(f"{RULES}.{folder}").joinpath("words.yaml").read_text(encoding="utf-8")
    return Lexicon(yaml.safe_load(text))


_KANA = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LETTERS = re.compile(r"[^\W\d_]+")

FUNCTION_WORDS = load_lexicon("comparison").by_language("function_words")
NEGATIONS = load_lexicon("comparison").by_language("negations")


@lru_cache(maxsize=4096)
def guess_language(text: str) -> str:
    """Which of the known languages a text is most likely in; English where nothing tells."""
    if _KANA.search(text):
        return "ja"
    if _CYRILLIC.search(text):
        return "ru"
    words = [word.casefold() for word in _LETTERS.findall(text[:4000]) if len(word) > 1]
    hits = {code: sum(word in FUNCTION_WORDS[code] for word in words) for code in ("en", "de", "es", "fr")}
    return max(hits, key=lambda code: hits[code])


def is_function_word(word: str, language: str) -> bool:
    """Whether a case-folded word carries no fact of its own in this language."""
    return word in FUNCTION_WORDS.get(language, frozenset())


def is_negation(word: str, language: str) -> bool:
    """Whether a case-folded word turns a statement into its opposite."""
    return word in NEGATIONS[language] or word.endswith(("n't", "n’t"))


_CYRILLIC_LETTER = re.compile(r"[\u0400-\u04ff]")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"([bdfgmnprt])\1$")
_RUSSIAN = re.compile(
    r"(?<=.{3})(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|ая|яя|ое|ее|ые|ие|ый|ий|ой|ей|ом|ем|ах|ях|ов|ев|ам|ям|ую|юю"
    r"|ия|ии|ию|ет|ют|ит|ат|ят|ся|сь|ть|[аеиоуыьюяй])$"
)
_IRREGULAR = {
    form: word for word, forms in load_lexicon("comparison").by_language("irregular_forms").items() for form in forms
}
_LONG_ENOUGH = 4


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """A word without case, accents and inflection; what is written without spaces stays as it is."""
    folded = normalize("NFKC", word).casefold().removesuffix("'s").removesuffix("’s")
    if _UNSPACED.search(folded):
        return folded
    if _CYRILLIC_LETTER.search(folded):
        return _RUSSIAN.sub("", folded.replace("ё", "е"))
    plain = "".join(char for char in normalize("NFD", folded) if category(char) != "Mn")
    return _latin(_IRREGULAR.get(plain, plain))


def _latin(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _LONG_ENOUGH - 1 and _VOWEL.search(rest):
            return _short_end(_DOUBLED.sub(r"\1", rest))
    if word.endswith("ies") and len(word) > _LONG_ENOUGH:
        return word[:-3] + "y"
    if re.search(r"(?:x|ch|sh|ss|z)es$", word):
        return word[:-2]
    if word.endswith("s") and len(word) > _LONG_ENOUGH - 1 and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _short_end(word)


def _short_end(word: str) -> str:
    """Without the vowel, or the German `-en`, that only inflects."""
    if word.endswith("en") and len(word) > _LONG_ENOUGH + 1:
        return word[:-2]
    return word[:-1] if len(word) > _LONG_ENOUGH and word[-1] in "aeo" else word


def _related(concept: str) -> dict[str, frozenset[str]]:
    """Each stem with those that stand in one line with it."""
    found: dict[str, frozenset[str]] = {}
    for line in load_lexicon("comparison").wordings(concept):
        group = frozenset(map(stem, line.split()))
        for word in group:
            found[word] = found.get(word, frozenset()) | group
    return found


_SYNONYMS = _related("same")
_OPPOSITES = _related("opposite")


def synonyms(key: str) -> frozenset[str]:
    """The stems that say what this stem says, itself among them."""
    return _SYNONYMS.get(key, frozenset((key,)))


def opposites(key: str) -> frozenset[str]:
    """The stems that say the opposite of this stem."""
    return _OPPOSITES.get(key, frozenset()) - {key}


# Han and katakana runs are words; hiragana mostly inflects and joins them.
_WORD = re.compile(
    r"[\u3400-\u9fff\u3005]+|[\u30a0-\u30ff]+|[\u3040-\u309f]+"
    r"|(?:(?![\u3040-\u30ff\u3400-\u9fff])[^\W_])+(?:['’](?:(?![\u3040-\u30ff\u3400-\u9fff])[^\W\d_])+)?"
)
_HIRAGANA = re.compile(r"[\u3040-\u309f]+")
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu)['’](?=\w)", re.IGNORECASE)


class Word(NamedTuple):
    """A word where it stands; `key` is what it is compared by."""

    text: str
    key: str
    telling: bool
    negation: bool
    start: int
    end: int

    @property
    def capital(self) -> bool:
        """Whether it is written with a capital or a digit, as names and codes are."""
        return self.text[:1].isupper() or any(char.isdigit() for char in self.text)


def words_in(text: str, language: str | None = None) -> list[Word]:
    """The words of a text, in order."""
    spoken = language or guess_language(text)
    return list(_words(text, spoken))


def _words(text: str, language: str) -> Iterator[Word]:
    for match in _WORD.finditer(text):
        start, said = match.start(), match[0]
        if language == "fr" and (elided := _ELIDED.match(said)):
            start, said = start + elided.end(), said[elided.end() :]
        yield Word(said, *_judged(said, language), start, match.end())


@lru_cache(maxsize=100_000)
def _judged(said: str, language: str) -> tuple[str, bool, bool]:
    """The stem of a word, whether it carries a fact, and whether it negates."""
    folded = said.casefold()
    negation = is_negation(folded, language)
    empty = is_function_word(folded, language) or bool(_HIRAGANA.fullmatch(said))
    acronym = len(said) > 1 and said.isupper() and language != "de"
    return stem(said), (not empty or acronym) and not negation, negation
