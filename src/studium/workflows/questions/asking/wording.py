"""How the questions about tables, labelled values, lists and abbreviations are worded in each language."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from studium.workflows.questions.source import plain

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
class Wording:
    """The templates of one language. `{of}` is the thing, `{what}` what is asked of it."""

    value: str
    stands_for: str


WORDINGS: Mapping[str, Wording] = {
    "en": Wording("What is given for “{what}” under “{of}”?", "What does {short} stand for?"),
    "de": Wording("Was ist für „{of}“ unter „{what}“ angegeben?", "Wofür steht die Abkürzung {short}?"),
    "es": Wording("¿Qué se indica en «{what}» para «{of}»?", "¿Qué significan las siglas {short}?"),
    "fr": Wording("Qu’est-il indiqué sous « {what} » pour « {of} » ?", "Que signifie le sigle {short} ?"),
    "ru": Wording("Что указано в графе «{what}» для «{of}»?", "Как расшифровывается {short}?"),
    "ja": Wording("「{of}」の「{what}」は何ですか。", "「{short}」は何の略ですか。"),
    "zh": Wording("“{of}”的“{what}”是什么？", "{short}是什么的缩写？"),
}
NEUTRAL = Wording("“{of}” → “{what}”: ?", "{short} = ?")


def wording(language: str) -> Wording:
    """The wording of a language, or a neutral one."""
    return WORDINGS.get(language, NEUTRAL)


@lru_cache(maxsize=1024)
def topic_of(heading: str) -> str:
    """What a trail of headings is about: the innermost one that is short and not of a general kind."""
    parts = [_NUMBERING.sub("", plain(part)).strip(" *_:#") for part in heading.split(" > ")]
    named = [part for part in parts if part and not _GENERIC.fullmatch(part)]
    return next((part for part in reversed(named) if len(part) <= LONGEST_TOPIC), "")


def lowered(name: str) -> str:
    """`Default value` → `default value`; what has other capitals keeps them."""
    return name[0].lower() + name[1:] if name[1:].islower() else name


def in_section(question: str, topic: str) -> str:
    """A question that is understood only together with what its section or document is about."""
    return f"According to “{topic}”, {question[0].lower()}{question[1:]}"
