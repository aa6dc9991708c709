"""Proposing error patterns from a transcript; nothing is added before somebody has looked at it."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from studium.core.domain.value import Value
from studium.domain.lab import Typed
from studium.workflows.tutor.error_detection.base import Example, MessagePattern, PatternEntry
from studium.workflows.tutor.error_detection.detector import ErrorDetector
from studium.workflows.tutor.error_detection.exchange import Exchange
from studium.workflows.tutor.error_detection.registry import PatternRegistry
from studium.workflows.tutor.pattern_learning.complaints import complaint_in
from studium.workflows.tutor.pattern_learning.corrections import correction_after
from studium.workflows.tutor.pattern_learning.generalising import Piece, expression, own_words, pieces_of

_LEAST_MARKER: Final = 5
_MOST_EXAMPLES: Final = 3
_MOST_WORDS: Final = 5
_NEGATION: Final = re.compile(r"\b(?:not|no|cannot|can't|never|without)\b", re.IGNORECASE)
_SECRET: Final = re.compile(r"(?i)\b(password|secret|key|key-string|community|md5)((?:\s+\d)?\s+)\S+")


class ProposedPattern(Value):
    """A pattern for review: the entry, the device's own words, and what the student typed in the end."""

    entry: PatternEntry
    complaint: str
    correction: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The entry as it stands in a file of patterns."""
        return self.entry.model_dump(mode="json", exclude_defaults=True)


def propose_patterns(
    typed: Sequence[Typed], detector: ErrorDetector, healthy: Iterable[Typed]
) -> list[ProposedPattern]:
    """Patterns for the complaints of a transcript that the detector does not know; none finds a healthy output."""
    known = detector.detect_all(typed)
    proposed: dict[str, ProposedPattern] = {}
    for at, (each, diagnosis) in enumerate(zip(typed, known, strict=True)):
        complaint = None if diagnosis else complaint_in(each.command, each.output)
        made = _proposal(each, complaint, correction_after(typed, at)) if complaint else None
        if made:
            earlier = proposed.get(made.entry.output)
            proposed[made.entry.output] = _joined(earlier, made) if earlier else made
    sound = _named_apart(proposed.values())
    seen = [Exchange(each.command, each.output, each.prompt or None) for each in healthy]
    return [one for one in sound if _holds(one.entry, seen)]


def _proposal(each: Typed, complaint: str, correction: tuple[str, ...]) -> ProposedPattern | None:
    pieces = pieces_of(complaint, own_words(each.command))
    literals = [piece.text.strip() for piece in pieces if not piece.group]
    marker = max(literals, key=len, default="")
    error_type = _error_type(literals)
    if len(marker) < _LEAST_MARKER or not error_type:
        return None
    typed_pieces = pieces_of(each.command.strip(), own_words(each.command), lead="typed_")
    commands = _templates(correction, each, [*pieces, *typed_pieces])
    entry = PatternEntry(
        id="learned-" + error_type.lower().replace("_", "-"),
        error_type=error_type,
        marker=(marker.lower(),),
        output=r"^\s*" + expression(pieces),
        command=r"^\s*" + expression(typed_pieces) if commands else None,
        command_optional=bool(commands),
        diagnosis=("The device answered `{command}` with: {line}", "The device said: {line}"),
        fix=(_fix(correction),),
        commands=commands,
        severity="warning" if "warning" in complaint.lower() else "error",
        priority=20,
        examples=(Example(command=_discreet(each.command), output=_discreet(complaint), prompt=each.prompt),),
    )
    return ProposedPattern(entry=entry, complaint=complaint, correction=correction)


@cache
def _little_words() -> frozenset[str]:
    return frozenset(files(__package__).joinpath("little_words.txt").read_text(encoding="utf-8").split())


def _error_type(literals: Sequence[str]) -> str:
    text = " ".join(literals)
    words = [word.upper() for word in re.findall(r"[A-Za-z]{2,}", text) if word.lower() not in _little_words()]
    name = "_".join(words[:_MOST_WORDS])
    return f"NOT_{name}" if name and _NEGATION.search(text) and "NO" not in words and "CANNOT" not in words else name


def _fix(correction: Sequence[str]) -> str:
    if not correction:
        return "No cure is known from the transcript; read the device's words and compare the line with `?`."
    shown = ", then ".join(f"`{_discreet(command)}`" for command in correction).replace("{", "{{").replace("}", "}}")
    return f"In a like case this was accepted afterwards: {shown}."


def _templates(correction: Sequence[str], each: Typed, pieces: Sequence[Piece]) -> tuple[str, ...]:
    """The correction for any such line; none if it holds a value that neither the line nor the message gives."""
    groups = {piece.text: piece.group for piece in reversed(pieces) if piece.group}
    made: list[str] = []
    for command in correction:
        if command.split() == each.command.split():
            made.append("{command}")
            continue
        parts = pieces_of(command, own_words(command))
        if any(part.group and part.text not in groups for part in parts) or _SECRET.search(command):
            return ()
        filled = [f"{{{groups[part.text]}}}" if part.group else _braced(part.text) for part in parts]
        made.append("".join(filled))
    return tuple(made)


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _discreet(text: str) -> str:
    """A pattern is shared; the student's passwords are not."""
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


def _holds(entry: PatternEntry, healthy: Sequence[Exchange]) -> bool:
    if PatternRegistry().add(entry):
        return False
    pattern = MessagePattern(entry)
    return all(pattern.groups(exchange) is None for exchange in healthy)
