"""Definitions: “X is the …”, “X means …”, “what we call X”."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from studium.workflows.concepts.drafting.lexicon import Lexicon
from studium.workflows.concepts.drafting.phrases import Token, phrases, stem, tokenized
from studium.workflows.concepts.drafting.sentences import QUOTE_MARKS

MAX_SUBJECT = 6
_ASIDE = re.compile(r"^([^,()]{2,60}?)(?:, [^,]{2,50},|\s?\([^)]{1,50}\)) (?=\w)")


@dataclass(frozen=True)
class Definition:
    """What a sentence says something of; `strict` when it says what that is, and not only how."""

    term: str
    key: tuple[str, ...]
    strict: bool


def definition(sentence: str, lexicon: Lexicon) -> Definition | None:
    """The term that a sentence defines, or is about."""
    plain = opened(sentence.strip(QUOTE_MARKS + " "), lexicon)
    about = _subject(_ASIDE.sub(r"\1 ", plain), lexicon)
    return about if about and about.strict else _named(plain, lexicon) or about


def opened(sentence: str, lexicon: Lexicon) -> str:
    """A sentence without the words that only tie it to the one before (“But”, “Así pues,”)."""
    return _openers(lexicon).sub("", sentence)


def _named(sentence: str, lexicon: Lexicon) -> Definition | None:
    found = _calls(lexicon.calls).search(sentence)
    if not found:
        return None
    rest = sentence[found.end() :].lstrip(" ,:" + QUOTE_MARKS)
    for each in phrases(sentence, lexicon):
        if rest.startswith((each.text, f"{each.article} {each.text}")):
            strict = found.group().split()[0].lower() not in lexicon.articles
            return _defined(each.text, each.words, strict=strict, lexicon=lexicon)
    return None


def _subject(sentence: str, lexicon: Lexicon) -> Definition | None:
    means = _means(lexicon.means).match(sentence)
    if means:
        subject, strict = means[1], True
    else:
        said = tokenized(sentence)
        at = next((i for i, each in enumerate(said) if each.word in lexicon.copulas or each.marked), 0)
        if not 0 < at <= MAX_SUBJECT or said[at].word not in lexicon.copulas or said[at].marked:
            return None
        subject = " ".join(each.surface for each in said[:at]).replace("' ", "'").replace("’ ", "’")
        strict = len(said) > at + 2 and any(each.word in lexicon.articles for each in said[at + 1 : at + 3])
    inside = tokenized(subject)
    if not _is_name(inside, lexicon):
        return None
    carrying = tuple(each.word for each in inside if lexicon.is_content(each.word))
    return _defined(subject, carrying, strict=strict, lexicon=lexicon)


def _is_name(said: Sequence[Token], lexicon: Lexicon) -> bool:
    """Whether words are a noun with what belongs to it, or an action (“Writing”, “Vivir bien”)."""
    if not said or said[0].word in lexicon.prepositions or any(each.marked for each in said[1:]):
        return False
    acts = said[0].word.endswith("ing") or said[0].word.endswith(lexicon.infinitives or ("ing",))
    for before, each in zip([None, *said], said, strict=False):
        if each.word in lexicon.pronouns - lexicon.determiners or each.word in lexicon.conjunctions:
            return False
        led = before is not None and before.word in lexicon.determiners | lexicon.prepositions | lexicon.adjectives
        if lexicon.is_verb(each.word) and not (led or acts or before is None or each.word in lexicon.nouns):
            return False
    return said[-1].word not in lexicon.prepositions


def _defined(text: str, carrying: tuple[str, ...], *, strict: bool, lexicon: Lexicon) -> Definition | None:
    if not carrying or all(word in lexicon.weak or word in lexicon.adjectives for word in carrying):
        return None
    return Definition(text.strip(), tuple(stem(word) for word in carrying), strict)


@cache
def _openers(lexicon: Lexicon) -> re.Pattern[str]:
    ties = "|".join(sorted(lexicon.ties))
    return re.compile(rf"^(?:(?:{ties})\s+|(?:{lexicon.openers}),\s*)+", re.IGNORECASE)


@cache
def _calls(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\s+", re.IGNORECASE)


@cache
def _means(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"^([^,;:.!?]{{2,60}}?)\s+(?:{pattern})\b", re.IGNORECASE)
