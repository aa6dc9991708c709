"""Propose new error patterns from transcripts."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from studium.core.domain.decision import Action, Decision
from studium.core.domain.document import content_id
from studium.core.domain.finding import Evidence, Locator
from studium.core.domain.run import RunItem, RunSpec
from studium.core.domain.value import Value
from studium.core.files import write_text
from studium.core.text.stop_words import function_words, question_words
from studium.tutor.domain import TypedCommand
from studium.tutor.error_detection.base import MessagePattern, PatternEntry, PatternExample
from studium.tutor.error_detection.detector import ErrorDetector
from studium.tutor.error_detection.exchange import CommandExchange
from studium.tutor.error_detection.registry import PatternRegistry

_SAID: Final = re.compile(
    r"%(?! ?[A-Z][A-Z0-9_]*-\d-)\s*\S|(?:Error|Command rejected|Command failed|Failed|Warning|Rejected)\b\s*+:?\s*+\S",
    re.IGNORECASE,
)
_LOOKING: Final = re.compile(r"(?:do\s+)?(?:sh|more|debug|dir|ping|trace)", re.IGNORECASE)
_EDGE: Final = 3
_LONGEST: Final = 300
_HEAD: Final = 20_000


def find_complaint(command: str, output: str) -> str | None:
    """The line with the device's error message, or None.

    It is near the start; the output of a `show` may contain words such as "Error" without being one.
    """
    lines = [line.strip() for line in output[:_HEAD].splitlines() if line.strip() and line.strip() != "^"]
    is_looking = bool(_LOOKING.match(command.strip()))
    for line in lines[:_EDGE]:
        if len(line) <= _LONGEST and _SAID.match(line) and (line.startswith("%") or not is_looking):
            return line
    return None


_AHEAD: Final = 12
_NEAR: Final = 0.6
_STEPS: Final = 3
_MOVING: Final = re.compile(r"(?:do\s+)?(?:sh|exit|end|ping|trace|wr|copy|conf|debug|\?)", re.IGNORECASE)


def correction_after(typed: Sequence[TypedCommand], refused_at: int) -> tuple[str, ...]:
    """The commands that finally worked, or none.

    Either a similar command was accepted in the same mode, or the refused one itself, after others.
    """
    refused = typed[refused_at]
    later = [each for each in typed[refused_at + 1 :] if each.device == refused.device][:_AHEAD]
    steps: list[str] = []
    for each in later:
        if not each.command.strip() or find_complaint(each.command, each.output) or "Invalid input" in each.output:
            continue
        if each.prompt == refused.prompt and _is_same(each.command, refused.command):
            return (*steps[-_STEPS:], each.command.strip()) if steps else ()
        if each.prompt == refused.prompt and _is_near(each.command, refused.command):
            if not _shares_beginning(each.command, refused.command):
                return (each.command.strip(),)
            steps.append(each.command.strip())
            if not _comes_again(later, refused):
                return (each.command.strip(),)
        elif not _MOVING.match(each.command.strip()):
            steps.append(each.command.strip())
    return ()


def _is_same(one: str, other: str) -> bool:
    return one.lower().split() == other.lower().split()


def _is_near(one: str, other: str) -> bool:
    return SequenceMatcher(None, one.lower(), other.lower(), autojunk=False).ratio() >= _NEAR


def _shares_beginning(one: str, other: str) -> bool:
    return one.split(maxsplit=1)[0].lower() == other.split(maxsplit=1)[0].lower()


def _comes_again(later: Sequence[TypedCommand], refused: TypedCommand) -> bool:
    return any(
        _is_same(each.command, refused.command) and not find_complaint(each.command, each.output) for each in later
    )


_OCTETS: Final = r"\d{1,3}(?:\.\d{1,3}){3}"
_KINDS: Final = {
    "prefix": rf"{_OCTETS}/\d{{1,2}}",
    "address": _OCTETS,
    "mac": r"[\da-fA-F]{4}(?:\.[\da-fA-F]{4}){2}|[\da-fA-F]{2}(?::[\da-fA-F]{2}){5}",
    "ipv6": r"(?:[\da-fA-F]{1,4}:){1,7}:?(?:[\da-fA-F]{1,4}:?){0,7}(?:/\d{1,3})?",
    "interface": r"(?:[A-Z][A-Za-z-]*[a-z]|Gi|Fa|Se|Te|Lo|Po|Vl|eth|lo|ens)\d+(?:/\d+){0,3}(?:\.\d+)?",
    "number": r"\d+",
    "name": r"\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'",
}
_VALUE: Final = re.compile(rf"(?<![\w.])(?:{'|'.join(f'(?P<{kind}>{form})' for kind, form in _KINDS.items())})(?![\w])")
_WORD: Final = r"\S{1,80}?"
_NAMES_OWN: Final = re.compile(r"[^A-Z0-9_]*+[A-Z0-9_].*")


class MessagePiece(NamedTuple):
    """A piece of a message: literal text, or a value with the name of its group."""

    text: str
    group: str = ""
    form: str = ""


def split_message(text: str, names: Collection[str] = (), lead: str = "") -> list[MessagePiece]:
    """Split a message into literal text and values; `names` are words that the student chose."""
    counted: dict[str, int] = {}

    def named(kind: str) -> str:
        counted[kind] = counted.get(kind, 0) + 1
        return lead + kind + (str(counted[kind]) if counted[kind] > 1 else "")

    pieces: list[MessagePiece] = []
    for kind, value in _values(text, names):
        form = _KINDS.get(kind, _WORD)
        pieces.append(MessagePiece(value, named(kind), form) if kind else MessagePiece(value))
    return pieces


def to_regex(pieces: Collection[MessagePiece]) -> str:
    """The regular expression that finds every message of this kind."""
    return "".join(f"(?P<{piece.group}>{piece.form})" if piece.group else _literal(piece.text) for piece in pieces)


def proper_names(command: str) -> list[str]:
    """The words of a command that the student chose, not keywords."""
    return [word for word in command.split()[1:] if _NAMES_OWN.fullmatch(word) and not _VALUE.fullmatch(word)]


def _values(text: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    own = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    finder = re.compile(rf"{_VALUE.pattern}|(?<!\S)(?P<word>{own})(?![\w-])") if own else _VALUE
    at = 0
    for found in finder.finditer(text):
        if found.start() > at:
            yield "", text[at : found.start()]
        yield found.lastgroup or "", found[0]
        at = found.end()
    if at < len(text):
        yield "", text[at:]


def _literal(text: str) -> str:
    return re.sub(r"(?:\\?\s)+", r"\\s+", re.escape(text))


_LEAST_MARKER: Final = 5
_MOST_EXAMPLES: Final = 3
_MOST_WORDS: Final = 5
_EMPTY: Final = frozenset({"command", "error", "failed", "not", "please", "rejected", "set", "use", "used", "warning"})
_NEGATION: Final = re.compile(r"\b(?:not|no|cannot|can't|never|without)\b", re.IGNORECASE)
_SECRET: Final = re.compile(r"(?i)\b(password|secret|key|key-string|community|md5)((?:\s+\d)?\s+)\S+")


class ProposedPattern(Value):
    """A proposed pattern: the entry, the device's message, and the correction."""

    entry: PatternEntry
    complaint: str
    correction: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The entry as in a pattern file."""
        return self.entry.model_dump(mode="json", exclude_defaults=True)


def propose_patterns(
    typed: Sequence[TypedCommand], detector: ErrorDetector, healthy: Iterable[TypedCommand]
) -> list[ProposedPattern]:
    """Propose patterns for the unknown messages of a transcript; none matches a healthy output."""
    known = detector.detect_all(typed)
    proposed: dict[str, ProposedPattern] = {}
    for at, (each, diagnosis) in enumerate(zip(typed, known, strict=True)):
        complaint = None if diagnosis else find_complaint(each.command, each.output)
        made = _proposal(each, complaint, correction_after(typed, at)) if complaint else None
        if made:
            earlier = proposed.get(made.entry.output)
            proposed[made.entry.output] = _joined(earlier, made) if earlier else made
    sound = _named_apart(proposed.values())
    seen = [CommandExchange(each.command, each.output, each.prompt or None) for each in healthy]
    return [one for one in sound if _holds(one.entry, seen)]


def _proposal(each: TypedCommand, complaint: str, correction: tuple[str, ...]) -> ProposedPattern | None:
    pieces = split_message(complaint, proper_names(each.command))
    literals = [piece.text.strip() for piece in pieces if not piece.group]
    marker = max(literals, key=len, default="")
    error_type = _error_type(literals)
    if len(marker) < _LEAST_MARKER or not error_type:
        return None
    typed_pieces = split_message(each.command.strip(), proper_names(each.command), lead="typed_")
    commands = _templates(correction, each, [*pieces, *typed_pieces])
    entry = PatternEntry(
        id="learned-" + error_type.lower().replace("_", "-"),
        error_type=error_type,
        marker=(marker.lower(),),
        output=r"^\s*" + to_regex(pieces),
        command=r"^\s*" + to_regex(typed_pieces) if commands else None,
        command_optional=bool(commands),
        diagnosis=("The device answered `{command}` with: {line}", "The device said: {line}"),
        fix=(_fix(correction),),
        commands=commands,
        severity="warning" if "warning" in complaint.lower() else "error",
        priority=20,
        examples=(PatternExample(command=_discreet(each.command), output=_discreet(complaint), prompt=each.prompt),),
    )
    return ProposedPattern(entry=entry, complaint=complaint, correction=correction)


def _error_type(literals: Sequence[str]) -> str:
    text = " ".join(literals)
    empty = function_words("en") | question_words("en") | _EMPTY
    words = [word.upper() for word in re.findall(r"[A-Za-z]{2,}", text) if word.lower() not in empty]
    name = "_".join(words[:_MOST_WORDS])
    return f"NOT_{name}" if name and _NEGATION.search(text) and "NO" not in words and "CANNOT" not in words else name


def _fix(correction: Sequence[str]) -> str:
    if not correction:
        return "The transcript shows no fix; read the message and check the line with `?`."
    shown = ", then ".join(f"`{_discreet(command)}`" for command in correction).replace("{", "{{").replace("}", "}}")
    return f"In a similar case this was accepted afterwards: {shown}."


def _templates(correction: Sequence[str], each: TypedCommand, pieces: Sequence[MessagePiece]) -> tuple[str, ...]:
    """The correction as templates; none if it has a value that neither line nor message contains."""
    groups = {piece.text: piece.group for piece in reversed(pieces) if piece.group}
    made: list[str] = []
    for command in correction:
        if command.split() == each.command.split():
            made.append("{command}")
            continue
        parts = split_message(command, proper_names(command))
        if any(part.group and part.text not in groups for part in parts) or _SECRET.search(command):
            return ()
        filled = [f"{{{groups[part.text]}}}" if part.group else _braced(part.text) for part in parts]
        made.append("".join(filled))
    return tuple(made)


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _discreet(text: str) -> str:
    """Remove passwords: patterns are shared."""
    return _SECRET.sub(r"\1\2*****", text)


def _joined(earlier: ProposedPattern, made: ProposedPattern) -> ProposedPattern:
    better = earlier if earlier.correction or not made.correction else made
    examples = (*earlier.entry.examples, *(one for one in made.entry.examples if one not in earlier.entry.examples))
    entry = better.entry.model_copy(update={"examples": examples[:_MOST_EXAMPLES]})
    return better.model_copy(update={"entry": entry})


def _named_apart(proposed: Iterable[ProposedPattern]) -> list[ProposedPattern]:
    counted: dict[str, int] = {}
    named = []
    for one in proposed:
        times = counted[one.entry.id] = counted.get(one.entry.id, 0) + 1
        name = one.entry.id if times == 1 else f"{one.entry.id}-{times}"
        named.append(one.model_copy(update={"entry": one.entry.model_copy(update={"id": name})}))
    return named


def _holds(entry: PatternEntry, healthy: Sequence[CommandExchange]) -> bool:
    if PatternRegistry().add(entry):
        return False
    pattern = MessagePattern(entry)
    return all(pattern.groups(exchange) is None for exchange in healthy)


def pattern_run(detector: ErrorDetector, typed: Sequence[TypedCommand], transcript: str) -> RunSpec:
    """The run that proposes patterns for a transcript."""
    proposals = propose_patterns(typed, detector, healthy_outputs())
    return RunSpec(
        feature="tutor",
        arguments={"learn": transcript},
        note=f"Learn: {Path(transcript).name}",
        graph=_AsProposed(),
        items=[RunItem(one.entry.id, partial(_state, one)) for one in proposals],
        decide=partial(_decide, transcript),
    )


def healthy_outputs() -> list[TypedCommand]:
    """Outputs without errors, which no pattern may match."""
    folder = files("studium") / "tutor" / "data" / "healthy"
    lines = (line for name in ("frr", "written") for line in _lines(folder / f"{name}.jsonl"))
    return [
        TypedCommand(command=row["command"], output=row["output"], prompt=row["prompt"])
        for row in map(json.loads, lines)
    ]


def save_approved_patterns(decisions: Sequence[Decision], folder: Path) -> list[str]:
    """Write the approved patterns to a folder, one file each; return their ids."""
    approved = [each for each in decisions if each.action is Action.CREATE and each.proposal]
    for each in approved:
        entry = PatternEntry.model_validate(each.proposal)
        told = {"patterns": [entry.model_dump(mode="json", exclude_defaults=True)]}
        write_text(folder / f"{entry.id}.json", json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    return [each.item for each in approved]


@dataclass(frozen=True)
class _AsProposed:
    """A graph that does nothing: proposals are ready for review."""

    async def ainvoke(self, state: dict[str, Any], _config: dict[str, Any]) -> dict[str, Any]:
        return state


def _state(proposed: ProposedPattern) -> dict[str, Any]:
    return {"proposed": proposed}


def _decide(transcript: str, item: RunItem, state: dict[str, Any]) -> list[Decision]:
    proposed: ProposedPattern = state["proposed"]
    where = Locator(path=transcript)
    evidence = Evidence(passage=content_id(proposed.complaint), quote=proposed.complaint, where=where)
    decision = Decision(
        item=item.id,
        action=Action.MANUAL_REVIEW,
        reasons=(f"A device said “{proposed.complaint}”, and no pattern knows it.",),
        evidence=(evidence,),
        proposal=proposed.as_json(),
        proposal_schema=PatternEntry.model_json_schema(),
    )
    return [decision]


def _lines(file: Any) -> list[str]:
    text: str = file.read_text("utf-8")
    return text.splitlines()
