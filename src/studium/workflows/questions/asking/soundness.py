"""What is no fact, and which questions are not worth asking, in any language."""

import re
from functools import lru_cache

from studium.workflows.questions.asking.fact import words_of

LONGEST_QUESTION = 220
LONGEST_ANSWER = 320
_BRACKETS = (("(", ")"), ("[", "]"))

# Parts of a document that point to facts elsewhere, or tell the reader what to do.
_APPARATUS = re.compile(
    r"\b(?:references|bibliography|works cited|table of contents|contents|see also|external links|further reading"
    r"|acknowledge?ments|licen[cs]e|copyright|index|changelog|footnotes|notes|exercises|review questions"
    r"|literatur(?:verzeichnis)?|einzelnachweise|weblinks|inhalt(?:sverzeichnis)?|siehe auch|quellen"
    r"|referencias|bibliografía|véase también|enlaces externos|índice|références|bibliographie|voir aussi|sommaire"
    r"|литература|примечания|ссылки|содержание|см\. также)\b|参考文献|目次|目录|脚注|外部リンク",
    re.IGNORECASE,
)
# These are looked for in lower case.
_NO_STATEMENT = re.compile(
    r"\b(?:you|yours?|we|our|us|my|i|ihr|ihre|ihnen|wir|unser|usted|ustedes|nosotros|nous|vous|votre|вы|ваш|мы)\b"
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
def is_apparatus(heading: str) -> bool:
    """Whether a heading stands over references, contents or the like."""
    return any(_APPARATUS.fullmatch(part.strip(" .:0123456789*_")) for part in heading.split(" > "))


def is_statement(text: str) -> bool:
    """Whether a text says something of the world, rather than telling someone what to do or supposing something."""
    return not _NO_STATEMENT.search(text.lower())


def is_sound(question: str, answer: str) -> bool:
    """Whether question and answer are whole, short, and do not give each other away."""
    if len(question) > LONGEST_QUESTION or not 0 < len(answer) <= LONGEST_ANSWER:
        return False
    if _POINTS_ELSEWHERE.search(f"{question}\n{answer}".lower()) or _LOOSE_END.search(answer):
        return False
    return _is_balanced(question) and _is_balanced(answer) and not words_of(answer) <= words_of(question)


def _is_balanced(text: str) -> bool:
    if text.count('"') % 2 or text.count("`") % 2:
        return False
    return all(text.count(left) == text.count(right) for left, right in _BRACKETS)
