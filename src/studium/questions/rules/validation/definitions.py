"""Find definitions (`The backbone is area 0.`), appositions, attributes and expansions of abbreviations."""

import re
from collections.abc import Iterator

from studium.questions.rules.comparison.quantities import quantities_in
from studium.questions.rules.comparison.words import words_in
from studium.questions.rules.validation.lookup import FoundAnswer, LineMatch, QuestionLookup
from studium.questions.rules.validation.question_analysis import LEXICON, search_keys

_COPULA = re.compile(rf"\s(?:{LEXICON.any_of('copulas')})\s|とは、?|は、?")
_ASIDE = re.compile(r"\s*\(([^()]*)\)|,\s[^,]+,(?=\s*$)")
_NO_DEFINITION = re.compile(rf"(?:{LEXICON.any_of('no_definitions')})\b", re.IGNORECASE)
_CLAUSE_START = re.compile(rf"[,;:(]\s*|\b(?:{LEXICON.any_of('subordinators')}|{LEXICON.any_of('and')})\s")
_NEXT_CLAUSE = re.compile(
    rf":\s|,? (?:{LEXICON.any_of('conjunctions')})"
    rf" (?=(?:{LEXICON.any_of('articles')}|{LEXICON.any_of('pronouns')})\s[^,;]{{1,40}}?"
    rf"\b(?:{LEXICON.any_of('auxiliaries')})\s)"
)
_CLOSING = re.compile(r"(?<!\s)\s*+(?:のことです|のことである|です|である|だ)?[.!。]?\s*+$")
_NAME = r"[A-ZÄÖÜ][\w'’-]*(?: (?:of |the )?[A-ZÄÖÜ][\w'’-]*){0,4}"
_ADDED = re.compile(
    rf"(?P<named>{_NAME}), (?:(?:which|who) (?:is|was) )?(?P<said>(?:{LEXICON.any_of('articles')}) [^,;]+)"
)
_OF = re.compile(
    rf"\b(?:{LEXICON.any_of('having')}) (?:{LEXICON.any_of('articles')}) (?:\w+ )?(?P<name>\w+) (?:of|von|de)"
    r" (?P<value>[^,;:.()]*\d[\d.,]*(?: ?[^\s,;:.()]+)?)"
)
LONGEST_SUBJECT = 8
SOON = 12  # characters before the amount in a predicate
VARIANT_COST = 0.1  # less than RIVAL_MARGIN


def definitions(lookup: QuestionLookup, match: LineMatch) -> Iterator[FoundAnswer]:
    """What the line says its subject is, if the subject is the topic of the question."""
    inherited = match.line.inherited_keys
    for clause in match.line.text.split("; "):
        for copula in _COPULA.finditer(clause):
            predicate = _CLOSING.sub("", _NEXT_CLAUSE.split(clause[copula.end() :], maxsplit=1)[0])
            if _is_topic(lookup, clause[: copula.start()], inherited):
                if predicate and not _NO_DEFINITION.match(predicate):
                    yield FoundAnswer(predicate, match.line.quote, match.fit)
                break
            if _is_variant(lookup, clause[: copula.start()], predicate):
                yield FoundAnswer(predicate, match.line.quote, match.fit - VARIANT_COST)
                break
        inherited = inherited | search_keys(clause, lookup.question.language)


def subjects(lookup: QuestionLookup, match: LineMatch) -> Iterator[FoundAnswer]:
    """The subject of the question's predicate: `What was too expensive?` – `… paraffin was too expensive …`."""
    text = match.line.text
    negations = sum(word.negation for word in match.line.words)
    if negations != lookup.question.negations:
        return
    for copula in _COPULA.finditer(text):
        subject = _CLAUSE_START.split(text[: copula.start()])[-1].strip()
        predicate = search_keys(text[copula.end() :], lookup.question.language)
        keys = search_keys(subject, lookup.question.language)
        first = next((word for word in match.line.words if word.is_content and word.start >= copula.end()), None)
        covered = all(forms & (predicate | keys | lookup.index.subject) for forms in lookup.forms.values())
        told = first is not None and match.is_said(first) and covered
        if told and keys - lookup.all_forms and len(subject.split()) <= LONGEST_SUBJECT:
            yield FoundAnswer(subject, match.line.quote, match.fit)
            return


