"""What a line says that something is: `The backbone is area 0.`, `XとはYである。`."""

import re
from collections.abc import Iterator

from studium.workflows.questions.answering.keys import keys_of
from studium.workflows.questions.answering.kinds import WORDS
from studium.workflows.questions.answering.lookup import Found, Lookup, Match
from studium.workflows.questions.comparing.quantities import quantities_in

_COPULA = re.compile(rf"\s(?:{WORDS.any_of('copulas')})\s|とは、?|は、?")
_ASIDE = re.compile(r"\s*\(([^()]*)\)|,\s[^,]+,(?=\s*$)")
_NO_DEFINITION = re.compile(rf"(?:{WORDS.any_of('no_definitions')})\b", re.IGNORECASE)
_CLAUSE_START = re.compile(rf"[,;:(]\s*|\b(?:{WORDS.any_of('subordinators')}|{WORDS.any_of('and')})\s")
_NEXT_CLAUSE = re.compile(
    rf":\s|,? (?:{WORDS.any_of('conjunctions')})"
    rf" (?=(?:{WORDS.any_of('articles')}|{WORDS.any_of('pronouns')})\s[^,;]{{1,40}}?"
    rf"\b(?:{WORDS.any_of('auxiliaries')})\s)"
)
_CLOSING = re.compile(r"\s*(?:のことです|のことである|です|である|だ)?[.!。]?\s*$")
_NAME = r"[A-ZÄÖÜ][\w'’-]*(?: (?:of |the )?[A-ZÄÖÜ][\w'’-]*){0,4}"
_ADDED = re.compile(
    rf"(?P<named>{_NAME}), (?:(?:which|who) (?:is|was) )?(?P<said>(?:{WORDS.any_of('articles')}) [^,;]+)"
)
_OF = re.compile(
    rf"\b(?:{WORDS.any_of('having')}) (?:{WORDS.any_of('articles')}) (?:\w+ )?(?P<name>\w+) (?:of|von|de)"
    r" (?P<value>[^,;:.()]*\d[\d.,]*(?: ?[^\s,;:.()]+)?)"
)
LONGEST_SUBJECT = 8
SOON = 12  # signs before the amount that a predicate states
VARIANT_COST = 0.1  # less than what makes it no rival


def definitions(lookup: Lookup, match: Match) -> Iterator[Found]:
    """What the line says its subject is, if its subject is what the question is about."""
    lent = match.line.context
    for clause in match.line.text.split("; "):
        for copula in _COPULA.finditer(clause):
            predicate = _CLOSING.sub("", _NEXT_CLAUSE.split(clause[copula.end() :], maxsplit=1)[0])
            if _is_topic(lookup, clause[: copula.start()], lent):
                if predicate and not _NO_DEFINITION.match(predicate):
                    yield Found(predicate, match.line.quote, match.fit)
                break
            if _is_variant(lookup, clause[: copula.start()], predicate):
                yield Found(predicate, match.line.quote, match.fit - VARIANT_COST)
                break
        lent = lent | keys_of(clause, lookup.asked.language)


def subjects(lookup: Lookup, match: Match) -> Iterator[Found]:
    """What a line says the question's predicate of: `What was too expensive?` – `… paraffin was too expensive …`."""
    text = match.line.text
    negations = sum(word.negation for word in match.line.words)
    if negations != lookup.asked.negations:
        return
    for copula in _COPULA.finditer(text):
        subject = _CLAUSE_START.split(text[: copula.start()])[-1].strip()
        predicate = keys_of(text[copula.end() :], lookup.asked.language)
        keys = keys_of(subject, lookup.asked.language)
        first = next((word for word in match.line.words if word.telling and word.start >= copula.end()), None)
        covered = all(forms & (predicate | keys | lookup.reading.subject) for forms in lookup.forms.values())
        told = first is not None and match.is_said(first) and covered
        if told and keys - lookup.all_forms and len(subject.split()) <= LONGEST_SUBJECT:
            yield Found(subject, match.line.quote, match.fit)
            return


def appositions(lookup: Lookup, match: Match) -> Iterator[Found]:
    """What a line adds to a name (`the Halcyon, a schooner that …`), or the name that it explains."""
    for found in _ADDED.finditer(match.line.text):
        named, said = found["named"], _CLOSING.sub("", found["said"])
        keys = keys_of(said, lookup.asked.language)
        if keys_of(named, lookup.asked.language) and _is_topic(lookup, named, match.line.context):
            yield Found(said, match.line.quote, match.fit)
        elif keys and all(forms & keys for forms in lookup.forms.values()):
            yield Found(named, match.line.quote, match.fit)


def attributes(lookup: Lookup, match: Match) -> Iterator[Found]:
    """What a line says in passing that something has: `The lamp has a power of 1,500 watts and …`."""
    for found in _OF.finditer(match.line.text):
        word = next((word for word in match.line.words if word.start == found.start("name")), None)
        value = found["value"].strip()
        if word and match.is_said(word) and not keys_of(value, lookup.asked.language) & lookup.all_forms:
            yield Found(value, match.line.quote, match.fit)


def _is_variant(lookup: Lookup, subject: str, predicate: str) -> bool:
    """Whether a subject names what is asked about under a condition that the question does not put.

    On radio links, the default interval is 20 seconds.  –  What is the default interval?
    """
    keys = keys_of(subject, lookup.asked.language)
    amounts = quantities_in(predicate, lookup.asked.language)
    return bool(amounts) and amounts[0].start <= SOON and all(forms & keys for forms in lookup.forms.values())


def _is_topic(lookup: Lookup, subject: str, lent: frozenset[str]) -> bool:
    """Whether a subject, or what it has in brackets, names what is asked about and nothing else.

    What its context lends may be missing from it: under `Goblin`, `the speed` is the goblin's.
    """
    asides = " ".join(filter(None, _ASIDE.findall(subject)))
    readings = (keys_of(text, lookup.asked.language) for text in (_ASIDE.sub("", subject), asides))
    known = lent | lookup.reading.subject
    return any(
        keys and keys <= lookup.all_forms and all(forms & (keys | known) for forms in lookup.forms.values())
        for keys in readings
    )
