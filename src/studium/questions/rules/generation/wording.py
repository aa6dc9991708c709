"""What a document without headings is about: the case it decides, or the line that stands over it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from studium.questions.rules.parsed_document import ParsedSentence, strip_markdown

LONGEST_TITLE = 10
FIRST_SENTENCES = 12
_CASE = re.compile(r"[A-Z][^.:;]{2,50}(?:\.[^.:;]{0,20})? v\. [A-Z].{2,60}")


def title_of(sentences: Sequence[ParsedSentence]) -> str:
    """The title of a document, or nothing where none is sure."""
    first = [each for each in sentences[:FIRST_SENTENCES] if not each.heading and "\n" not in each.quote]
    if case := next((each.text for each in first if _CASE.fullmatch(each.text)), ""):
        return case
    return first[0].text if first and first[0] is sentences[0] and _is_title(first[0].text) else ""


def _is_title(text: str) -> bool:
    words = text.split()
    return 0 < len(words) <= LONGEST_TITLE and text[-1].isalnum() and ":" not in text and text[0].isupper()


LONGEST_TOPIC = 60
_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|[IVX]+\.|[A-Z]\.|§ ?\d+) +")
# Headings that say what kind of text follows, not what it is about.
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
    """The templates of one language. `{of}` is the thing, `{what}` what is asked of it."""

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
    """The wording of a language, or a neutral one."""
    return TEMPLATES.get(language, NEUTRAL)


@lru_cache(maxsize=1024)
def topic_of(heading: str) -> str:
    """What a trail of headings is about: the innermost one that is short and not of a general kind."""
    parts = [_NUMBERING.sub("", strip_markdown(part)).strip(" *_:#") for part in heading.split(" > ")]
    named = [part for part in parts if part and not _GENERIC.fullmatch(part)]
    return next((part for part in reversed(named) if len(part) <= LONGEST_TOPIC), "")


def lower_first(name: str) -> str:
    """`Default value` → `default value`; what has other capitals keeps them."""
    return name[0].lower() + name[1:] if name[1:].islower() else name


def in_section(question: str, topic: str) -> str:
    """A question that is understood only together with what its section or document is about."""
    return f"According to “{topic}”, {question[0].lower()}{question[1:]}"
