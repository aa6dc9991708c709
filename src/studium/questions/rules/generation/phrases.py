"""The things, names, dates and numbers that a document names, each with its type."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from studium.core.text.english.parser import parse_all
from studium.core.text.english.tree import ParsedText, Word
from studium.core.text.word_pieces import is_known_word
from studium.questions.rules.comparison.quantities import numbers_in
from studium.questions.rules.generation.clauses import decapitalised, trimmed
from studium.questions.rules.generation.english_words import MONTHS, word_list
from studium.questions.rules.generation.facts import DocumentVocabulary
from studium.questions.rules.generation.naturalness import CERTAIN
from studium.questions.rules.parsed_document import ParsedSentence

_MONTH = f"(?:{MONTHS})"
_YEAR = "(?:1[0-9]|20)[0-9]{2}"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_WRITTEN = {
    "day": re.compile(rf"\b(?:{_DAY} {_MONTH},? {_YEAR}|{_MONTH} {_DAY}, {_YEAR})\b"),
    "month": re.compile(rf"\b{_MONTH} {_YEAR}\b"),
    "date": re.compile(rf"\b(?:{_DAY} {_MONTH}|{_MONTH} {_DAY})\b(?!,? {_YEAR})"),
    "year": re.compile(rf"(?<![\w./:-]){_YEAR}(?![\w/:-]|\.\d)"),
    "path": re.compile(r"(?<![\w.])~?/[\w.+-]+(?:/[\w.+-]*)*[\w/]"),
    "option": re.compile(r"(?<![\w-])--?[a-z][\w-]*"),
    "host": re.compile(r"(?<![\w/.@-])(?:[a-z][\w-]*\.)+(?:org|com|net|edu|gov|io|uk|de|fr)(?![\w/])"),
    "code": re.compile(r"(?<![\w/.$-])(?:\w+(?:_\w+)+|\w+\(\)|[a-z]+[A-Z]\w*|[a-z]\w*(?:\.[a-z]\w+)+)(?![\w/])"),
    "acronym": re.compile(r"(?<![\w/.-])[A-Z][A-Z0-9]{1,6}(?![\w/-])"),
}
WRITTEN_TYPES = frozenset({*_WRITTEN, "identifier", "command"})
"""The types of what is written letter by letter as it is."""
_DETERMINER = re.compile(r"(?:the|an?) ", re.IGNORECASE)
_ABSTRACT = ("tion", "sion", "ment", "ness", "ity", "ance", "ence", "ing", "ism", "ship", "sis")
_PERSONS, _PLACES = word_list("persons"), word_list("places")
_VAGUE, _POINTING = word_list("vague"), word_list("pointing")
_RELATIVE, _INVENTED = word_list("relative"), word_list("invented")
_CONTAINERS, _CALENDAR = word_list("containers"), word_list("calendar")
_NAMING = ("nsubj", "obj", "obl", "nmod", "appos", "root")
_LONGEST = 6
_OFTEN_FIRST = 4
QUOTES = "\"'\u201c\u201d\u2018\u2019"
_FULL_NAME = re.compile(r"[A-Z][a-zà-ÿ]+(?: [A-Z]\.| (?:van|von|de|der))*(?: [A-Z][a-zà-ÿ]+(?:-[A-Z][a-zà-ÿ]+)?)+")
_NO_LINKS = ("among", "amongst", "like", "including", "except", "unlike", "without", "than", "as")
_LOOSE = ("PRON", "CCONJ", "SCONJ", "VERB", "PUNCT")


@dataclass(frozen=True)
class Phrase:
    """Words of the document that name something, without an article; its type, its main word, and its line."""

    text: str
    type: str
    head: str = ""
    plural: bool = False
    line: int = 0
    preposition: str = ""

    @property
    def key(self) -> str:
        """The words in lower case."""
        return self.text.casefold()


def without_article(text: str) -> str:
    """`the bridge` → `bridge`."""
    return _DETERMINER.sub("", text, count=1)


def written_type(text: str) -> str:
    """The type of what is known by how it is written: a year, a path, an option; empty for all else."""
    bare = text.strip(QUOTES)
    return next((name for name, pattern in _WRITTEN.items() if pattern.fullmatch(bare)), "")


def is_clear(words: Sequence[Word]) -> bool:
    """Whether the words of a phrase say by themselves what is meant: not `a different kernel`, `an older one`."""
    compared = any(word.tag in ("JJR", "JJS", "RBR", "RBS") for word in words)
    return not compared and not any(word.lower in _POINTING | _RELATIVE or is_invented(word) for word in words)


def is_invented(word: Word) -> bool:
    """Whether a word is a name that only examples have: `foo`."""
    return word.lower.rstrip("0123456789") in _INVENTED


def phrase_of(tree: ParsedText, head: Word, text: str, line: int = 0) -> Phrase:
    """A phrase with its type, by how it is written or by its main word."""
    case = tree.child(head, "case")
    preposition = case.lower if case else ""
    is_name = head.pos == "PROPN" and not (text.islower() and is_known_word(head.lower))
    of_type = written_type(text) or (_name_type(text) if is_name else _noun_type(head))
    return Phrase(text, of_type, head.lemma, head.tag in ("NNS", "NNPS"), line, preposition)


def _name_type(text: str) -> str:
    if not text[0].isupper():
        return "command" if " " in text else "identifier"
    return "full name" if _FULL_NAME.fullmatch(text) else "numbered name" if re.search(r"\d", text) else "name"


def _noun_type(head: Word) -> str:
    if head.lemma in _PERSONS or head.lemma in _PLACES:
        return "person" if head.lemma in _PERSONS else "place"
    return "abstract" if head.lemma.endswith(_ABSTRACT) else "thing"


class PhrasePool:
    """All phrases of a document's sentences, and which sentences say what."""

    def __init__(self, sentences: Sequence[ParsedSentence]) -> None:
        self._sentences = sentences

    @cached_property
    def phrases(self) -> tuple[Phrase, ...]:
        """Each phrase once, in the order of the document."""
        found: dict[tuple[str, str], Phrase] = {}
        for sentence, tree in zip(self._sentences, self._trees, strict=True):
            for phrase in _phrases(sentence, tree):
                found.setdefault((phrase.key, phrase.type), phrase)
        return tuple(found.values())

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each phrase stands in the document."""
        return Counter(
            phrase.key
            for sentence, tree in zip(self._sentences, self._trees, strict=True)
            for phrase in _phrases(sentence, tree)
        )

    @cached_property
    def _trees(self) -> list[ParsedText | None]:
        return parse_all([sentence.text for sentence in self._sentences])

    def is_common(self, word: str) -> bool:
        """Whether the document also writes a capitalised word in lower case, or begins several names with it."""
        return self._vocabulary.common(word) or self._first_words[word] >= _OFTEN_FIRST

    @cached_property
    def _vocabulary(self) -> DocumentVocabulary:
        return DocumentVocabulary(tuple(sentence.text for sentence in self._sentences))

    @cached_property
    def _first_words(self) -> Counter[str]:
        return Counter(phrase.text.split()[0] for phrase in self.phrases)

    @cached_property
    def numbers(self) -> tuple[tuple[Decimal, str], ...]:
        """The numbers of the document, with how they are written."""
        return tuple(
            (number.value, sentence.text[number.start : number.end])
            for sentence in self._sentences
            for number in numbers_in(sentence.text, "en")
            if number.value is not None and not number.ordinal and not number.exact
        )

    @cached_property
    def said(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Each sentence in lower case, with the base forms of its words."""
        return tuple(
            (sentence.text.casefold(), frozenset(word.lemma.casefold() for word in tree.words) if tree else frozenset())
            for sentence, tree in zip(self._sentences, self._trees, strict=True)
        )


