"""Questions about English sentences: clauses with `be`, clauses with other verbs, definitions, requirements."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from studium.questions.rules.generation.english_clauses import DATE, Clause, clauses_of, when_question
from studium.questions.rules.generation.english_words import (
    AGENTIVE,
    AMOUNT,
    BE,
    MEASURE,
    MODAL,
    MONEY,
    PARTICIPLE_TO_PAST,
    PAST,
    PLAIN,
    PRESENT,
    ROLES,
    is_enumeration,
    is_participle,
    is_plural,
)
from studium.questions.rules.generation.facts import DocumentVocabulary, QuestionDraft, QuestionFamily

LONGEST_DEFINITION = 32
_NAME = r"[A-Z][\w’'.-]*(?: (?:de|da|van|von|der|of|the|and|&|[A-Z][\w’'.&-]*))*"
_DEFINED = re.compile(r"(?:an?|the|one of|any) .{3,}", re.DOTALL)
_PLURAL_KIND = re.compile(r"(?:[a-z-]+ ){0,2}[a-z-]+s (?:that|which|who|used|designed) .+", re.DOTALL)
_NEXT_THOUGHT = re.compile(r"(?:, (?:so|but|and (?:it|they|is|are|was|has))\b|;|:).*", re.DOTALL)
_AFTERTHOUGHT = re.compile(r"(?:, (?:which|who|where|while|although|though)\b| \().*", re.DOTALL)
_JUDGEMENT = re.compile(
    r"(?:an?|the|one of the) (?:\w+ )?(?:limitation|good|great|bad|important|same|best|worst|only|problem|must|key"
    r"|result|reason|challenge|matter|case|most|common|useful|major|main|perfect|ideal|popular|powerful|critical|crucial)\b"
)
_HEAD_END = re.compile(r" (?:in|on|at|for|from|with|by|that|which|used|to)\b.*", re.DOTALL)
_MAY_BE_PERSON = re.compile(r"\b(?:\w+(?:er|or|ist|ian|man|woman|ess|smith)|widow|child|boy|girl|leader|first|last)$")
_PLACED = re.compile(
    r"(?P<how>located|situated|based|headquartered) "
    r"(?P<place>(?:in|on|at|near|between) (?=[^,;:]*[A-Z])[^;:]{3,80}?)(?:,? and .*)?"
)
_BY = re.compile(
    rf"(?P<done>[a-z]+) by (?P<agent>{_NAME})(?: (?:in|on) (?P<date>{DATE}))?"
    rf"(?P<tail> (?:in|at|for) {PLAIN}+)?(?: and .+)?"
)
_PASSIVE_WITH_DATE = re.compile(
    rf"(?P<done>(?:first |officially |formally )?[a-z]+)(?P<how> [^,;]{{3,60}}?)? (?:in|on) (?P<date>{DATE})(?:,? .*)?"
)
_BORN = re.compile(
    rf"born (?:(?:in|on) (?P<date>{DATE}))?,?(?: ?in (?P<place>[A-Z][^;.]*?))?(?: (?:in|on) (?P<later>{DATE}))?"
)
_EVERY = re.compile(
    rf"(?P<done>[a-z]+(?: [a-z]+)?) (?P<often>every {AMOUNT} [a-z]+|every [a-z]+|once [a-z]+ [a-z]+)"
    rf"(?P<tail> (?:on|in|to|by|from|at|for) {PLAIN}+)?"
)
_USED = re.compile(r"(?:commonly |mainly |mostly |often |primarily |typically )?used (?P<use>(?:to|for) [^;]{6,160})")
_MADE = re.compile(r"(?P<how>made of|made from|composed of|named after|made up of) (?P<what>[^;]{3,120})")
_LONG = re.compile(
    rf"(?P<size>{MEASURE}) (?P<how>long|wide|high|tall|deep|thick|old|heavy|away)(?P<tail> (?:in|at|from) {PLAIN}+)?"
)
_VALUE = re.compile(rf"(?:(?:now|currently) )?(?:{AMOUNT}|[$€£¥]|{_NAME})(?:(?!,\D)[^:;])*", re.DOTALL)
_PURPOSE = re.compile(r"the (?:main |primary |sole )?(?:purpose|aim|goal|task|function|role|job) of ")
_SET = re.compile(r"set to (?P<value>[^;:]{1,60})")


def be_clause_questions(clause: Clause) -> Iterator[QuestionDraft]:
    """The questions answered by a clause with a form of `be`."""
    for pattern in (_born, _placed, _by, _done_then, _every, _used, _made, _long, _set, _purpose):
        yield from pattern(clause)
    if not is_participle(clause.rest.partition(" ")[0]):
        yield from _value(clause)
        yield from definition(clause)


def _be_question(clause: Clause, opening: str, ending: str, family: QuestionFamily, answer: str) -> QuestionDraft:
    """`What` + `is` + the subject + the rest of the question."""
    ending = f" {ending.strip()}" if ending.strip() else ""
    question = f"{opening} {clause.verb} {clause.subject.text}{ending}?"
    return QuestionDraft(family, question, answer.strip(), clause.subject.specific)


def _born(clause: Clause) -> Iterator[QuestionDraft]:
    found = _BORN.fullmatch(clause.rest)
    if found and clause.subject.named:
        if date := found["date"] or found["later"] or clause.date:
            yield _be_question(clause, "When", "born", QuestionFamily.DATE, date)
        if found["place"]:
            yield _be_question(clause, "Where", "born", QuestionFamily.NAME, found["place"])


def _placed(clause: Clause) -> Iterator[QuestionDraft]:
    if found := _PLACED.fullmatch(clause.rest):
        yield _be_question(clause, "Where", found["how"], QuestionFamily.NAME, found["place"])


def _by(clause: Clause) -> Iterator[QuestionDraft]:
    """`was invented by Ada in 1843` → who invented it, and when."""
    found = _BY.fullmatch(clause.rest)
    if not found or not is_participle(found["done"]):
        return
    past = PARTICIPLE_TO_PAST.get(found["done"], found["done"])
    if past in AGENTIVE:
        question = f"Who {past} {clause.subject.text}{found['tail'] or ''}?"
        yield QuestionDraft(QuestionFamily.NAME, question, found["agent"], clause.subject.specific)
    if date := found["date"] or clause.date:
        yield _be_question(
            clause, when_question(date), found["done"] + (found["tail"] or ""), QuestionFamily.DATE, date
        )


def _done_then(clause: Clause) -> Iterator[QuestionDraft]:
    """`was founded in Berlin in 1911`, or `In 1911, X was founded in Berlin` → when."""
    first = clause.rest.partition(" ")[0]
    if first == "born" or " by " in clause.rest:
        return
    found = _PASSIVE_WITH_DATE.fullmatch(clause.rest)
    if found and is_participle(found["done"].split()[-1]):
        ending = found["done"] + (found["how"] or "")
        yield _be_question(clause, when_question(found["date"]), ending, QuestionFamily.DATE, found["date"])
    elif clause.date and is_participle(first) and not re.search(r"[,;]", clause.rest):
        yield _be_question(clause, clause.when, clause.rest, QuestionFamily.DATE, clause.date)


def _every(clause: Clause) -> Iterator[QuestionDraft]:
    found = _EVERY.fullmatch(clause.rest)
    if found and is_participle(found["done"].split()[0]):
        yield _be_question(
            clause, "How often", found["done"] + (found["tail"] or ""), QuestionFamily.NUMBER, found["often"]
        )


def _used(clause: Clause) -> Iterator[QuestionDraft]:
    if found := _USED.fullmatch(clause.rest):
        yield _be_question(clause, "What", "used for", QuestionFamily.PURPOSE, found["use"])


def _made(clause: Clause) -> Iterator[QuestionDraft]:
    if found := _MADE.fullmatch(clause.rest):
        opening = "Who or what" if found["how"] == "named after" else "What"
        yield _be_question(clause, opening, found["how"], QuestionFamily.PROPERTY, found["what"])


def _long(clause: Clause) -> Iterator[QuestionDraft]:
    if found := _LONG.fullmatch(clause.rest):
        ending = ("away" if found["how"] == "away" else "") + (found["tail"] or "")
        opening = "How far" if found["how"] == "away" else f"How {found['how']}"
        yield _be_question(clause, opening, ending, QuestionFamily.NUMBER, f"{found['size']}")


def _set(clause: Clause) -> Iterator[QuestionDraft]:
    if found := _SET.fullmatch(clause.rest):
        yield _be_question(clause, "What", "set to", QuestionFamily.NUMBER, found["value"])


def _purpose(clause: Clause) -> Iterator[QuestionDraft]:
    if _PURPOSE.match(clause.subject.text) and clause.rest.startswith("to "):
        yield _be_question(clause, "What", "", QuestionFamily.PURPOSE, clause.rest)


def _value(clause: Clause) -> Iterator[QuestionDraft]:
    """`The melting point of gold is 1064 °C`: the value of a property, or a list."""
    if not clause.subject.definite or clause.subject.named or clause.date or _LONG.fullmatch(clause.rest):
        return
    listed = clause.verb in ("are", "were") and is_enumeration(clause.rest)
    if listed or _VALUE.fullmatch(clause.rest):
        person = ROLES.search(clause.subject.text.partition(" of ")[0]) and not re.search(r"\d", clause.rest)
        yield _be_question(
            clause,
            "Who" if person else "What",
            "",
            QuestionFamily.LIST if listed else QuestionFamily.PROPERTY,
            clause.rest,
        )


def definition(clause: Clause) -> Iterator[QuestionDraft]:
    """What a thing is, or who someone was."""
    predicate = _NEXT_THOUGHT.sub("", clause.rest)
    if len(predicate.split()) > LONGEST_DEFINITION:
        predicate = _AFTERTHOUGHT.sub("", predicate)
    if not clause.subject.specific or _JUDGEMENT.match(predicate):
        return
    kind = clause.subject.plural and clause.verb == "are" and _PLURAL_KIND.fullmatch(predicate)
    if clause.date or not (_DEFINED.fullmatch(predicate) or kind) or len(predicate.split()) > LONGEST_DEFINITION:
        return
    first_part = _AFTERTHOUGHT.sub("", predicate).partition(" of ")[0]
    person = clause.subject.named and (ROLES.search(first_part) or " who " in predicate)
    if person or not (clause.subject.named and _MAY_BE_PERSON.search(_HEAD_END.sub("", first_part))):
        yield _be_question(clause, "Who" if person else "What", "", QuestionFamily.DEFINITION, predicate)


LONGEST_OBJECT = 14
_TAIL = rf"(?P<tail> (?:in|on|at|per|for|from|with|by|during|between|across|within|under|of) {PLAIN}+)?"
_COUNTED_OBJECT = re.compile(
    rf"(?P<amount>{AMOUNT}) (?P<unit>(?:(?!(?:and|or|of|to|in|on|at|for)\b)[A-Za-z][\w-]* ){{0,3}}?"
    rf"(?P<last>[A-Za-z][\w-]*)){_TAIL}(?:, [^;:]+)?"
)
_PROPERTY = re.compile(
    r"an? (?P<property>(?!number|lot|total|series|set|kind|type|form)(?:[\w-]+ ){0,3}?[\w-]+) of "
    rf"(?P<value>(?:{AMOUNT}|[$€£¥])[^,;]*)"
)
_SIZE = re.compile(rf"(?P<size>{MEASURE}|{MONEY}){_TAIL}")
_HOW = {"weigh": "How much", "cost": "How much", "take": "How long", "last": "How long", "measure": "How much"}
_TIME = re.compile(r"\b(?:second|minute|hour|day|week|month|year|decade|millisecond|ms)s?\b")
_OF = re.compile(r"of (?P<parts>.+)", re.DOTALL)
_ACTIVE_WITH_DATE = re.compile(rf"(?P<object>[^,;]+?),? (?:in|on) (?P<date>{DATE})")
_MONEY = re.compile(rf"(?P<whom>[^,;]{{0,40}}?) ?(?P<money>{MONEY}){_TAIL}")
_NOT_PLAIN = re.compile(
    r"[,;:]|^(?:by|to|as)\b|\b(?:it|this|that|these|those|them|his|her|their|its|he|she|they|is|are|was"
    r"|were|has|have|had|which|who|because|when|if|and|not)\b",
    re.IGNORECASE,
)


def verb_clause_questions(clause: Clause) -> Iterator[QuestionDraft]:
    """The questions answered by a clause with another verb."""
    patterns: tuple[Callable[[Clause], Iterator[QuestionDraft]], ...]
    if clause.verb in PAST:
        patterns = (_when, _who, _money, _counted, _property, _died)
    else:
        patterns = (_counted, _property, _size, _parts)
    for pattern in patterns:
        yield from pattern(clause)


def requirement_questions(clause: Clause) -> Iterator[QuestionDraft]:
    """`The TTL MUST be set to 1`: a requirement of a specification."""
    found = re.fullmatch(
        rf"be (?:set to (?P<value>[^,;]{{1,60}})|(?P<size>{MEASURE}) (?P<how>long|wide|high|old))", clause.rest
    )
    if found and found["value"]:
        question = f"What {clause.verb} {clause.subject.text} be set to?"
        yield QuestionDraft(QuestionFamily.NUMBER, question, found["value"], clause.subject.specific)
    elif found:
        question = f"How {found['how']} {clause.verb} {clause.subject.text} be?"
        yield QuestionDraft(QuestionFamily.NUMBER, question, found["size"], clause.subject.specific)


def _verb_question(clause: Clause, opening: str, ending: str, family: QuestionFamily, answer: str) -> QuestionDraft:
    """`How many ports` + `does` + the subject + the verb + the rest of the question."""
    base = PAST.get(clause.verb) or PRESENT.get(clause.verb) or clause.verb
    helper = "did" if clause.verb in PAST else "does" if clause.verb in PRESENT else "do"
    ending = f" {ending.strip()}" if ending.strip() else ""
    question = f"{opening} {helper} {clause.subject.text} {base}{ending}?"
    return QuestionDraft(family, question, answer.strip(), clause.subject.specific)


def _counted(clause: Clause) -> Iterator[QuestionDraft]:
    found = _COUNTED_OBJECT.fullmatch(clause.rest)
    if (
        found
        and is_plural(found["last"])
        and clause.verb not in ("cost", "costs", "weighs", "takes", "lasts", "lasted")
    ):
        tail = (found["tail"] or "") + (f" in {clause.date}" if clause.date else "")
        answer = f"{found['amount']} {found['unit']}"
        yield _verb_question(clause, f"How many {found['unit']}", tail, QuestionFamily.NUMBER, answer)


def _property(clause: Clause) -> Iterator[QuestionDraft]:
    found = _PROPERTY.fullmatch(clause.rest) if clause.verb in ("has", "have", "had") else None
    if found and not clause.date:
        verb = "was" if clause.verb == "had" else "is"
        question = f"What {verb} the {found['property']} of {clause.subject.text}?"
        yield QuestionDraft(QuestionFamily.PROPERTY, question, found["value"], clause.subject.specific)


def _size(clause: Clause) -> Iterator[QuestionDraft]:
    opening, found = _HOW.get(PRESENT.get(clause.verb, clause.verb)), _SIZE.fullmatch(clause.rest)
    if opening and found and (opening != "How long" or _TIME.search(found["size"])):
        yield _verb_question(clause, opening, found["tail"] or "", QuestionFamily.NUMBER, found["size"])


def _parts(clause: Clause) -> Iterator[QuestionDraft]:
    found = _OF.fullmatch(clause.rest) if clause.verb in ("consists", "consist") else None
    if found and is_enumeration(found["parts"]):
        yield _verb_question(clause, "What", "of", QuestionFamily.LIST, found["parts"])


def _when(clause: Clause) -> Iterator[QuestionDraft]:
    """`Fleming discovered penicillin in 1928`, or `In 1928, …` → when."""
    found = _ACTIVE_WITH_DATE.fullmatch(clause.rest)
    date, what = (found["date"], found["object"]) if found else (clause.date, clause.rest)
    if date and _is_plain(what) and clause.verb != "had" and not (found and clause.date):
        yield _verb_question(clause, when_question(date), what, QuestionFamily.DATE, date)


def _who(clause: Clause) -> Iterator[QuestionDraft]:
    found = _ACTIVE_WITH_DATE.fullmatch(clause.rest)
    what = found["object"] if found else clause.rest
    if clause.verb in AGENTIVE and clause.subject.named and not clause.subject.definite and _is_plain(what):
        when_done = f" in {clause.date}" if clause.date else ""
        yield QuestionDraft(
            QuestionFamily.NAME, f"Who {clause.verb} {what}{when_done}?", clause.subject.text, is_clear_alone(what)
        )


def _money(clause: Clause) -> Iterator[QuestionDraft]:
    found = _MONEY.fullmatch(clause.rest)
    if found and clause.verb in (
        "awarded",
        "paid",
        "raised",
        "earned",
        "received",
        "donated",
        "invested",
        "spent",
        "lost",
    ):
        ending = f"{found['whom']} {(found['tail'] or '').strip()}"
        yield _verb_question(clause, "How much", ending, QuestionFamily.NUMBER, found["money"])


def _died(clause: Clause) -> Iterator[QuestionDraft]:
    found = re.fullmatch(rf"(?:in|on) (?P<date>{DATE})(?:,? (?:in|at) .+)?", clause.rest)
    if found and clause.verb == "died":
        yield _verb_question(clause, "When", "", QuestionFamily.DATE, found["date"])


def is_clear_alone(what: str) -> bool:
    """Whether an object is clear without the document: `penicillin`, `the World Wide Web`, not `the opinion`."""
    return not what.startswith("the ") or bool(re.search(r"[A-Z\d]", what))


def _is_plain(what: str) -> bool:
    """Whether an object is short and complete on its own."""
    return len(what.split()) <= LONGEST_OBJECT and not _NOT_PLAIN.search(what)


_COUNTED = re.compile(
    rf"(?P<amount>{AMOUNT}|[A-Z][a-z]+ (?:than )?{AMOUNT}) (?P<unit>(?:[a-z-]+ )?(?P<last>[a-z-]+)) "
    r"(?P<done>(?:were|are) [a-z]+ (?:in|on|at|by|during|from) [^,;]*[A-Z\d][^,;]*)\."
)


@dataclass(frozen=True)
class DefinedTerm:
    """A term that a sentence defines, and whether it is a person."""

    name: str
    person: bool


def defined_by(sentence: str, vocabulary: DocumentVocabulary) -> DefinedTerm | None:
    """The term that a sentence defines, if any."""
    clause = next(clauses_of(sentence, vocabulary), None)
    if clause is None or clause.verb not in ("is", "was") or not clause.subject.specific:
        return None
    defining = next(definition(clause), None)
    return DefinedTerm(clause.subject.text, defining.question.startswith("Who")) if defining else None


def english_questions(sentence: str, vocabulary: DocumentVocabulary) -> Iterator[QuestionDraft]:
    """The questions about one sentence."""
    yield from _how_many(sentence)
    for clause in clauses_of(sentence, vocabulary):
        if clause.verb in BE:
            yield from be_clause_questions(clause)
        elif clause.verb in MODAL:
            yield from requirement_questions(clause)
        else:
            yield from verb_clause_questions(clause)


def _how_many(sentence: str) -> Iterator[QuestionDraft]:
    """How many, of `3,000 people were killed in the 1906 earthquake`."""
    found = _COUNTED.fullmatch(sentence)
    if found and is_plural(found["last"]) and is_participle(found["done"].split()[1]):
        question = f"How many {found['unit']} {found['done']}?"
        yield QuestionDraft(QuestionFamily.NUMBER, question, f"{found['amount']} {found['unit']}")
