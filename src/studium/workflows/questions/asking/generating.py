"""The rules' next question: the best one about the part of the document that was asked about least.

"Hello packets are sent every 10 seconds."  →  How often are hello packets sent?  →  every 10 seconds
"""

from collections import Counter
from collections.abc import Sequence

from studium.core.domain.skill import Tool
from studium.workflows.questions.asking.extracting import facts_of
from studium.workflows.questions.asking.fact import Fact, Family, subject_matter
from studium.workflows.questions.asking.wording import WORDINGS
from studium.workflows.questions.skills import Candidate, Exhausted, GenerateGiven
from studium.workflows.questions.source import read_source

# How much a question of each family tests whether the document was read.
_WORTH = {
    Family.NUMBER: 1.0,
    Family.ENTRY: 0.95,
    Family.TABLE: 0.95,
    Family.DATE: 0.95,
    Family.NAME: 0.9,
    Family.PROPERTY: 0.9,
    Family.LIST: 0.85,
    Family.PURPOSE: 0.8,
    Family.DEFINITION: 0.8,
    Family.ABBREVIATION: 0.75,
}
_NEUTRAL_KINDS = "labelled values, tables and abbreviations"


async def generate(given: GenerateGiven, tools: Sequence[Tool]) -> Candidate | Exhausted:
    """Ask the best question about the lines in focus, else about those nearest to them."""
    source = await read_source(given.document, tools)
    facts = facts_of(source, _language(given))
    left = _not_asked(facts, given.asked)
    if not left:
        return Exhausted(reason=_why(_language(given), len(facts)))
    fact = _best(left, facts, given)
    return Candidate(question=fact.question, answer=fact.answer, quotes=fact.quotes)


def _language(given: GenerateGiven) -> str:
    """A text too short or too full of figures to tell its language is read as English, the commonest of data sheets."""
    return "en" if given.language in ("und", "") else given.language


def _not_asked(facts: Sequence[Fact], asked: Sequence[str]) -> list[Fact]:
    """The facts that no question was about: neither in these words, nor by the same answer of the same place."""
    matters = {subject_matter(question) for question in asked}
    told = {(fact.answer, fact.quotes) for fact in facts if fact.matter in matters}
    return [fact for fact in facts if fact.matter not in matters and (fact.answer, fact.quotes) not in told]


def _best(left: Sequence[Fact], facts: Sequence[Fact], given: GenerateGiven) -> Fact:
    """The nearest to the focus; among equals what is worth most, of a kind and a place not asked about much."""
    open_ones = {id(fact) for fact in left}
    asked = [fact for fact in facts if id(fact) not in open_ones]
    families, places = Counter(fact.family for fact in asked), Counter(fact.quotes for fact in asked)

    def rank(fact: Fact) -> tuple[int, float, int]:
        distance = max(given.focus_start - fact.line, fact.line - given.focus_end, 0)
        repeated = families[fact.family] / (len(asked) or 1) + places[fact.quotes]
        return distance, repeated / 4 - _WORTH[fact.family], fact.line

    return min(left, key=rank)


def _why(language: str, found: int) -> str:
    """Why there is nothing left to ask, in words that say what was looked for."""
    kinds = ", ".join(Family) if language in WORDINGS else _NEUTRAL_KINDS
    asked = (
        f"All {found} questions that the rules find here were asked" if found else "The rules find nothing to ask here"
    )
    limit = "" if language in WORDINGS else f" (of the language `{language}` they know no sentences)"
    return f"{asked}; without a model they look for {kinds}{limit}."
