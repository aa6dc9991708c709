"""An English sentence, and the questions that it answers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from studium.workflows.questions.asking.english import being, doing
from studium.workflows.questions.asking.english.clauses import clauses_of
from studium.workflows.questions.asking.english.quantities import AMOUNT
from studium.workflows.questions.asking.english.verbs import BE, MODAL, is_participle
from studium.workflows.questions.asking.english.words import is_plural
from studium.workflows.questions.asking.fact import Draft, Family, Vocabulary

_COUNTED = re.compile(
    rf"(?P<amount>{AMOUNT}|[A-Z][a-z]+ (?:than )?{AMOUNT}) (?P<unit>(?:[a-z-]+ )?(?P<last>[a-z-]+)) "
    r"(?P<done>(?:were|are) [a-z]+ (?:in|on|at|by|during|from) [^,;]*[A-Z\d][^,;]*)\."
)


@dataclass(frozen=True)
class Defined:
    """What a sentence defines, and whether it is a person."""

    name: str
    person: bool


def defined_by(sentence: str, vocabulary: Vocabulary) -> Defined | None:
    """The one thing of which a sentence says what it is."""
    clause = next(clauses_of(sentence, vocabulary), None)
    if clause is None or clause.verb not in ("is", "was") or not clause.subject.specific:
        return None
    defining = next(being.definition(clause), None)
    return Defined(clause.subject.text, defining.question.startswith("Who")) if defining else None


def drafts(sentence: str, vocabulary: Vocabulary) -> Iterator[Draft]:
    """What can be asked about one sentence."""
    yield from _how_many(sentence)
    for clause in clauses_of(sentence, vocabulary):
        if clause.verb in BE:
            yield from being.drafts(clause)
        elif clause.verb in MODAL:
            yield from doing.required(clause)
        else:
            yield from doing.drafts(clause)


def _how_many(sentence: str) -> Iterator[Draft]:
    """How many, of `3,000 people were killed in the 1906 earthquake`."""
    found = _COUNTED.fullmatch(sentence)
    if found and is_plural(found["last"]) and is_participle(found["done"].split()[1]):
        question = f"How many {found['unit']} {found['done']}?"
        yield Draft(Family.NUMBER, question, f"{found['amount']} {found['unit']}")
