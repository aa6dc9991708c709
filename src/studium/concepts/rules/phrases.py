"""Finds noun phrases that can name an idea, by the words around them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from studium.concepts.rules.lexicon import QUOTE_MARKS, Lexicon, tokens
from studium.core.text.stems import stem

MAX_WORDS = 4
_PARTICIPLES = ("ado", "ido", "ada", "ida", "ados", "idos", "adas", "idas", "ato", "uto", "é", "ée")


@dataclass(frozen=True)
class Token:
    """A word of a sentence, its lower-case form, and whether punctuation comes before it."""

    surface: str
    word: str
    marked: bool


@dataclass(frozen=True)
class Phrase:
    """A phrase of a sentence; `key` is the same for its other forms, `score` says how well it names an idea."""

    text: str
    article: str
    key: tuple[str, ...]
    words: tuple[str, ...]
    subject: bool
    score: float


def stem_word(word: str, lexicon: Lexicon) -> str:
    """The stem of a word in a language; hyphens are ignored."""
    return stem(word.replace("-", ""), lexicon.language)


@lru_cache(maxsize=10_000)
def tokenize(sentence: str) -> tuple[Token, ...]:
    """The words of a sentence."""
    return tuple(Token(surface, surface.lower().replace("’", "'"), marked) for surface, marked in tokens(sentence))


def find_phrases(sentence: str, lexicon: Lexicon) -> list[Phrase]:
    """The phrases of a sentence in order, each before the shorter ones inside it."""
    # The grammar of English is parsed; the lexicon is English for languages that have none, too.
    said = () if lexicon.order == "parsed" else tokenize(sentence)
    found: list[Phrase] = []
    position = 0
    while position < len(said):
        end = _run(said, position, lexicon)
        if end == position:
            position += 1
            continue
        joined = _joined(said, end, lexicon)
        if joined > end and joined - position <= MAX_WORDS + 2:
            found.append(_phrase(said, position, joined, lexicon))
        found.append(_phrase(said, position, end, lexicon))
        position = end
    return found


def _phrase(said: Sequence[Token], start: int, end: int, lexicon: Lexicon) -> Phrase:
    inside = said[start:end]
    before = said[start - 1] if start and not said[start].marked else None
    article = before.surface if before and before.word in lexicon.articles else ""
    carrying = tuple(each.word for each in inside if lexicon.is_content(each.word))
    text = " ".join(each.surface for each in inside).replace("' ", "'").replace("’ ", "’")
    opens = start - bool(article) == 0 or (before is None)
    key = tuple(stem_word(word, lexicon) for word in carrying)
    return Phrase(text, article, key, carrying, opens, _score(text, carrying, lexicon, opens=opens))


_BY_WORDS = (0.0, 1.0, 2.0, 2.4, 1.8, 0.6)


def _score(text: str, carrying: Sequence[str], lexicon: Lexicon, *, opens: bool) -> float:
    """How well a phrase names an idea: two or three telling words do, names and common words do not."""
    telling = [word for word in carrying if word not in lexicon.weak]
    if not telling or len(carrying) >= len(_BY_WORDS) or any(word[0].isdigit() for word in carrying):
        return 0.0
    told = _BY_WORDS[len(carrying)] - 0.9 * (len(carrying) - len(telling))
    told -= 0.4 * sum(word in lexicon.adjectives for word in telling)
    told += 0.5 * sum(word.endswith(lexicon.noun_endings) for word in telling)
    told += 0.6 * opens
    if lexicon.order != "capitals" and not opens and text[0].isupper():
        told -= 1.5
    return told


def _joined(said: Sequence[Token], end: int, lexicon: Lexicon) -> int:
    """Where a phrase that continues with `of the …` ends; otherwise the given end."""
    if end >= len(said) or said[end].marked or said[end].word not in lexicon.connectors:
        return end
    start = end + 1
    if start < len(said) and said[start].word in lexicon.determiners and not said[start].marked:
        start += 1
    further = _run(said, start, lexicon) if start < len(said) and not said[start].marked else start
    return further if further > start else end


def _run(said: Sequence[Token], start: int, lexicon: Lexicon) -> int:
    """Where the phrase that starts here ends; `start` if there is none."""
    if not _opens(said, start, lexicon):
        return start
    end = (_head_first if lexicon.order == "head_first" else _capitals)(said, start, lexicon)
    inside = [each.word for each in said[start:end]]
    names = any(word not in lexicon.adjectives and lexicon.is_content(word) for word in inside)
    return end if names else start


def _opens(said: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    """Whether a phrase can begin with this word, by what it is and by the word before it."""
    word = said[at].word
    before = said[at - 1].word if at and not said[at].marked else ""
    if not lexicon.is_content(word) or _is_adverb(word, lexicon):
        return False
    if before in lexicon.modals or (before in lexicon.pronouns and before not in lexicon.determiners):
        return False
    if lexicon.is_infinitive(word):
        return before in lexicon.articles
    if before in lexicon.determiners or before in lexicon.prepositions or before in lexicon.adjectives:
        return True
    after = said[at + 1].word if at + 1 < len(said) else ""
    return _opens_bare(word, before, after, lexicon)


def _opens_bare(word: str, before: str, after: str, lexicon: Lexicon) -> bool:
    """Whether a phrase can begin with a word that no article, preposition or adjective precedes."""
    if word in lexicon.nouns or lexicon.order != "head_first":
        return word in lexicon.nouns or not lexicon.is_verb(word)
    if lexicon.is_verb(word) or (word.endswith(_PARTICIPLES) and before):
        return False
    return lexicon.is_verb(before) or (not before and after in lexicon.copulas)


def _head_first(said: Sequence[Token], start: int, lexicon: Lexicon) -> int:
    end = start + 1
    if _follows(said, end, lexicon) and (
        said[start].word in lexicon.adjectives or said[end].word.endswith(lexicon.noun_endings)
    ):
        end += 1
    while (
        _follows(said, end, lexicon)
        and end - start < MAX_WORDS
        and _agrees(said[end - 1].word, said[end].word, lexicon)
    ):
        end += 1
    return end


def _follows(said: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    if at >= len(said) or said[at].marked or not lexicon.is_content(said[at].word):
        return False
    return not lexicon.is_verb(said[at].word) and not _is_adverb(said[at].word, lexicon)


def _agrees(noun: str, word: str, lexicon: Lexicon) -> bool:
    """Whether a word after a noun is its adjective: it has the ending of one, and the noun's number and gender."""
    if noun.endswith("s") != word.endswith("s"):
        return False
    if word in lexicon.adjectives:
        return True
    bare, other = noun.rstrip("s")[-1:], word.rstrip("s")[-1:]
    return word.endswith(lexicon.adjective_endings) and {bare, other} != {"a", "o"}


