"""What the rules know of a language: which words bind, which ones act, and which ones can name an idea."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_SHORT = 4
LANGUAGES = ("en", "es", "fr", "de", "it", "pt")


@dataclass(frozen=True)
class Lexicon:
    """The words of one language by what they do, and its wordings for definitions."""

    language: str
    order: str
    determiners: frozenset[str]
    prepositions: frozenset[str]
    connectors: frozenset[str]
    pronouns: frozenset[str]
    conjunctions: frozenset[str]
    adverbs: frozenset[str]
    modals: frozenset[str]
    copulas: frozenset[str]
    verbs: frozenset[str]
    adjectives: frozenset[str]
    articles: frozenset[str]
    weak: frozenset[str]
    junk: frozenset[str]
    nouns: frozenset[str]
    negations: frozenset[str]
    ties: frozenset[str]
    openers: str
    noun_endings: tuple[str, ...]
    adjective_endings: tuple[str, ...]
    infinitives: tuple[str, ...]
    means: str
    calls: str
    occupation: str
    binding: frozenset[str]

    def is_verb(self, word: str) -> bool:
        """Whether a word acts; where it follows an article it may still be a noun."""
        return word in self.verbs or word in self.copulas or word in self.modals or self.is_infinitive(word)

    def is_infinitive(self, word: str) -> bool:
        """Whether a word has the ending of an infinitive or a gerund, and is no noun all the same."""
        return len(word) > _SHORT and word.endswith(self.infinitives) and word not in self.nouns

    def is_content(self, word: str) -> bool:
        """Whether a word can carry an idea."""
        return len(word) > 1 and word not in self.binding and not word[0].isdigit()


@cache
def load_lexicon(language: str) -> Lexicon:
    """The lexicon of a language (`es`, `es-MX`); English where we know nothing of it."""
    import yaml

    code = language.lower().replace("_", "-").split("-")[0]
    known = code if code in LANGUAGES else LANGUAGES[0]
    text = files(__package__).joinpath("lexicons", f"{known}.yaml").read_text(encoding="utf-8")
    return _built(known, yaml.safe_load(text))


def _built(language: str, said: dict[str, str]) -> Lexicon:
    words: dict[str, Any] = {
        name: frozenset(said.get(name, "").split())
        for name in (
            *("determiners", "prepositions", "connectors", "pronouns", "conjunctions", "adverbs", "modals", "copulas"),
            *("adjectives", "articles", "weak", "junk", "nouns", "negations", "ties"),
        )
    }
    endings: dict[str, Any] = {
        name: tuple(said.get(name, "").split()) for name in ("noun_endings", "adjective_endings", "infinitives")
    }
    wordings: dict[str, Any] = {name: said[name] for name in ("means", "calls", "occupation", "openers")}
    binding = frozenset().union(
        *(words[name] for name in ("determiners", "prepositions", "pronouns", "conjunctions", "adverbs")),
        *(words[name] for name in ("modals", "copulas")),
    )
    verbs = frozenset(_forms(said["verbs"].split(), language)) | frozenset(said["verb_forms"].split())
    return Lexicon(language=language, order=said["order"], verbs=verbs, binding=binding, **words, **endings, **wordings)


def _forms(verbs: Iterable[str], language: str) -> Iterable[str]:
    for verb in verbs:
        yield verb
        yield from _english(verb) if language == "en" else _romance(verb)


def _english(verb: str) -> Iterable[str]:
    stem = verb.removesuffix("e")
    yield from (verb + ending for ending in ("s", "es", "d", "ed", "ing"))
    yield from (stem + ending for ending in ("ing", "ed"))
    yield from (verb + verb[-1] + ending for ending in ("ed", "ing"))
    if verb.endswith("y"):
        yield from (verb[:-1] + ending for ending in ("ies", "ied"))


# What a regular verb sounds like in a book: the present, the two pasts, the future and the subjunctive.
_ENDINGS = {
    "ar": "o as a amos an é aste ó aron aba abas ábamos aban aré ará aremos arán aría arían ando ado e es emos en",
    "er": "o es e emos en í iste ió ieron ía ías íamos ían eré erá eremos erán ería erían iendo ido a as amos an",
    "ir": "o es e imos en í iste ió ieron ía ías íamos ían iré irá iremos irán iría irían iendo ido a as amos an",
}


def _romance(verb: str) -> Iterable[str]:
    stem, ending = verb[:-2], verb[-2:]
    return (stem + each for each in _ENDINGS.get(ending, "").split())


def lexicon_for_text(text: str, language: str) -> Lexicon:
    """The lexicon that fits a text: of the language it is said to be in, unless it plainly is in another."""
    words = text.lower().split()
    expected = load_lexicon(language)
    hits = sum(word in expected.binding for word in words)
    if hits * 4 >= len(words):
        return expected
    others = {each: sum(word in load_lexicon(each).binding for word in words) for each in LANGUAGES}
    best = max(LANGUAGES, key=lambda each: others[each])
    return load_lexicon(best) if others[best] > max(hits + 1, 2 * hits) else expected
