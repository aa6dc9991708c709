"""Explain why a device's parser refused a line, by the vocabulary of its mode and of the others."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from studium.tutor.domain import Mode
from studium.tutor.error_detection.exchange import CommandExchange
from studium.tutor.error_detection.repair import BUDGET, RepairedLine, repair
from studium.tutor.ios import modes
from studium.tutor.ios.syntax import ARGUMENT_TYPES, is_within
from studium.tutor.ios.vocabulary import (
    MODES,
    Dialect,
    ParseStep,
    VocabularyNode,
    expand_abbreviation,
    is_complete,
    next_steps,
    parse_words,
    vocabulary,
)

_USUAL: Final = {"mask": "255.255.255.0", "wildcard": "0.0.0.255", "area": "0"}
_CHOICES: Final = 6


class Continuation(NamedTuple):
    """What must follow, as a description and as words to type if there is a usual choice."""

    spoken: str
    words: tuple[str, ...]


class Ambiguity(NamedTuple):
    """An ambiguous word, its possible keywords, and the line with the likeliest of them."""

    word: str
    spoken: str
    chosen: tuple[str, ...]


def required_continuation(node: VocabularyNode, words: Sequence[str]) -> Continuation:
    """What an incomplete command needs next."""
    arguments = [ARGUMENT_TYPES[kind].spoken or kind for kind in node.arguments]
    keywords = [f"`{keyword}`" for keyword in node.keywords]
    choices = [*arguments, *keywords]
    spoken = " or ".join(choices[:_CHOICES]) + (" …" if len(choices) > _CHOICES else "")
    return Continuation(spoken or "nothing", _usual(node, words))


def find_ambiguity(root: VocabularyNode, words: Sequence[str]) -> Ambiguity | None:
    """The first ambiguous word of the line."""
    node, full = root, list(words)
    for at, word in enumerate(words):
        candidates = [] if word.lower() in node.keywords else expand_abbreviation(word.lower(), node)
        if len(candidates) > 1:
            chosen = _likeliest(node, candidates, words, at)
            spoken = ", ".join(f"`{candidate}`" for candidate in candidates)
            return Ambiguity(word, spoken, (*full[:at], *chosen))
        step = next(next_steps(node, words, at), None)
        if step is None:
            return None
        node = step.node
        full[at : at + 1] = step.full[:1]
    return None


def _likeliest(node: VocabularyNode, candidates: Sequence[str], words: Sequence[str], at: int) -> tuple[str, ...]:
    rest = words[at + 1 :]
    for candidate in candidates:
        found = parse_words(node.keywords[candidate], rest)
        if is_complete(found, rest):
            return (candidate, *found.full)
    return (candidates[0], *rest)


def _usual(node: VocabularyNode, words: Sequence[str]) -> tuple[str, ...]:
    typed: list[str] = []
    while not (node.end and typed and not node.goes_on):
        kind = next((kind for kind in node.arguments if kind in _USUAL), None)
        only = next(iter(node.keywords)) if len(node.keywords) == 1 and not node.arguments else None
        if kind:
            typed.append(_USUAL[kind])
            node = node.arguments[kind]
        elif only and len(words) > 1:
            typed.append(only)
            node = node.keywords[only]
        else:
            return ()
    return tuple(typed)


_ELSEWHERE: Final = 1.0
_ARGUMENT_EDITS: Final = ("ipv6_prefix", "mask", "cidr_required", "cidr", "argument")


class Verdict(NamedTuple):
    """What is wrong with a line: its name, the values for templates, and the commands to type instead."""

    kind: str
    values: dict[str, str]
    commands: tuple[str, ...] = ()


class _Line(NamedTuple):
    """The line without the `no` or `do` it begins with."""

    lead: tuple[str, ...]
    words: tuple[str, ...]
    mode: Mode
    dialect: Dialect

    @property
    def is_do(self) -> bool:
        return bool(self.lead) and self.lead[0].lower() == "do"

    @property
    def is_no(self) -> bool:
        return bool(self.lead) and not self.is_do


class _OutOfRange(NamedTuple):
    """A number, and the limits that it is outside of."""

    typed: str
    limits: str


class _Elsewhere(NamedTuple):
    mode: Mode
    words: tuple[str, ...]
    cost: float


def explain_refusal(exchange: CommandExchange) -> Verdict | None:
    """Why the line was refused, or None if no parser complained."""
    complaint = exchange.complaint
    if complaint is None or not exchange.words:
        return None
    mode = Mode.PRIVILEGED_EXEC if complaint.kind == "dns" and exchange.mode is Mode.UNKNOWN else exchange.mode
    line = _without_lead(exchange.words, mode, complaint.dialect)
    if not line.words:
        return Verdict("incomplete", _words_for(line, missing="a command"), (f"{exchange.command.strip()} ?",))
    match complaint.kind:
        case "ambiguous":
            return _ambiguous(line)
        case "incomplete":
            return _incomplete(line)
        case _:
            caret = None if exchange.caret is None else exchange.caret - len(line.lead)
            return _refused(line, caret if caret is None or caret >= 0 else None, exchange.before)


def _without_lead(words: Sequence[str], mode: Mode, dialect: Dialect) -> _Line:
    lead = words[0].lower()
    if lead == "do" and mode not in modes.EXEC_MODES:
        return _Line((words[0],), tuple(words[1:]), Mode.PRIVILEGED_EXEC, dialect)
    if lead in {"no", "default"} and len(words) > 1 and (mode not in modes.EXEC_MODES or words[1].lower() != "debug"):
        return _Line((words[0],), tuple(words[1:]), mode, dialect)
    return _Line((), tuple(words), mode, dialect)


def _trees(mode: Mode) -> tuple[Mode, ...]:
    """The vocabularies valid here; a configuration mode also accepts global commands."""
    if mode is Mode.UNKNOWN:
        return MODES
    return (mode,) if mode in {*modes.EXEC_MODES, Mode.GLOBAL_CONFIG} else (mode, Mode.GLOBAL_CONFIG)


def _refused(line: _Line, caret: int | None, before: Sequence[str]) -> Verdict:
    if _is_whole_in(line.mode, line):
        if number := _number_out_of_range(line, caret):
            return Verdict("out_of_range", _words_for(line, wrong=number.typed, limits=number.limits))
        return Verdict("unsupported", _words_for(line, wrong=" ".join((*line.lead, *line.words))))
    if place := _whole_elsewhere(line):
        return _wrong_mode(line, place, before)
    here = _best_repair(line, _trees(line.mode), caret)
    if line.mode is Mode.UNKNOWN or (here and here.cost < _ELSEWHERE):
        return _repaired(line, here) if here else _unknown(line, caret)
    other = _repaired_elsewhere(line)
    if other and (not here or other.cost + _ELSEWHERE < here.cost):
        return _wrong_mode(line, other, before)
    return _repaired(line, here) if here else _unknown(line, caret)


def _is_whole_in(mode: Mode, line: _Line) -> bool:
    if mode is Mode.UNKNOWN:
        return False
    found = parse_words(vocabulary(mode, line.dialect), line.words)
    return is_complete(found, line.words) or (line.is_no and found.upto == len(line.words))


def _number_out_of_range(line: _Line, caret: int | None) -> _OutOfRange | None:
    """The number, at the caret if there is one, that is outside the limits of its command."""
    node, at, words = vocabulary(line.mode, line.dialect), 0, line.words
    while at < len(words):
        word, limits = words[at], node.limits
        steps = [step for step in next_steps(node, words, at) if _leads_to_end(step, words)]
        if not steps:
            return None
        is_number = steps[0].node is node.arguments.get("n") and word.isdecimal()
        if is_number and caret in {None, at} and not is_within(int(word), limits):
            return _OutOfRange(word, limits.replace("-", "–").replace(",", " or "))
        node, at = steps[0].node, steps[0].upto
    return None


def _leads_to_end(step: ParseStep, words: Sequence[str]) -> bool:
    return parse_words(step.node, words, step.upto).upto == len(words)


def _whole_elsewhere(line: _Line) -> _Elsewhere | None:
    if line.is_do:
        return None
    fallback = (Mode.GLOBAL_CONFIG,) if line.mode not in modes.EXEC_MODES else ()
    for mode in (*_others(line.mode), *fallback):
        if _is_whole_in(mode, line):
            return _Elsewhere(mode, line.words, 0.0)
    return None


def _others(mode: Mode) -> list[Mode]:
    order = [*MODES[2:], Mode.PRIVILEGED_EXEC] if mode in modes.EXEC_MODES else [*MODES[1:]]
    if mode is Mode.USER_EXEC:
        order.insert(0, Mode.PRIVILEGED_EXEC)
    return [other for other in order if other not in _trees(mode) or mode is Mode.UNKNOWN]


def _best_repair(line: _Line, trees: Sequence[Mode], caret: int | None) -> RepairedLine | None:
    best: RepairedLine | None = None
    for mode in trees:
        limit = best.cost if best else BUDGET
        best = repair(vocabulary(mode, line.dialect), line.words, caret, limit) or best
    return best


def _repaired_elsewhere(line: _Line) -> _Elsewhere | None:
    best: _Elsewhere | None = None
    for mode in () if line.is_do else _others(line.mode):
        limit = best.cost if best else BUDGET
        found = repair(vocabulary(mode, line.dialect), line.words, None, limit)
        if found and not any(edit.kind in {"missing", "extra"} for edit in found.edits):
            best = _Elsewhere(mode, found.words, found.cost)
    return best


def _repaired(line: _Line, repaired: RepairedLine) -> Verdict:
    kinds = {edit.kind: edit for edit in reversed(repaired.edits)}
    spelled = kinds.get("misspelled") or kinds.get("missing") or kinds.get("extra")
    argument = next((kinds[kind] for kind in _ARGUMENT_EDITS if kind in kinds), None)
    first = spelled or argument or repaired.edits[0]
    corrected = " ".join((*line.lead, *repaired.words))
    values = _words_for(line, wrong=first.typed, right=first.meant, corrected=corrected)
    if argument and spelled:
        values["also"] = f"{argument.typed} must be written {argument.meant}"
    commands = (corrected,) if repaired.words != line.words else ()
    if not repaired.whole:
        commands = (f"{corrected} ?",)
    return Verdict(first.kind, values, commands)


def _wrong_mode(line: _Line, place: _Elsewhere, before: Sequence[str]) -> Verdict:
    command = " ".join((*line.lead, *place.words))
    door = _door(place, before)
    steps = modes.commands_between_modes(line.mode, place.mode, door)
    commands = (*steps, command)
    if place.mode in modes.EXEC_MODES and line.mode not in {*modes.EXEC_MODES, Mode.UNKNOWN}:
        commands = (f"do {command}",)
    values = _words_for(line, there=modes.MODE_NAMES[place.mode], corrected=command, wrong=line.words[0])
    values["way"] = ", ".join(f"`{step}`" for step in (*steps, command))
    values["commands"] = ", ".join(f"`{step}`" for step in commands)
    return Verdict("wrong_mode", values, commands)


def _door(place: _Elsewhere, before: Sequence[str]) -> str | None:
    for command in reversed(before):
        if modes.guess_mode([command]) is place.mode:
            return command.strip()
    if place.mode is not Mode.ROUTER_CONFIG:
        return None
    words = [word.lower() for word in place.words]
    if "area" in words or words[0] in {"router-id", "passive-interface", "default-information", "auto-cost"}:
        return "router ospf 1"
    if words[0] in {"version", "auto-summary"}:
        return "router rip"
    return "router bgp <number>" if words[0] in {"neighbor", "bgp"} else None


def _incomplete(line: _Line) -> Verdict:
    reached = [parse_words(vocabulary(mode, line.dialect), line.words) for mode in _trees(line.mode)]
    whole = [found for found in reached if found.upto == len(line.words) and not found.node.end]
    started = whole or [found for found in reached if found.upto == len(line.words)]
    typed = " ".join((*line.lead, *line.words))
    if line.words[-1].count(":") > 1 and _wants_ipv6_prefix(line):
        values = _words_for(line, wrong=line.words[-1], right=f"{line.words[-1]}/64", corrected=f"{typed}/64")
        return Verdict("ipv6_prefix", values, (f"{typed}/64",))
    if not started:
        return Verdict("incomplete", _words_for(line, missing="a further word"), (f"{typed} ?",))
    more = required_continuation(started[0].node, line.words)
    completed = f"{typed} {' '.join(more.words)}" if more.words else f"{typed} ?"
    return Verdict("incomplete", _words_for(line, missing=more.spoken, corrected=completed), (completed,))


def _wants_ipv6_prefix(line: _Line) -> bool:
    before = [parse_words(vocabulary(mode, line.dialect), line.words[:-1]) for mode in _trees(line.mode)]
    return any("prefix6" in found.node.arguments for found in before)


def _ambiguous(line: _Line) -> Verdict:
    for mode in _trees(line.mode):
        if found := find_ambiguity(vocabulary(mode, line.dialect), line.words):
            corrected = " ".join((*line.lead, *found.chosen))
            values = _words_for(line, wrong=found.word, candidates=found.spoken, corrected=corrected)
            return Verdict("ambiguous", values, (corrected,))
    typed = " ".join((*line.lead, *line.words))
    values = _words_for(line, wrong=line.words[-1], candidates="several commands", corrected=f"{typed}?")
    return Verdict("ambiguous", values, (f"{typed}?",))


def _unknown(line: _Line, caret: int | None) -> Verdict:
    reached = max(parse_words(vocabulary(mode, line.dialect), line.words).upto for mode in _trees(line.mode))
    at = min(caret if caret is not None else reached, len(line.words) - 1)
    understood = " ".join((*line.lead, *line.words[:at]))
    return Verdict("unknown", _words_for(line, wrong=line.words[at]), (f"{understood} ?".lstrip(),))


def _words_for(line: _Line, **values: str) -> dict[str, str]:
    return {"here": modes.MODE_NAMES[line.mode], **values}