def _capitals(said: Sequence[Token], start: int, lexicon: Lexicon) -> int:
    end = start
    while end < len(said) and end - start < MAX_WORDS and (end == start or not said[end].marked):
        token = said[end]
        if not lexicon.is_content(token.word):
            break
        end += 1
        if token.surface[0].isupper():
            return end
        if not token.word.endswith(("e", "en", "er", "es", "em")):
            break
    return start


def _is_adverb(word: str, lexicon: Lexicon) -> bool:
    return lexicon.order == "head_first" and word.endswith("mente") and word not in ("mente", "lamente")


MAX_SUBJECT = 6
_ASIDE = re.compile(r"^([^,()]{2,60}?)(?:, [^,]{2,50},|\s?\([^)]{1,50}\)) (?=\w)")


@dataclass(frozen=True)
class Definition:
    """The subject of a sentence; `strict` if the sentence defines it."""

    term: str
    key: tuple[str, ...]
    strict: bool


def find_definition(sentence: str, lexicon: Lexicon) -> Definition | None:
    """The term that a sentence defines, or is about."""
    plain = strip_opener(sentence.strip(QUOTE_MARKS + " "), lexicon)
    about = _subject(_ASIDE.sub(r"\1 ", plain), lexicon)
    return about if about and about.strict else _named(plain, lexicon) or about


def may_define(sentence: str, lexicon: Lexicon) -> bool:
    """Whether a sentence has the wording of a definition; its grammar has to confirm it."""
    plain = strip_opener(sentence.strip(QUOTE_MARKS + " "), lexicon)
    about = _subject(_ASIDE.sub(r"\1 ", plain), lexicon)
    return bool(about and about.strict) or _calls(lexicon.calls).search(plain) is not None


def strip_opener(sentence: str, lexicon: Lexicon) -> str:
    """A sentence without the words that only connect it to the one before (“But”, “Así pues,”)."""
    return _openers(lexicon).sub("", sentence)


def _named(sentence: str, lexicon: Lexicon) -> Definition | None:
    found = _calls(lexicon.calls).search(sentence)
    if not found:
        return None
    rest = sentence[found.end() :].lstrip(" ,:" + QUOTE_MARKS)
    for each in find_phrases(sentence, lexicon):
        if rest.startswith((each.text, f"{each.article} {each.text}")):
            strict = found.group().split()[0].lower() not in lexicon.articles
            return _defined(each.text, each.words, strict=strict, lexicon=lexicon)
    return None


def _subject(sentence: str, lexicon: Lexicon) -> Definition | None:
    means = _means(lexicon.means).match(sentence)
    if means:
        subject, strict = means[1], True
    else:
        said = tokenize(sentence)
        at = next((i for i, each in enumerate(said) if each.word in lexicon.copulas or each.marked), 0)
        if not 0 < at <= MAX_SUBJECT or said[at].word not in lexicon.copulas or said[at].marked:
            return None
        subject = " ".join(each.surface for each in said[:at]).replace("' ", "'").replace("’ ", "’")
        strict = len(said) > at + 2 and any(each.word in lexicon.articles for each in said[at + 1 : at + 3])
    inside = tokenize(subject)
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
    return Definition(text.strip(), tuple(stem_word(word, lexicon) for word in carrying), strict)


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
