"""Which facts to prefer, by what was asked for: the scenario's words, the difficulty, the length of the question."""

import re
from collections.abc import Mapping
from functools import lru_cache

from studium.questions.difficulty import difficulty_of
from studium.questions.rules.generation.facts import Fact, QuestionFamily
from studium.questions.skills import GenerateInput, QuestionContext

_NAMED, _WANTED = 0.6, 1.0
SHORT, LONG = 9, 15
_FAMILIES = {
    r"definition|\bterms?\b|terminolog|concept|glossary": {QuestionFamily.DEFINITION, QuestionFamily.ABBREVIATION},
    r"number|figures?\b|quantit|statistic|amount|how many|how much|measure": {QuestionFamily.NUMBER},
    r"\bdates?\b|\byears?\b|\bwhen\b|timeline|chronolog|histor": {QuestionFamily.DATE, QuestionFamily.TIME},
    r"\bwho\b|person|people|\bnames?\b": {QuestionFamily.NAME},
    r"\bwhy\b|reason|cause|understand|understood|explain|analys": {
        QuestionFamily.REASON,
        QuestionFamily.PURPOSE,
        QuestionFamily.CONSEQUENCE,
    },
    r"\bhow (?:do|does|to|can)\b|procedure|\bsteps?\b|instruction|how-to|task": {
        QuestionFamily.WAY,
        QuestionFamily.INSTRUCTION,
    },
    r"\bwhere\b|place|location": {QuestionFamily.PLACE},
    r"tables?\b|stat block|specification|data sheet|values?\b": {QuestionFamily.TABLE, QuestionFamily.ENTRY},
    r"\bmust\b|duty|duties|obligation|requirement|polic(?:y|ies)|compliance": {QuestionFamily.DUTY},
}
_USUAL = QuestionContext().scenario


@lru_cache(maxsize=64)
def named_families(scenario: str) -> frozenset[QuestionFamily]:
    """The families of facts that the description of a scenario names."""
    if scenario == _USUAL:
        return frozenset()
    named = (families for words, families in _FAMILIES.items() if re.search(words, scenario, re.IGNORECASE))
    return frozenset(family for families in named for family in families)


def preference(fact: Fact, given: GenerateInput, counts: Mapping[str, int]) -> float:
    """How much better a fact is than others for this request."""
    wanted = _NAMED * (fact.family in named_families(given.scenario))
    if given.length != "any":
        wanted += _WANTED * (length_of(fact.question) == given.length)
    if given.difficulty != "any":
        found = difficulty_of(given.kind, fact.question, fact.answer, fact.quotes, counts)
        wanted += _WANTED * (found == given.difficulty)
    return wanted


def length_of(question: str) -> str:
    """Short up to 8 words, long from 15 words on."""
    words = len(question.split())
    return "short" if words < SHORT else "medium" if words < LONG else "long"