def _phrases(sentence: ParsedSentence, tree: ParsedText | None) -> Iterator[Phrase]:
    for name, pattern in _WRITTEN.items():
        for match in pattern.finditer(sentence.text):
            if written_type(match[0]) == name:
                yield Phrase(match[0], name, line=sentence.line)
    if tree is None or tree.certainty < CERTAIN:
        return
    for word in tree.words:
        if word.pos in ("NOUN", "PROPN") and word.is_(*_NAMING) and (text := _named(tree, word)):
            yield phrase_of(tree, word, text, sentence.line)


def has_loose_words(words: Sequence[Word]) -> bool:
    """`Chief among the problems`, `AMD's machine`: a phrase that does not fit in the place of others."""
    return any(
        (word.is_("case") and word.lower in _NO_LINKS) or (word.relation == "nmod:poss" and word.pos == "PROPN")
        for word in words
    )


def _named(tree: ParsedText, head: Word) -> str:
    """A noun with what belongs to it, without preposition and article; empty if it names nothing by itself."""
    out = {
        index
        for child in tree.children(head, "case", "det", "cc", "conj", "cop", "punct")
        for index in tree.subtree(child)
    }
    out |= {index for child in tree.children(head, "nsubj", "aux", "advmod") for index in tree.subtree(child)}
    kept = trimmed(tree, head) - out
    words = [tree.words[index] for index in sorted(kept)]
    determiner = tree.child(head, "det")
    if determiner is not None and determiner.lower not in ("the", "a", "an"):
        return ""
    if len(words) > _LONGEST or (words and words[-1].index - words[0].index + 1 != len(words)):
        return ""
    if any(word.pos in _LOOSE for word in words) or not is_clear(words) or has_loose_words(words):
        return ""
    if (
        not words
        or words[0].pos == "NUM"
        or head.lemma in _CONTAINERS
        or any(word.lower in _CALENDAR for word in words)
    ):
        return ""
    text = text_of_phrase(tree, words)
    return "" if (len(words) == 1 and head.lemma in _VAGUE) or not re.fullmatch(r"\w.*\w", text) else text


def text_of_phrase(tree: ParsedText, words: Sequence[Word]) -> str:
    """Neighbouring words as written, without the capital that only the start of the sentence gave them."""
    first, last = words[0], words[-1]
    head = decapitalised(first) if first.index == 0 else first.text
    return head + tree.text[first.end : last.end]