def appositions(lookup: QuestionLookup, match: LineMatch) -> Iterator[FoundAnswer]:
    """The apposition to a name (`the Halcyon, a schooner that …`), or the name."""
    for found in _ADDED.finditer(match.line.text):
        named, said = found["named"], _CLOSING.sub("", found["said"])
        keys = search_keys(said, lookup.question.language)
        if search_keys(named, lookup.question.language) and _is_topic(lookup, named, match.line.inherited_keys):
            yield FoundAnswer(said, match.line.quote, match.fit)
        elif keys and all(forms & keys for forms in lookup.forms.values()):
            yield FoundAnswer(named, match.line.quote, match.fit)


def attributes(lookup: QuestionLookup, match: LineMatch) -> Iterator[FoundAnswer]:
    """The value of an attribute: `The lamp has a power of 1,500 watts and …`."""
    for found in _OF.finditer(match.line.text):
        word = next((word for word in match.line.words if word.start == found.start("name")), None)
        value = found["value"].strip()
        if word and match.is_said(word) and not search_keys(value, lookup.question.language) & lookup.all_forms:
            yield FoundAnswer(value, match.line.quote, match.fit)


def _is_variant(lookup: QuestionLookup, subject: str, predicate: str) -> bool:
    """Whether a subject is the topic under a condition that the question does not have.

    On radio links, the default interval is 20 seconds.  –  What is the default interval?
    """
    keys = search_keys(subject, lookup.question.language)
    amounts = quantities_in(predicate, lookup.question.language)
    return bool(amounts) and amounts[0].start <= SOON and all(forms & keys for forms in lookup.forms.values())


def _is_topic(lookup: QuestionLookup, subject: str, inherited: frozenset[str]) -> bool:
    """Whether a subject, or its text in brackets, is exactly the topic of the question.

    Inherited stems may be missing from it: under `Goblin`, `the speed` is the goblin's.
    """
    asides = " ".join(filter(None, _ASIDE.findall(subject)))
    readings = (search_keys(text, lookup.question.language) for text in (_ASIDE.sub("", subject), asides))
    known = inherited | lookup.index.subject
    return any(
        keys and keys <= lookup.all_forms and all(forms & (keys | known) for forms in lookup.forms.values())
        for keys in readings
    )


_CAPITAL = r"[A-ZÄÖÜ\u0410-\u042f]"
_ABBREVIATION = re.compile(rf"\b{_CAPITAL}[^\W_]*(?:{_CAPITAL}|\d)[^\W_]*\b")
_STANDS_FOR = rf"\b[^.]{{0,30}}?\b(?:{LEXICON.any_of('full_forms')})\s+[\"“„«]?(?P<full>[^.;,()\"”»]+)"
_IN_BRACKETS = r"s?\s*\(\s*(?:or |short for |kurz für |von )?(?P<full>[^()]{4,80})\)"
MAX_WORDS = 9


def expansions(lookup: QuestionLookup) -> Iterator[FoundAnswer]:
    """All expansions of the abbreviation in the document."""
    asked = _ABBREVIATION.search(lookup.question.text)
    if not asked:
        return
    short = asked[0]
    for line in lookup.index.lines:
        if short in line.text:
            for full in _full_forms(short, line.text):
                yield FoundAnswer(full.strip(), line.quote, 1.0)


def _full_forms(short: str, text: str) -> Iterator[str]:
    for pattern in (_STANDS_FOR, _IN_BRACKETS):
        for found in re.finditer(re.escape(short) + pattern, text):
            if _initials_fit(short, found["full"]):
                yield found["full"]
    for found in re.finditer(rf"\(\s*{re.escape(short)}s?\b[^()]*\)", text):
        if full := _before(short, text[: found.start()]):
            yield full


def _before(short: str, text: str) -> str | None:
    """The words before the brackets whose initials are the abbreviation."""
    words = words_in(text)[-MAX_WORDS:]
    for count in range(1, len(words) + 1):
        chosen = words[-count:]
        full = text[chosen[0].start :].strip()
        if chosen[0].text[0].casefold() == short[0].casefold() and _initials_fit(short, full):
            return full
    return None


def _initials_fit(short: str, full: str) -> bool:
    """Whether the letters of the abbreviation are in the words in order, and mostly at their start."""
    letters = [letter.casefold() for letter in short if letter.isalpha()]
    words = [word.text.casefold() for word in words_in(full)]
    if not words or not letters or words[0][0] != letters[0] or len(words) > MAX_WORDS:
        return False
    text, at = " ".join(words), 0
    for letter in letters:
        at = text.find(letter, at) + 1
        if not at:
            return False
    initials = [word[0] for word in words]
    return sum(letter in initials for letter in letters) * 2 >= len(letters)
