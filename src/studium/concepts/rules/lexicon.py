"""The lexicon of a language (word classes and verb forms), and splitting text into clauses and words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from studium.core.text.tokens import count_words, find_words
from studium.core.text.word_lists import load_word_table

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
    defining: frozenset[str]
    naming: frozenset[str]
    joining: frozenset[str]
    unspecific: frozenset[str]
    plurals: frozenset[str]
    wanting: frozenset[str]

    def is_verb(self, word: str) -> bool:
        """Whether a word is a verb form; after an article it may still be a noun."""
        return word in self.verbs or word in self.copulas or word in self.modals or self.is_infinitive(word)

    def is_infinitive(self, word: str) -> bool:
        """Whether a word has the ending of an infinitive or a gerund, and is not a noun."""
        return len(word) > _SHORT and word.endswith(self.infinitives) and word not in self.nouns

    def is_content(self, word: str) -> bool:
        """Whether a word has content."""
        return len(word) > 1 and word not in self.binding and not word[0].isdigit()


@cache
def load_lexicon(language: str) -> Lexicon:
    """The lexicon of a language (`es`, `es-MX`); English if there is none."""
    code = language.lower().replace("_", "-").split("-")[0]
    known = code if code in LANGUAGES else LANGUAGES[0]
    return _built(known, load_word_table(__package__, f"lexicons/{known}.yaml"))


def _built(language: str, said: dict[str, str]) -> Lexicon:
    def listed(name: str) -> frozenset[str]:
        return frozenset(said.get(name, "").split())

    def endings(name: str) -> tuple[str, ...]:
        return tuple(said.get(name, "").split())

    binding = ("determiners", "prepositions", "pronouns", "conjunctions", "adverbs", "modals", "copulas")
    return Lexicon(
        language=language,
        order=said["order"],
        determiners=listed("determiners"),
        prepositions=listed("prepositions"),
        connectors=listed("connectors"),
        pronouns=listed("pronouns"),
        conjunctions=listed("conjunctions"),
        adverbs=listed("adverbs"),
        modals=listed("modals"),
        copulas=listed("copulas"),
        verbs=frozenset(_forms(said.get("verbs", "").split())) | listed("verb_forms"),
        adjectives=listed("adjectives"),
        articles=listed("articles"),
        weak=listed("weak"),
        junk=listed("junk"),
        nouns=listed("nouns"),
        negations=listed("negations"),
        ties=listed("ties"),
        openers=said["openers"],
        noun_endings=endings("noun_endings"),
        adjective_endings=endings("adjective_endings"),
        infinitives=endings("infinitives"),
        means=said["means"],
        calls=said["calls"],
        occupation=said["occupation"],
        binding=frozenset().union(*map(listed, binding)),
        defining=listed("defining"),
        naming=listed("naming"),
        joining=listed("joining"),
        unspecific=listed("unspecific"),
        plurals=listed("plurals"),
        wanting=listed("wanting"),
    )


def _forms(verbs: Iterable[str]) -> Iterable[str]:
    for verb in verbs:
        yield verb
        yield from _romance(verb)


# The forms of a regular verb in a book: present, two past tenses, future and subjunctive.
_ENDINGS = {
    "ar": "o as a amos an é aste ó aron aba abas ábamos aban aré ará aremos arán aría arían ando ado e es emos en",
    "er": "o es e emos en í iste ió ieron ía ías íamos ían eré erá eremos erán ería erían iendo ido a as amos an",
    "ir": "o es e imos en í iste ió ieron ía ías íamos ían iré irá iremos irán iría irían iendo ido a as amos an",
}


def _romance(verb: str) -> Iterable[str]:
    stem, ending = verb[:-2], verb[-2:]
    return (stem + each for each in _ENDINGS.get(ending, "").split())


def lexicon_for_text(text: str, language: str) -> Lexicon:
    """The lexicon for a text: of its declared language, unless it is clearly in another."""
    words = text.lower().split()
    expected = load_lexicon(language)
    hits = sum(word in expected.binding for word in words)
    if hits * 4 >= len(words):
        return expected
    others = {each: sum(word in load_lexicon(each).binding for word in words) for each in LANGUAGES}
    best = max(LANGUAGES, key=lambda each: others[each])
    return load_lexicon(best) if others[best] > max(hits + 1, 2 * hits) else expected


def is_english(text: str, lexicon: Lexicon, language: str) -> bool:
    """Whether a text is in English; the lexicon is English for languages that have none, too."""
    if lexicon.language != "en" or not re.search(r"[a-z]{2}", text, re.IGNORECASE):
        return False
    words = text.lower().split()
    return language[:2] in LANGUAGES or sum(word in lexicon.binding for word in words) * 4 >= len(words)


_MARKED = re.compile(r"(?<![\w*_])(\*\*|__|\*|_)(?=\S)(.{1,300}?)(?<=\S)\1(?![\w*_])")
_LINK = re.compile(r"!?\[([^\]]{0,500})\]\([^)]{0,1000}\)")
_WIKI = re.compile(r"\[\[(?:[^\]|]{0,500}\|)?([^\]]{0,500})\]\]")
_NOISE = re.compile(r"<[^>]{1,80}>|\[\^?\d{1,3}\]|\[(?:…|\.\.\.|sic)\]|^[>#\s]+|[\u200b\ufeff]", re.MULTILINE)
_SPOKEN = re.compile(r"(?<!\s)\s*[—–-]{1,2}\s*(?:[A-ZÁÉÍÓÚÑ][\w.’'-]*\s*){1,4}(?:,[^.!?]{0,60})?$")
_CLAUSE = re.compile(r"(?<!\s)\s*(?:[;:]|,|(?<=\s)[—–-]{1,2}\s|—)\s*")
_PART = re.compile(r"(?<!\s)\s*(?:[;:]|(?<=\s)[—–-]{1,2}\s|—)\s*")
_QUOTED = re.compile(r"[“«„\"]([^“”«»„\"]{3,60})[”»“\"]")
QUOTE_MARKS = "\"“”«»„‘’'"


def clean_quote(text: str) -> str:
    """A quote without its markup, footnote marks and the speaker's name."""
    text = _NOISE.sub(" ", _WIKI.sub(r"\1", _LINK.sub(r"\1", text)))
    text = _MARKED.sub(r"\2", _MARKED.sub(r"\2", text))
    text = " ".join(text.split())
    told = _SPOKEN.sub("", text)
    return told if len(told) * 2 > len(text) else text


