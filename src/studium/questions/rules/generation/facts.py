"""Facts with their question, answer and quotes; what is well formed; titles, topics and question templates."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from studium.questions.rules.parsed_document import ParsedSentence, strip_markdown

_OPENING = re.compile(r"\b(?:in which year|when|who or what|who|what|which|where|how \w+)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_EMPTY_WORD = re.compile(r"(?:an?|the|of|is|are|was|were|do|does|did|have|has|had|in|for|according|to)")
_ALIKE = {"in which year": "when", "which": "what", "who or what": "what"}
_LOWER = re.compile(r"(?<![.!?:] )(?<!^)\b[^\W\d_A-Z\u0410-\u042fЁÄÖÜÀ-ÖØ-Þ][^\W\d_]*(?:[-'’][^\W\d_]+)*", re.MULTILINE)


class QuestionFamily(StrEnum):
    """The families of questions, as users see them."""

    ENTRY = "labelled values"
    TABLE = "tables"
    NUMBER = "numbers"
    DATE = "dates"
    NAME = "names and places"
    PROPERTY = "properties"
    LIST = "lists"
    ABBREVIATION = "abbreviations"
    DEFINITION = "definitions"
    PURPOSE = "purposes"
    REASON = "reasons"
    WAY = "ways"
    INSTRUCTION = "instructions"
    TIME = "times"
    PLACE = "places"
    CONSEQUENCE = "consequences"
    DUTY = "duties"
    STATEMENT = "statements"
    FACT = "facts"


@dataclass(frozen=True)
class QuestionDraft:
    """A question and its answer, made by a pattern from one sentence.

    A draft that is not `complete` makes sense only with the heading of its section. The `predicate` is the base form of
    the verb that the question turns on.
    """

    family: QuestionFamily
    question: str
    answer: str
    complete: bool = True
    predicate: str = ""


@dataclass(frozen=True)
class Fact:
    """A question, its answer, the quotes that prove it, their line and section, and how good the question is."""

    family: QuestionFamily
    question: str
    answer: str
    quotes: tuple[str, ...]
    line: int
    heading: str = ""
    worth: float = 0.0
    predicate: str = ""

    @cached_property
    def matter(self) -> frozenset[str]:
        """What the question is about."""
        return subject_matter(self.question)


def subject_matter(question: str) -> frozenset[str]:
    """What a question is about, in any wording: equal for two questions that ask the same."""
    opening = _OPENING.search(question)
    asks = opening[0].lower() if opening else ""
    rest = question.replace(opening[0], " ", 1) if opening else question
    return frozenset({*content_words(rest), f"{_ALIKE.get(asks, asks)}?"})


def content_words(text: str) -> set[str]:
    """The content words and numbers of a text."""
    return {word for word in _WORD.findall(text.casefold()) if not _EMPTY_WORD.fullmatch(word)}


@dataclass(frozen=True)
class DocumentVocabulary:
    """Which words a document writes in lower case within sentences, and which it uses with `the`."""

    texts: tuple[str, ...]

    def common(self, word: str) -> bool:
        """Whether a word is an ordinary one, capitalised only at the start of a sentence."""
        return word.lower() in self._lower or word.lower().removesuffix("s") in self._lower

    def takes_article(self, name: str) -> bool:
        """Whether the document writes `the goblin` rather than `Goblin`."""
        return self._with_article[name.casefold()] > 0

    @cached_property
    def _lower(self) -> frozenset[str]:
        return frozenset(word for text in self.texts for word in _LOWER.findall(text))

    @cached_property
    def _with_article(self) -> Counter[str]:
        phrases = (phrase for text in self.texts for phrase in _articled(text))
        return Counter(phrases)


def _articled(text: str) -> Iterator[str]:
    """The one, two and three words after each `the`."""
    words = text.casefold().split()
    for at, word in enumerate(words):
        if word == "the":
            yield from (" ".join(words[at + 1 : at + 1 + size]).strip(".,;:'’s") for size in (1, 2, 3))


LONGEST_QUESTION = 220
LONGEST_ANSWER = 320
_BRACKETS = (("(", ")"), ("[", "]"))

# Parts of a document that refer to facts elsewhere, or instruct the reader.
_BACK_MATTER = re.compile(
    r"\b(?:references|bibliography|works cited|table of contents|contents|see also|external links|further reading"
    r"|acknowledge?ments|licen[cs]e|copyright|index|changelog|footnotes|notes|exercises|review questions"
    r"|literatur(?:verzeichnis)?|einzelnachweise|weblinks|inhalt(?:sverzeichnis)?|siehe auch|quellen"
    r"|referencias|bibliografía|véase también|enlaces externos|índice|références|bibliographie|voir aussi|sommaire"
    r"|литература|примечания|ссылки|содержание|см\. также)\b|参考文献|目次|目录|脚注|外部リンク",
    re.IGNORECASE,
)
# Searched in lower case.
_TO_THE_READER = re.compile(r"\byou(?:rs?)?\b")
_NO_STATEMENT = re.compile(
    r"\b(?:we|our|us|my|i|ihr|ihre|ihnen|wir|unser|usted|ustedes|nosotros|nous|vous|votre|вы|ваш|мы)\b"
    r"|\b(?:ignore|disregard|forget) (?:all|any|your|the|every|previous|prior)\b"
    r"|submit_qa|report_exhausted|system prompt|https?://|www\.|[{}<>]|\\\w|[=;]\s*$|[?][\"'”»]?\s*$"
    r"|\b(?:for example|for instance|e\.g\.|suppose|imagine|allegedly|reportedly|hypothetical)"
)
_POINTS_ELSEWHERE = re.compile(
    r"\b(?:this|these|those|above|below|aforementioned|herein|thereof|former|latter|respectively"
    r"|see (?:section|table|figure))\b"
)
_LOOSE_END = re.compile(
    r"\b(?:of|the|a|an|and|or|in|on|at|for|to|with|by|from|as|than|und|oder|der|die|das|von|y|o|de|la|el|et|ou|и|или)$",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def is_back_matter(heading: str) -> bool:
    """Whether a heading is that of references, contents or the like."""
    return any(_BACK_MATTER.fullmatch(part.strip(" .:0123456789*_")) for part in heading.split(" > "))


def is_statement(text: str, *, to_the_reader: bool = False) -> bool:
    """Whether a text states a fact, rather than an instruction or an assumption; it may say `you` only if allowed."""
    said = text.lower()
    return not _NO_STATEMENT.search(said) and (to_the_reader or not _TO_THE_READER.search(said))


def is_well_formed(question: str, answer: str) -> bool:
    """Whether question and answer are complete and short, and the question does not contain the answer."""
    if len(question) > LONGEST_QUESTION or not 0 < len(answer) <= LONGEST_ANSWER:
        return False
    if _POINTS_ELSEWHERE.search(f"{question}\n{answer}".lower()) or _LOOSE_END.search(answer):
        return False
    return _is_balanced(question) and _is_balanced(answer) and not content_words(answer) <= content_words(question)


def _is_balanced(text: str) -> bool:
    if text.count('"') % 2 or text.count("`") % 2:
        return False
    return all(text.count(left) == text.count(right) for left, right in _BRACKETS)


LONGEST_TITLE = 10
FIRST_SENTENCES = 12
_CASE = re.compile(r"[A-Z][^.:;]{2,50}(?:\.[^.:;]{0,20})? v\. [A-Z].{2,60}")


def title_of(sentences: Sequence[ParsedSentence]) -> str:
    """The title of a document; empty if it is unclear."""
    first = [each for each in sentences[:FIRST_SENTENCES] if not each.heading and "\n" not in each.quote]
    if case := next((each.text for each in first if _CASE.fullmatch(each.text)), ""):
        return case
    return first[0].text if first and first[0] is sentences[0] and _is_title(first[0].text) else ""


def _is_title(text: str) -> bool:
    words = text.split()
    return 0 < len(words) <= LONGEST_TITLE and text[-1].isalnum() and ":" not in text and text[0].isupper()


LONGEST_TOPIC = 60
_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|[IVX]+\.|[A-Z]\.|§ ?\d+) +")
# Headings that describe the kind of text, not its topic.
_GENERIC = re.compile(
    r"overview|introduction|intro|summary|details|(?:technical )?(?:specifications?|data)|general(?: information)?"
    r"|properties|information|statistics|stats|characteristics|description|(?:key )?facts|infobox|metadata|actions"
    r"|traits|features|abstract|background|results|methods|discussion|conclusions?|basics|terms|definitions|glossary|terminology"
    r"|history|security|limits|requirements|usage|installation|configuration|examples|setup|notes"
    r"|übersicht|einleitung|zusammenfassung|(?:technische )?daten|eigenschaften|steckbrief|allgemeines|einführung"
    r"|begriffe|geschichte|datos(?: técnicos)?|resumen|introducción|características|especificaciones|historia"
    r"|caractéristiques|données|résumé|fiche technique|histoire|termes"
    r"|характеристики|введение|данные|обзор|описание|история|概要|仕様|諸元|データ|基本情報|概述|简介|参数",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class QuestionTemplates:
    """The question templates of one language: `{of}` is the thing, `{what}` its property."""

    value: str
    stands_for: str


TEMPLATES: Mapping[str, QuestionTemplates] = {
    "en": QuestionTemplates("What is given for “{what}” under “{of}”?", "What does {short} stand for?"),
    "de": QuestionTemplates("Was ist für „{of}“ unter „{what}“ angegeben?", "Wofür steht die Abkürzung {short}?"),
    "es": QuestionTemplates("¿Qué se indica en «{what}» para «{of}»?", "¿Qué significan las siglas {short}?"),
    "fr": QuestionTemplates("Qu’est-il indiqué sous « {what} » pour « {of} » ?", "Que signifie le sigle {short} ?"),
    "ru": QuestionTemplates("Что указано в графе «{what}» для «{of}»?", "Как расшифровывается {short}?"),
    "ja": QuestionTemplates("「{of}」の「{what}」は何ですか。", "「{short}」は何の略ですか。"),
    "zh": QuestionTemplates("“{of}”的“{what}”是什么？", "{short}是什么的缩写？"),
}
NEUTRAL = QuestionTemplates("“{of}” → “{what}”: ?", "{short} = ?")


def templates_for(language: str) -> QuestionTemplates:
    """The templates of a language, or neutral ones."""
    return TEMPLATES.get(language, NEUTRAL)


@lru_cache(maxsize=1024)
def topic_of(heading: str) -> str:
    """The topic of a trail of headings: the innermost one that is short and not generic."""
    parts = [_NUMBERING.sub("", strip_markdown(part)).strip(" *_:#") for part in heading.split(" > ")]
    named = [part for part in parts if part and not _GENERIC.fullmatch(part)]
    return next((part for part in reversed(named) if len(part) <= LONGEST_TOPIC), "")


def lower_first(name: str) -> str:
    """`Default value` → `default value`; words with other capitals stay."""
    return name[0].lower() + name[1:] if name[1:].islower() else name


def in_section(question: str, topic: str) -> str:
    """A question that is understood only together with what its section or document is about."""
    return f"According to “{topic}”, {question[0].lower()}{question[1:]}"
