"""What is looked for: the student's question, sharpened by what was typed and by what the device said to it."""

import re
from collections.abc import Sequence

from studium.domain.lab import Diagnosis, Typed

_CARET = re.compile(r"invalid input detected|^\s*\^\s*$", re.IGNORECASE | re.MULTILINE)
_ERROR = re.compile(
    r"^\s*%\s?(?!SYS-5|LINK-[35]|LINEPROTO-5)|overlaps with|mismatch|err-?disabled|\b(?:incomplete|ambiguous) command"
    r"|\bbad mask\b|command rejected|duplicate address|not allowed|^\S* ?(?:already|cannot|failed)\b",
    re.IGNORECASE | re.MULTILINE,
)
_KEYWORD = re.compile(r"[a-z][a-z-]*", re.IGNORECASE)
_SEEN = 2000  # a message stands at the beginning or at the end of what a device says


def teaching_query(question: str) -> str:
    """What to look for when a concept is asked about."""
    return f"Explain the concept: {question}"


def troubleshooting_query(question: str, cli_history: Sequence[Typed], error: Diagnosis | None = None) -> str:
    """What to look for when something went wrong, or when nobody knows yet whether it did."""
    keywords = command_keywords(cli_history, error)
    if any(_CARET.search(_seen(typed)) for typed in cli_history[-1:]):
        kind = f"{_spoken(error)} " if error else ""
        return f"Invalid input detected {kind}{keywords} error pattern. {question}"
    if error or error_marked(cli_history):
        said = f"{_spoken(error)}: {error.diagnosis}" if error else _message(cli_history[-1])
        return f"{said} {keywords} Cisco IOS. {question}"
    return f"Cisco IOS {keywords} command syntax. {question}"


def error_marked(cli_history: Sequence[Typed]) -> bool:
    """Whether the device complained about what was typed last."""
    return any(_CARET.search(_seen(typed)) or _ERROR.search(_seen(typed)) for typed in cli_history[-1:])


def command_keywords(cli_history: Sequence[Typed], error: Diagnosis | None = None) -> str:
    """The words of the last command, as corrected if it was, without its addresses and numbers."""
    typed = " ".join(typed.command for typed in cli_history[-1:])
    command = error.commands[-1] if error and error.commands else typed
    return " ".join(word for word in command.removeprefix("do ").split() if _KEYWORD.fullmatch(word))


def _spoken(error: Diagnosis) -> str:
    return error.error_type.replace("_", " ").lower()


def _message(typed: Typed) -> str:
    """The line in which the device complains."""
    return next((line.strip() for line in _seen(typed).splitlines() if _ERROR.search(line)), "")


def _seen(typed: Typed) -> str:
    output = typed.output
    return output if len(output) <= 2 * _SEEN else f"{output[:_SEEN]}\n{output[-_SEEN:]}"