def emphasized_parts(text: str) -> tuple[str, ...]:
    """The parts of a quote in italics, bold or quotation marks."""
    found = [each[1] for each in _MARKED.findall(text)] + _QUOTED.findall(text)
    return tuple(each.strip(" .,;:") for each in found if len(each) * 2 < len(text))


def clauses(sentence: str) -> list[str]:
    """The parts of a sentence between commas, colons and dashes."""
    return [each for each in _CLAUSE.split(sentence.strip(QUOTE_MARKS + " .")) if each.strip()]


def strong_clauses(sentence: str) -> list[str]:
    """The parts of a sentence between semicolons, colons and dashes."""
    return [each for each in _PART.split(sentence.strip(QUOTE_MARKS + " .")) if each.strip()]


def words(text: str) -> list[str]:
    """The words of a text; an elided article is a word of its own."""
    return [word for word, _ in tokens(text)]


def tokens(text: str) -> Iterator[tuple[str, bool]]:
    """The words of a text, each with whether punctuation comes before it."""
    end = 0
    for token in find_words(text, hyphens=True, elided="split", unspaced="whole"):
        # The apostrophe of `dogs' owner` belongs to the word before it.
        gap, end = text[end : token.start], token.end
        yield token.text, bool(gap.removeprefix("'").removeprefix("’").strip())


_STOP = re.compile(r"(?<=[,;:—–])\s")


def excerpt(sentences: Sequence[str], ranked: Iterable[int], words: int) -> str:
    """The best of the sentences (`ranked` names them, best first) that fit; one that is too long ends at a clause."""
    chosen: list[int] = []
    left = words
    order = list(ranked)
    for each in order:
        length = count_words(sentences[each])
        if length <= left and sentences[each] not in (sentences[i] for i in chosen):
            chosen.append(each)
            left -= length
    if not chosen and order:
        return shorten(sentences[order[0]], words)
    return " ".join(sentences[each] for each in sorted(chosen))


def shorten(sentence: str, words: int) -> str:
    """A sentence shortened to this many words, at the end of a clause if possible, with “…”."""
    if count_words(sentence) <= words:
        return sentence
    kept = ""
    for clause in _STOP.split(sentence):
        longer = f"{kept} {clause}" if kept else clause
        if count_words(longer) > words:
            break
        kept = longer
    if kept:
        return kept.rstrip(" ,;:—–") + " …"
    first = sentence.split()
    if len(first) > 1:
        return " ".join(first[:words]).rstrip(" ,;:—–") + " …"
    return sentence[: 2 * words] + "…"
