"""Which English questions are worth asking: understood on their own, said as a person would, about what matters."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

from studium.core.text.english.tree import ROOT, ParsedText, Word
from studium.core.text.stop_words import stop_words
from studium.core.text.tokens import split_words
from studium.questions.rules.generation.english_words import word_list
from studium.questions.rules.generation.facts import QuestionDraft, QuestionFamily

_POINTING = word_list("pointing")
_VAGUE = word_list("vague")
_GENERIC = word_list("generic")
_WEAK = word_list("light") | {"use", "provide", "offer", "support", "include", "contain", "deserve", "allow"}
_LIGHT = word_list("light") | word_list("moving")
_PERSONS = word_list("persons")
_OWN = word_list("own")
_OF_PEOPLE = word_list("of_people")
_FIRST_PERSON = word_list("first_person")
_EMPTY = word_list("empty")
_OPEN_ENDS = word_list("open_ends")
_MAY_END = {"by", "for", "as", "of", "to", "with", "from", "in", "on"}
_CONTENT = ("NOUN", "PROPN", "ADJ", "NUM", "VERB")
_NO_BEGINNING = ("even", "as", "and", "or", "but", "than", "except", "nor")
_SHORTEST, _LONGEST = 4, 23
_LONGEST_ANSWER = 26
_OFTEN = 6
_VERY_OFTEN = 12
_ENOUGH = 2
# Here the verb, too, says what the question is about: `How are submodules cloned?`
_OF_ACTIONS = (
    QuestionFamily.REASON,
    QuestionFamily.PURPOSE,
    QuestionFamily.WAY,
    QuestionFamily.INSTRUCTION,
    QuestionFamily.TIME,
    QuestionFamily.PLACE,
)
_WORDIER = 0.6
_MANY = 5
_QUANTIFIERS = ("all", "any", "each", "every", "many", "most", "several", "some")
_EMPTY_TIME = re.compile(r"^(?:when|once|after|before|if) (?:that|this|it|they|these|those)\b", re.IGNORECASE)
_SHORTEST_TOPIC, _MOST_COMMAS, _FEW_WORDS = 3, 2, 6
CERTAIN = 0.86
"""How sure the parser has to be of a sentence that is asked about, and of the question."""

# How often a question of a family is one that a teacher keeps, by reading many of them.
_WORTH = {
    QuestionFamily.REASON: 1.0,
    QuestionFamily.PURPOSE: 0.95,
    QuestionFamily.WAY: 0.95,
    QuestionFamily.INSTRUCTION: 0.95,
    QuestionFamily.CONSEQUENCE: 1.0,
    QuestionFamily.DEFINITION: 0.9,
    QuestionFamily.NUMBER: 0.9,
    QuestionFamily.TIME: 0.6,
    QuestionFamily.DUTY: 0.8,
    QuestionFamily.PLACE: 0.6,
    QuestionFamily.STATEMENT: 0.75,
    QuestionFamily.FACT: 0.6,
    QuestionFamily.NAME: 0.5,
}


@dataclass(frozen=True)
class Topics:
    """The words that a document is about, by how often it says them and whether its headings do."""

    texts: tuple[str, ...]
    headings: tuple[str, ...]

    @cached_property
    def counts(self) -> Counter[str]:
        """How often the document says each content word."""
        empty = stop_words("en")
        return Counter(
            word
            for text in self.texts
            for word in split_words(text.lower())
            if word not in empty and len(word) >= _SHORTEST_TOPIC
        )

    @cached_property
    def _headed(self) -> frozenset[str]:
        return frozenset(word for heading in set(self.headings) for word in split_words(heading.lower()))

    @cached_property
    def _often(self) -> float:
        return log(2 + max(self.counts.values(), default=0))

    def weight(self, text: str) -> float:
        """How much a text is about what the document is about, from 0 to about 1."""
        words = [word for word in split_words(text.lower()) if word in self.counts]
        if not words:
            return 0.0
        said = sum(log(1 + self.counts[word]) for word in words) / len(words) / self._often
        return said + 0.3 * sum(word in self._headed for word in words) / len(words)

    def is_often_said(self, word: Word) -> bool:
        """Whether the document says a noun so often, or in a heading, that readers know which one is meant."""
        return (
            word.lower in self._headed
            or self.counts[word.lower] + (self.counts[word.lemma] if word.lemma != word.lower else 0) >= _OFTEN
        )


def is_natural(draft: QuestionDraft, question: ParsedText | None, topics: Topics) -> bool:
    """Whether a person would ask this of another who knows the document but does not have it at hand."""
    if question is None or not _SHORTEST <= len(question.words) <= _LONGEST:
        return False
    # A name that the parser has never seen weighs much in a short question.
    if question.certainty < (_CERTAIN_IF_SHORT if len(question.words) <= _SHORT else CERTAIN):
        return False
    return (
        _reads_well(draft)
        and _is_asked_as_meant(draft, question)
        and _stands_alone(draft, question, topics)
        and _is_whole_answer(draft)
    )


def _reads_well(draft: QuestionDraft) -> bool:
    text = draft.question.replace("()", "")
    if _UNSAID.search(text):
        return False
    if re.search(r"[()\[\];:\u2014\u2026]|--+ |\s-\w+/|\b(\w+) \1\b|,,|^\W", text) or text.count(",") > _MOST_COMMAS:
        return False
    if _ANOTHER_PLACE.search(text) or _ANOTHER_PLACE.search(draft.answer):
        return False
    for marks in ('"', "\u201c\u201d"):
        if sum(text.count(mark) for mark in marks) % 2 or sum(draft.answer.count(mark) for mark in marks) % 2:
            return False
    last = text.rstrip("?").split()[-1].lower()
    return last not in _OPEN_ENDS or last in _MAY_END


def _is_asked_as_meant(draft: QuestionDraft, question: ParsedText) -> bool:
    """Whether the question, read by itself, has the predicate that it was made with."""
    root = question.root
    if root is None or draft.family in (QuestionFamily.INSTRUCTION, QuestionFamily.NAME, QuestionFamily.PROPERTY):
        return root is not None
    return draft.predicate in {root.lemma, *(word.lemma for word in question.children(root, "cop", "aux", "xcomp"))}


def _stands_alone(draft: QuestionDraft, question: ParsedText, topics: Topics) -> bool:
    nouns: list[Word] = []
    for word in question.words:
        if word.pos in ("PRON", "DET") and not _is_understood(word, nouns):
            return False
        if word.lower in _POINTING and not (word.lower == "that" and word.pos in ("SCONJ", "PRON")):
            return False
        if word.pos in ("NOUN", "PROPN") or (word.text.isupper() and len(word.text) > 1):
            nouns.append(word)
            if not _is_specific(question, word, topics):
                return False
    return _says_enough(draft, question, nouns)


def _says_enough(draft: QuestionDraft, question: ParsedText, nouns: Sequence[Word]) -> bool:
    """Whether there is a name, a compound or at least two things to know the matter by."""
    told = [
        word
        for word in question.words
        if word.pos in _CONTENT
        and word.lemma not in _VAGUE
        and (word.head != ROOT or (draft.family in _OF_ACTIONS and word.lemma not in _LIGHT))
    ]
    named = any(word.pos == "PROPN" or word.is_("compound") or not word.text.islower() for word in nouns)
    defined = draft.family is QuestionFamily.DEFINITION and not any(
        determiner.lower == "the" for noun in nouns for determiner in question.children(noun, "det")
    )
    return bool(nouns) and (named or defined or len(told) >= _ENOUGH)


def _is_understood(word: Word, nouns: Sequence[Word]) -> bool:
    """Whether a pronoun has something before it in the question that it can stand for."""
    if word.lower in _FIRST_PERSON or word.lower in _EMPTY or word.lower in ("this", "these", "those", "such"):
        return False
    if word.lower in _OWN:
        plural = word.lower.startswith("the")
        return any((noun.tag in ("NNS", "NNPS")) == plural for noun in nouns)
    return word.lower not in _OF_PEOPLE or any(noun.lemma in _PERSONS for noun in nouns)


def _is_specific(question: ParsedText, noun: Word, topics: Topics) -> bool:
    """Whether readers know which one is meant: `the cookie` needs to be what the document is about."""
    determiner = question.child(noun, "det")
    telling = [
        child
        for child in question.children(noun)
        if child.is_("amod", "compound", "nmod", "acl", "nummod", "flat", "appos")
    ]
    if telling or noun.pos == "PROPN":
        return True
    is_main = noun.head == ROOT or (noun.is_("nsubj") and question.words[noun.head].head == ROOT)
    if is_main and noun.lemma in _VAGUE:
        return False
    definite = determiner is not None and determiner.lower == "the"
    return not definite or (topics.is_often_said(noun) and noun.lemma not in _GENERIC)


def _is_whole_answer(draft: QuestionDraft) -> bool:
    if not re.search(r"[^\W\d_]{2}|\d", draft.answer) or re.search(r"-\s|-$|[a-z0-9)][.!?] \w", draft.answer):
        return False
    words = [word.lower().strip(".,;:\"'") for word in draft.answer.split()]
    if (
        not words
        or len(words) > _LONGEST_ANSWER
        or words[-1] in _OPEN_ENDS
        or draft.answer.count("(") != draft.answer.count(")")
    ):
        return False
    if draft.family is QuestionFamily.CONSEQUENCE and words[0] in ("it", "they"):
        words = words[1:]  # what the condition is about
    if (
        words[0] in _NO_BEGINNING
        or words[0] in _OWN | _OF_PEOPLE | _FIRST_PERSON
        or (len(words) == 1 and (words[0] in _EMPTY or words[0] in _VAGUE))
    ):
        return False
    if _EMPTY_TIME.search(draft.answer) or words[-1] in ("it", "them", "him", "her", "this", "that"):
        return False
    if draft.family is QuestionFamily.NAME and words[0] in _QUANTIFIERS:
        return False
    pointing = {word for word in words if word in _POINTING and word not in ("that", "same", "there", "said")}
    return not pointing and not set(words) & _FIRST_PERSON


def worth(draft: QuestionDraft, source: ParsedText, question: ParsedText, topics: Topics) -> float:
    """How good a question is compared with others of the document; about 0 to 3."""
    words, answer = len(question.words), len(draft.answer.split())
    sure = (
        min(1.0, source.certainty)
        + min(1.0, question.certainty)
        + 0.3 * min(source.least_certain, question.least_certain)
    )
    too_long = max(0, words - 14) * 0.05 + max(0, answer - 14) * 0.03
    too_short = 0.3 if words < _FEW_WORDS and draft.family is not QuestionFamily.DEFINITION else 0.0
    poor_answer = 0.35 if answer == 1 and draft.answer.islower() else 0.0
    dull = 0.5 if answer == 1 and topics.counts[draft.answer.lower()] >= _VERY_OFTEN else 0.0
    if draft.family is QuestionFamily.FACT and (words <= _FEW_WORDS or draft.predicate in _WEAK):
        dull += 0.2  # there may be much more of it
    if draft.question.startswith("Which ") and _telling_words(question) < _MANY:
        dull += 0.4  # others may do it, too
    if draft.family is QuestionFamily.NAME and answer > _WORDIER * words:
        dull += 0.3  # the answer says more than the question
    clumsy = dull + 0.2 * draft.question.count(",") + 0.15 * ("(" in draft.answer) + 0.1 * ('"' in draft.question)
    return (
        _WORTH.get(draft.family, 0.5)
        + 2 * (sure - 2)
        + topics.weight(draft.question)
        - too_long
        - too_short
        - poor_answer
        - clumsy
    )


def _telling_words(question: ParsedText) -> int:
    """How many words of a question are not general: names count double."""
    told = [word for word in question.words[2:] if word.pos in _CONTENT and word.lemma not in _VAGUE | _GENERIC]
    return sum(2 if word.pos in ("PROPN", "NUM") or not word.text.islower() else 1 for word in told)


_NO_SOURCE = re.compile(
    r"[{}<>|\\=@\u2022\ufffd]|https?:|www\.|copyright|all rights reserved|\bwarrant(?:y|ies)\b|permission is"
    r"|licensed under|\[\d|\b(?:fig|figure|table|section|chapter|appendix|listing|equation|eq)\.? \d"
    r"|\bsee (?:also|the|section)\b|\w{35}",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[a-zA-Z0-9)%\"'\u201d\u2019][.!]?[.!][\"'\u201d\u2019)]?$")
# Nobody asks with these words, or about these names.
_UNSAID = re.compile(
    r"(?<!the )\bonly\b|\b(?:even|though|otherwise|merely|just|foo|bar|baz|foobar|spam|eggs|so)\b"
    r"|[.,]\?|\bone (?!of\b)[a-z]"
)
_ANOTHER_PLACE = re.compile(
    r"\b(?:previous|next|preceding|last|present|current)"
    r" (?:section|chapter|paragraph|example|page|document|paper|article)\b"
)
_CERTAIN_IF_SHORT, _SHORT = 0.72, 7
WORTH_ASKING = 0.9
"""What a question has to be worth."""
_LETTERS = 0.74
_SENTENCE_WORDS = range(6, 46)


def is_source(text: str) -> bool:
    """Whether a sentence is prose that questions may be asked about."""
    if (
        len(text.split()) not in _SENTENCE_WORDS
        or not _ENDS.search(text)
        or not (text[0].isupper() or text[0] in "\"\u201c'")
    ):
        return False
    spaceless = text.replace(" ", "")
    letters = sum(sign.isalpha() for sign in spaceless)
    capitals = sum(word[0].isupper() for word in text.split())
    return letters >= _LETTERS * len(spaceless) and capitals <= 0.6 * len(text.split()) and not _NO_SOURCE.search(text)


def most_telling(texts: Sequence[str], topics: Topics, most: int) -> list[int]:
    """The places of the sentences to look at first: about the document's topics, and from all of its parts."""
    if len(texts) <= most:
        return list(range(len(texts)))
    parts = max(1, most // 10)
    size = -(-len(texts) // parts)
    chosen: list[int] = []
    for start in range(0, len(texts), size):
        part = range(start, min(start + size, len(texts)))
        chosen += sorted(part, key=lambda at: -_promise(texts[at], topics))[: -(-most // parts)]
    return sorted(chosen)


def _promise(text: str, topics: Topics) -> float:
    words = len(text.split())
    return (
        topics.weight(text)
        - abs(words - 16) * 0.02
        + 0.3 * bool(re.search(r"\b(?:because|so that|in order to|by \w+ing|if|must|when)\b", text))
    )
