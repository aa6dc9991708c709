"""What a thing is, where it is, what is done to it: clauses with `is`, `are`, `was`, `were`."""

import re
from collections.abc import Iterator

from studium.workflows.questions.asking.english.clauses import DATE, Clause, when
from studium.workflows.questions.asking.english.quantities import AMOUNT, MEASURE, PLAIN, is_enumeration
from studium.workflows.questions.asking.english.verbs import AGENTIVE, PARTICIPLE_TO_PAST, is_participle
from studium.workflows.questions.asking.english.words import ROLES
from studium.workflows.questions.asking.fact import Draft, Family

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
_DONE_THEN = re.compile(
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


def drafts(clause: Clause) -> Iterator[Draft]:
    """The questions that a clause with a form of `be` answers."""
    for pattern in (_born, _placed, _by, _done_then, _every, _used, _made, _long, _set, _purpose):
        yield from pattern(clause)
    if not is_participle(clause.rest.partition(" ")[0]):
        yield from _value(clause)
        yield from definition(clause)


def _ask(clause: Clause, opening: str, ending: str, family: Family, answer: str) -> Draft:
    """`What` + `is` + the subject + what else belongs to the question."""
    ending = f" {ending.strip()}" if ending.strip() else ""
    question = f"{opening} {clause.verb} {clause.subject.text}{ending}?"
    return Draft(family, question, answer.strip(), clause.subject.specific)


def _born(clause: Clause) -> Iterator[Draft]:
    found = _BORN.fullmatch(clause.rest)
    if found and clause.subject.named:
        if date := found["date"] or found["later"] or clause.date:
            yield _ask(clause, "When", "born", Family.DATE, date)
        if found["place"]:
            yield _ask(clause, "Where", "born", Family.NAME, found["place"])


def _placed(clause: Clause) -> Iterator[Draft]:
    if found := _PLACED.fullmatch(clause.rest):
        yield _ask(clause, "Where", found["how"], Family.NAME, found["place"])


def _by(clause: Clause) -> Iterator[Draft]:
    """`was invented by Ada in 1843` → who invented it, and when."""
    found = _BY.fullmatch(clause.rest)
    if not found or not is_participle(found["done"]):
        return
    past = PARTICIPLE_TO_PAST.get(found["done"], found["done"])
    if past in AGENTIVE:
        question = f"Who {past} {clause.subject.text}{found['tail'] or ''}?"
        yield Draft(Family.NAME, question, found["agent"], clause.subject.specific)
    if date := found["date"] or clause.date:
        yield _ask(clause, when(date), found["done"] + (found["tail"] or ""), Family.DATE, date)


def _done_then(clause: Clause) -> Iterator[Draft]:
    """`was founded in Berlin in 1911`, or `In 1911, X was founded in Berlin` → when."""
    first = clause.rest.partition(" ")[0]
    if first == "born" or " by " in clause.rest:
        return
    found = _DONE_THEN.fullmatch(clause.rest)
    if found and is_participle(found["done"].split()[-1]):
        ending = found["done"] + (found["how"] or "")
        yield _ask(clause, when(found["date"]), ending, Family.DATE, found["date"])
    elif clause.date and is_participle(first) and not re.search(r"[,;]", clause.rest):
        yield _ask(clause, clause.when, clause.rest, Family.DATE, clause.date)


def _every(clause: Clause) -> Iterator[Draft]:
    found = _EVERY.fullmatch(clause.rest)
    if found and is_participle(found["done"].split()[0]):
        yield _ask(clause, "How often", found["done"] + (found["tail"] or ""), Family.NUMBER, found["often"])


def _used(clause: Clause) -> Iterator[Draft]:
    if found := _USED.fullmatch(clause.rest):
        yield _ask(clause, "What", "used for", Family.PURPOSE, found["use"])


def _made(clause: Clause) -> Iterator[Draft]:
    if found := _MADE.fullmatch(clause.rest):
        opening = "Who or what" if found["how"] == "named after" else "What"
        yield _ask(clause, opening, found["how"], Family.PROPERTY, found["what"])


def _long(clause: Clause) -> Iterator[Draft]:
    if found := _LONG.fullmatch(clause.rest):
        ending = ("away" if found["how"] == "away" else "") + (found["tail"] or "")
        opening = "How far" if found["how"] == "away" else f"How {found['how']}"
        yield _ask(clause, opening, ending, Family.NUMBER, f"{found['size']}")


def _set(clause: Clause) -> Iterator[Draft]:
    if found := _SET.fullmatch(clause.rest):
        yield _ask(clause, "What", "set to", Family.NUMBER, found["value"])


def _purpose(clause: Clause) -> Iterator[Draft]:
    if _PURPOSE.match(clause.subject.text) and clause.rest.startswith("to "):
        yield _ask(clause, "What", "", Family.PURPOSE, clause.rest)


def _value(clause: Clause) -> Iterator[Draft]:
    """`The melting point of gold is 1064 °C`: what a property amounts to, or which things those are."""
    if not clause.subject.definite or clause.subject.named or clause.date or _LONG.fullmatch(clause.rest):
        return
    listed = clause.verb in ("are", "were") and is_enumeration(clause.rest)
    if listed or _VALUE.fullmatch(clause.rest):
        person = ROLES.search(clause.subject.text.partition(" of ")[0]) and not re.search(r"\d", clause.rest)
        yield _ask(clause, "Who" if person else "What", "", Family.LIST if listed else Family.PROPERTY, clause.rest)


def definition(clause: Clause) -> Iterator[Draft]:
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
        yield _ask(clause, "Who" if person else "What", "", Family.DEFINITION, predicate)
