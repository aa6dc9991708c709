"""Analyses a quote for the rules: its sentences, definitions, and the phrases that may name its idea."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from studium.concepts.rules.lexicon import (
    Lexicon,
    clean_quote,
    emphasized_parts,
    lexicon_for_text,
)
from studium.concepts.rules.phrases import Definition, Phrase, Token, find_definition, find_phrases, stem_word, tokenize
from studium.concepts.rules.titles import AvoidedWords, as_title, is_name, make_title
from studium.concepts.skills import QuoteView
from studium.core.text.sentences import split_sentences
from studium.core.text.tokens import count_words

_NUMBERS = re.compile(r"^[\W\d_]*(?:[ivxlcdm]+[\W\d_]*)?$", re.IGNORECASE)
_NOTHING = 2
_CRY = 3
_ADDRESS = 12


@dataclass(frozen=True)
class QuoteSentence:
    """A sentence of a quote, what it defines, and its phrases."""

    text: str
    defines: Definition | None
    phrases: tuple[Phrase, ...]
    stems: frozenset[str]


@dataclass(frozen=True)
class QuoteAnalysis:
    """An analysed quote; `name` is what its reader called it in a note, or a phrase that it emphasises."""

    key: str
    text: str
    lines: tuple[QuoteSentence, ...]
    lexicon: Lexicon
    name: str = ""

    @property
    def stems(self) -> frozenset[str]:
        """Its content words."""
        return frozenset().union(*(line.stems for line in self.lines))

    def best(self) -> QuoteSentence:
        """The central sentence: the one that defines something, or that shares most words with the others."""
        shared = Counter(word for line in self.lines for word in line.stems)
        return max(self.lines, key=lambda line: _weight(line, shared, self.lexicon) + 0.3 * (line is self.lines[0]))

    def title(self, avoided: AvoidedWords) -> str:
        """What a reader would call its idea."""
        line = self.best()
        return as_title(self.name) if self.name else make_title(line.text, line.defines, self.lexicon, avoided)


def _weight(line: QuoteSentence, shared: Counter[str], lexicon: Lexicon) -> float:
    first = next(iter(tokenize(line.text)), Token("", "", marked=False)).word
    weight = sum(shared[word] for word in line.stems) / (len(line.stems) + 3)
    if line.defines:
        weight += 2.0 if line.defines.strict else 0.6
    asks = line.text.rstrip('"”»’)').endswith("?")
    points = first in lexicon.pronouns - lexicon.determiners
    return weight - 0.8 * asks - 0.2 * points - 1.0 * (count_words(line.text) <= _CRY)


def analyse_quote(quote: QuoteView, language: str) -> QuoteAnalysis | None:
    """Analyse a quote; `None` if it says nothing."""
    text = clean_quote(quote.text)
    lexicon = lexicon_for_text(text, language)
    if has_no_content(text, lexicon):
        return None
    lines = tuple(
        _line(sentence, lexicon) for sentence in split_sentences(text, lexicon.language, any_start=True) or [text]
    )
    note = clean_quote(next(iter(quote.note.strip().splitlines()), ""))
    named = [each for each in (note, *emphasized_parts(quote.text)) if is_name(each, lexicon)]
    name = next((each for each in named if each == note or _is_phrase(each, lines, lexicon)), "")
    return QuoteAnalysis(quote.key, text, lines, lexicon, name)


def _is_phrase(text: str, lines: Iterable[QuoteSentence], lexicon: Lexicon) -> bool:
    key = tuple(stem_word(each.word, lexicon) for each in tokenize(text))
    return len(key) > 1 and any(key == phrase.key for line in lines for phrase in line.phrases)


def _line(sentence: str, lexicon: Lexicon) -> QuoteSentence:
    said = [each.word for each in tokenize(sentence)]
    stems = frozenset(
        stem_word(word, lexicon) for word in said if lexicon.is_content(word) and word not in lexicon.weak
    )
    return QuoteSentence(sentence, find_definition(sentence, lexicon), tuple(find_phrases(sentence, lexicon)), stems)


def has_no_content(text: str, lexicon: Lexicon) -> bool:
    """Whether a quote is a heading, a reference or a cry: “Chapter 3”, “Ibid.”, “wow”."""
    said = [each.word for each in tokenize(text)]
    address = text.startswith(("http://", "https://")) and len(said) < _ADDRESS
    if not said or _NUMBERS.match(text) or address:
        return True
    telling = [word for word in said if word not in lexicon.junk and not _NUMBERS.match(word)]
    if not any(lexicon.is_content(word) or lexicon.is_verb(word) for word in telling):
        return True
    heads = said[0] in lexicon.junk and len(said) <= _NOTHING + 1 and text[-1] not in ".!?"
    return heads and len(telling) < _NOTHING


def find_avoided_words(author: str, readings: Iterable[QuoteAnalysis]) -> AvoidedWords:
    """Names that make no titles in this book: its author, and words that are always capitalised."""
    capital: Counter[str] = Counter()
    small: Counter[str] = Counter()
    lexicons: set[Lexicon] = set()
    for reading in readings:
        lexicons.add(reading.lexicon)
        if reading.lexicon.order == "capitals":
            continue
        for line in reading.lines:
            for at, token in enumerate(tokenize(line.text)):
                if at and token.surface[0].isupper():
                    capital[stem_word(token.word, reading.lexicon)] += 1
                elif at or token.word:
                    small[stem_word(token.word, reading.lexicon)] += token.surface[0].islower()
    names = {word for word in capital if not small[word]}
    return AvoidedWords(
        frozenset(names | {stem_word(word, lexicon) for word in author.lower().split() for lexicon in lexicons})
    )
