"""Summaries of a book from its own sentences: the central ones, whole, in their order."""

import re
from collections import Counter
from collections.abc import Sequence

from studium.core.domain.skill import Tool
from studium.workflows.concepts.drafting.excerpts import excerpt
from studium.workflows.concepts.drafting.lexicon import Lexicon, spoken
from studium.workflows.concepts.drafting.phrases import stem, tokenized
from studium.workflows.concepts.drafting.sentences import cleaned, count, sentences
from studium.workflows.concepts.skills import Summary, SummaryGiven

SUMMARY_WORDS = 100
SHORT_WORDS = 30
LONGEST = 45
LEAST = 4
_SAMPLE = 2_000
_FRONTMATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_HEADING = re.compile(r"^\s{0,3}#.*$|^\s*(?:[-*_=]\s*){3,}$", re.MULTILINE)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+", re.MULTILINE)
_PAGE = re.compile(r"[(\[](?:pp?|págs?|pag|S|loc|location|página|page)s?\.?\s*[\d–-]+[)\]]", re.IGNORECASE)


def summarize(given: SummaryGiven, _tools: Sequence[Tool]) -> Summary:
    """A book in about 100 and 30 words, taken from its text; its title where there is no text."""
    found = _sentences(given.text)
    if not found:
        named = f"{given.title} ({given.author})" if given.author else given.title
        return Summary(summary=named or "—", summary_short=named or "—")
    ranked = _ranked(found, spoken(given.text[:_SAMPLE], given.language))
    return Summary(
        summary=excerpt(found, ranked, SUMMARY_WORDS),
        summary_short=excerpt(found, ranked, SHORT_WORDS),
    )


def _sentences(text: str) -> list[str]:
    plain = _PAGE.sub("", _BULLET.sub("\n\n", _HEADING.sub("", _FRONTMATTER.sub("", text.replace("\r\n", "\n")))))
    paragraphs = (cleaned(each) for each in re.split(r"\n\s*\n", plain))
    return [sentence for each in paragraphs if each for sentence in sentences(each)]


def _ranked(found: Sequence[str], lexicon: Lexicon) -> list[int]:
    """The sentences, the most central first: those whose words come back most often, and that say something new."""
    said = [_stems(sentence, lexicon) for sentence in found]
    often = Counter(word for those in said for word in those)
    weights = [_weight(sentence, those, often) for sentence, those in zip(found, said, strict=True)]
    order = sorted(range(len(found)), key=lambda at: (-weights[at], at))
    chosen: list[int] = []
    told: set[str] = set()
    repeating: list[int] = []
    for at in order:
        new = not said[at] or len(said[at] - told) * 2 >= len(said[at])
        (chosen if new else repeating).append(at)
        told |= said[at] if new else set()
    return chosen + repeating


def _stems(sentence: str, lexicon: Lexicon) -> frozenset[str]:
    said = (each.word for each in tokenized(sentence))
    return frozenset(stem(word) for word in said if lexicon.is_content(word) and word not in lexicon.weak)


def _weight(sentence: str, stems: frozenset[str], often: Counter[str]) -> float:
    length = count(sentence)
    weight = sum(often[word] for word in stems) / (len(stems) + LEAST)
    asks = sentence.rstrip('"”»’)').endswith(("?", ":"))
    return weight * (0.5 if asks or length < LEAST or length > LONGEST else 1.0)
