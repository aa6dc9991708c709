"""Analyses a quote for the rules: its sentences, definitions, and the phrases that may name its idea."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from studium.concepts.rules.english_phrases import find_english_definition, find_english_phrases, is_noun_phrase
from studium.concepts.rules.lexicon import (
    Lexicon,
    clean_quote,
    emphasized_parts,
    is_english,
    lexicon_for_text,
)
from studium.concepts.rules.phrases import (
    Definition,
    Phrase,
    Token,
    find_definition,
    find_phrases,
    may_define,
    stem_word,
    tokenize,
)
from studium.concepts.rules.titles import AvoidedWords, Recurrence, as_title, is_name, make_title, rank_titles
from studium.concepts.skills import QuoteView
from studium.core.text.english.parser import parse, parse_all
from studium.core.text.english.tree import ParsedText
from studium.core.text.sentences import split_sentences
from studium.core.text.tokens import count_words

_NUMBERS = re.compile(r"^[\W\d_]*(?:[ivxlcdm]+[\W\d_]*)?$", re.IGNORECASE)
_NOTHING = 2
_CRY = 3
_ADDRESS = 12
MAX_DEFINITIONS = 2


@dataclass(frozen=True)
class QuoteSentence:
    """A sentence of a quote, what it defines, and its phrases; they are unknown if it was not parsed."""

    text: str
    defines: Definition | None
    phrases: tuple[Phrase, ...]
    stems: frozenset[str]
    parsed: bool = True


@dataclass(frozen=True)
class QuoteAnalysis:
    """An analysed quote; `name` is what its reader called it in a note, or a phrase that it emphasises."""

    key: str
    text: str
    lines: tuple[QuoteSentence, ...]
    lexicon: Lexicon
    name: str = ""
    english: bool = False

    @property
    def stems(self) -> frozenset[str]:
        """Its content words."""
        return frozenset().union(*(line.stems for line in self.lines))

    def best(self) -> QuoteSentence:
        """The central sentence: the one that defines something, or that shares most words with the others."""
        shared = Counter(word for line in self.lines for word in line.stems)
        parsed = [line for line in self.lines if line.parsed] or self.lines
        return max(parsed, key=lambda line: _weight(line, shared, self.lexicon) + 0.3 * (line is self.lines[0]))

    def titles(self, avoided: AvoidedWords, recurrence: Recurrence) -> list[str]:
        """What a reader would call its idea, the best first."""
        line = self.best()
        if self.name:
            return [as_title(self.name)]
        if self.english:
            return rank_titles(line.text, line.defines, line.phrases, self.lexicon, avoided, recurrence)
        return [make_title(line.text, line.defines, self.lexicon, avoided)]


def _weight(line: QuoteSentence, shared: Counter[str], lexicon: Lexicon) -> float:
    first = next(iter(tokenize(line.text)), Token("", "", marked=False)).word
    weight = sum(shared[word] for word in line.stems) / (len(line.stems) + 3)
    if line.defines:
        weight += 2.0 if line.defines.strict else 0.6
    elif not line.parsed and may_define(line.text, lexicon):
        weight += 2.0
    asks = line.text.rstrip('"”»’)').endswith("?")
    points = first in lexicon.pronouns - lexicon.determiners
    return weight - 0.8 * asks - 0.2 * points - 1.0 * (count_words(line.text) <= _CRY)


def analyse_quotes(quotes: Sequence[QuoteView], language: str) -> list[QuoteAnalysis]:
    """Analyse the quotes that say something; of an English quote, the central sentence is parsed."""
    found = [said for quote in quotes if (said := _split(quote, language))]
    wanted = [_sentences_to_parse(said) if said.english else [] for said in found]
    trees = dict(zip(chain(*wanted), parse_all(list(chain(*wanted))), strict=True)) if any(wanted) else {}
    views = {quote.key: quote for quote in quotes}
    return [_with_name(_with_grammar(said, trees) if said.english else said, views[said.key]) for said in found]


def _split(quote: QuoteView, language: str) -> QuoteAnalysis | None:
    """The sentences of a quote; `None` if it says nothing. English ones are yet to be parsed."""
    text = clean_quote(quote.text)
    lexicon = lexicon_for_text(text, language)
    if has_no_content(text, lexicon):
        return None
    english = is_english(text, lexicon, language)
    sentences = split_sentences(text, lexicon.language, any_start=True) or [text]
    return QuoteAnalysis(
        quote.key, text, tuple(_line(each, lexicon, parsed=not english) for each in sentences), lexicon, english=english
    )


def _sentences_to_parse(said: QuoteAnalysis) -> list[str]:
    defining = [line.text for line in said.lines if may_define(line.text, said.lexicon)]
    return list(dict.fromkeys((said.best().text, *defining[:MAX_DEFINITIONS])))


def _with_grammar(said: QuoteAnalysis, trees: Mapping[str, ParsedText | None]) -> QuoteAnalysis:
    return replace(said, lines=tuple(_with_tree(line, trees.get(line.text), said.lexicon) for line in said.lines))


def _with_tree(line: QuoteSentence, tree: ParsedText | None, lexicon: Lexicon) -> QuoteSentence:
    if tree is None:
        return line
    definition, phrases = find_english_definition(tree, lexicon), find_english_phrases(tree, lexicon)
    return replace(line, defines=definition, phrases=phrases, parsed=True)


def _with_name(said: QuoteAnalysis, quote: QuoteView) -> QuoteAnalysis:
    """With the name that the reader gave it in a note, or that it emphasises."""
    note = clean_quote(next(iter(quote.note.strip().splitlines()), ""))
    named = [each for each in (note, *emphasized_parts(quote.text)) if is_name(each, said.lexicon)]
    if said.english:
        named = [each for each in named if (tree := parse(each)) and is_noun_phrase(tree)]
    return replace(said, name=next((each for each in named if each == note or _is_phrase(each, said)), ""))


def _is_phrase(text: str, said: QuoteAnalysis) -> bool:
    key = tuple(stem_word(each.word, said.lexicon) for each in tokenize(text))
    if said.english:
        return len(key) > 1
    return len(key) > 1 and any(key == phrase.key for line in said.lines for phrase in line.phrases)


def _line(sentence: str, lexicon: Lexicon, *, parsed: bool) -> QuoteSentence:
    said = [each.word for each in tokenize(sentence)]
    stems = frozenset(
        stem_word(word, lexicon) for word in said if lexicon.is_content(word) and word not in lexicon.weak
    )
    if not parsed:
        return QuoteSentence(sentence, None, (), stems, parsed=False)
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
