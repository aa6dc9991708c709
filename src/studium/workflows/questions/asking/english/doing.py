"""What a thing has, takes and did: clauses with any other verb that the rules know."""

import re
from collections.abc import Callable, Iterator

from studium.workflows.questions.asking.english.clauses import DATE, Clause, when
from studium.workflows.questions.asking.english.quantities import AMOUNT, MEASURE, MONEY, PLAIN, is_enumeration
from studium.workflows.questions.asking.english.verbs import AGENTIVE, PAST, PRESENT
from studium.workflows.questions.asking.english.words import is_plural
from studium.workflows.questions.asking.fact import Draft, Family

LONGEST_OBJECT = 14
_TAIL = rf"(?P<tail> (?:in|on|at|per|for|from|with|by|during|between|across|within|under|of) {PLAIN}+)?"
_COUNTED = re.compile(
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
_DONE_THEN = re.compile(rf"(?P<object>[^,;]+?),? (?:in|on) (?P<date>{DATE})")
_MONEY = re.compile(rf"(?P<whom>[^,;]{{0,40}}?) ?(?P<money>{MONEY}){_TAIL}")
_NOT_PLAIN = re.compile(
    r"[,;:]|^(?:by|to|as)\b|\b(?:it|this|that|these|those|them|his|her|their|its|he|she|they|is|are|was"
    r"|were|has|have|had|which|who|because|when|if|and|not)\b",
    re.IGNORECASE,
)


def drafts(clause: Clause) -> Iterator[Draft]:
    """The questions that a clause with a full verb answers."""
    patterns: tuple[Callable[[Clause], Iterator[Draft]], ...]
    if clause.verb in PAST:
        patterns = (_when, _who, _money, _counted, _property, _died)
    else:
        patterns = (_counted, _property, _size, _parts)
    for pattern in patterns:
        yield from pattern(clause)


def required(clause: Clause) -> Iterator[Draft]:
    """`The TTL MUST be set to 1`: what a specification demands."""
    found = re.fullmatch(
        rf"be (?:set to (?P<value>[^,;]{{1,60}})|(?P<size>{MEASURE}) (?P<how>long|wide|high|old))", clause.rest
    )
    if found and found["value"]:
        question = f"What {clause.verb} {clause.subject.text} be set to?"
        yield Draft(Family.NUMBER, question, found["value"], clause.subject.specific)
    elif found:
        question = f"How {found['how']} {clause.verb} {clause.subject.text} be?"
        yield Draft(Family.NUMBER, question, found["size"], clause.subject.specific)


def _ask(clause: Clause, opening: str, ending: str, family: Family, answer: str) -> Draft:
    """`How many ports` + `does` + the subject + the verb + what else belongs to the question."""
    base = PAST.get(clause.verb) or PRESENT.get(clause.verb) or clause.verb
    helper = "did" if clause.verb in PAST else "does" if clause.verb in PRESENT else "do"
    ending = f" {ending.strip()}" if ending.strip() else ""
    question = f"{opening} {helper} {clause.subject.text} {base}{ending}?"
    return Draft(family, question, answer.strip(), clause.subject.specific)


def _counted(clause: Clause) -> Iterator[Draft]:
    found = _COUNTED.fullmatch(clause.rest)
    if (
        found
        and is_plural(found["last"])
        and clause.verb not in ("cost", "costs", "weighs", "takes", "lasts", "lasted")
    ):
        tail = (found["tail"] or "") + (f" in {clause.date}" if clause.date else "")
        answer = f"{found['amount']} {found['unit']}"
        yield _ask(clause, f"How many {found['unit']}", tail, Family.NUMBER, answer)


def _property(clause: Clause) -> Iterator[Draft]:
    found = _PROPERTY.fullmatch(clause.rest) if clause.verb in ("has", "have", "had") else None
    if found and not clause.date:
        verb = "was" if clause.verb == "had" else "is"
        question = f"What {verb} the {found['property']} of {clause.subject.text}?"
        yield Draft(Family.PROPERTY, question, found["value"], clause.subject.specific)


def _size(clause: Clause) -> Iterator[Draft]:
    opening, found = _HOW.get(PRESENT.get(clause.verb, clause.verb)), _SIZE.fullmatch(clause.rest)
    if opening and found and (opening != "How long" or _TIME.search(found["size"])):
        yield _ask(clause, opening, found["tail"] or "", Family.NUMBER, found["size"])


def _parts(clause: Clause) -> Iterator[Draft]:
    found = _OF.fullmatch(clause.rest) if clause.verb in ("consists", "consist") else None
    if found and is_enumeration(found["parts"]):
        yield _ask(clause, "What", "of", Family.LIST, found["parts"])


def _when(clause: Clause) -> Iterator[Draft]:
    """`Fleming discovered penicillin in 1928`, or `In 1928, …` → when."""
    found = _DONE_THEN.fullmatch(clause.rest)
    date, what = (found["date"], found["object"]) if found else (clause.date, clause.rest)
    if date and _is_plain(what) and clause.verb != "had" and not (found and clause.date):
        yield _ask(clause, when(date), what, Family.DATE, date)


def _who(clause: Clause) -> Iterator[Draft]:
    found = _DONE_THEN.fullmatch(clause.rest)
    what = found["object"] if found else clause.rest
    if clause.verb in AGENTIVE and clause.subject.named and not clause.subject.definite and _is_plain(what):
        when_done = f" in {clause.date}" if clause.date else ""
        yield Draft(Family.NAME, f"Who {clause.verb} {what}{when_done}?", clause.subject.text, stands_alone(what))


def _money(clause: Clause) -> Iterator[Draft]:
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
        yield _ask(clause, "How much", ending, Family.NUMBER, found["money"])


def _died(clause: Clause) -> Iterator[Draft]:
    found = re.fullmatch(rf"(?:in|on) (?P<date>{DATE})(?:,? (?:in|at) .+)?", clause.rest)
    if found and clause.verb == "died":
        yield _ask(clause, "When", "", Family.DATE, found["date"])


def stands_alone(what: str) -> bool:
    """Whether an object is known without the document: `penicillin`, `the World Wide Web`, not `the opinion`."""
    return not what.startswith("the ") or bool(re.search(r"[A-Z\d]", what))


def _is_plain(what: str) -> bool:
    """Whether an object is short and complete on its own."""
    return len(what.split()) <= LONGEST_OBJECT and not _NOT_PLAIN.search(what)
