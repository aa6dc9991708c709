"""Error patterns: their JSON form and how they match a command and its output."""

import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from studium.core.domain.value import Value
from studium.core.text.patterns import UserPattern, compile_pattern
from studium.tutor.domain import Diagnosis, Mode
from studium.tutor.error_detection import template_functions
from studium.tutor.error_detection.exchange import CommandExchange
from studium.tutor.error_detection.verdict import Verdict, explain_refusal

_log = logging.getLogger(__name__)
_FIELD = re.compile(r"\{\{|\}\}|\{([a-z_]\w*)(?::([\w,]+))?\}")
_MAX_SECONDS = 0.2  # for one with lookaround or backreferences; the others need no limit
_BRACES = {"{{": "{", "}}": "}"}


def fill_template(template: str, values: Mapping[str, str | None]) -> str | None:
    """Fill a template; None if one of its values is unknown."""
    unknown = False

    def value(field: re.Match[str]) -> str:
        nonlocal unknown
        if field[0] in _BRACES:
            return _BRACES[field[0]]
        found = _value(field, values)
        unknown = unknown or found is None
        return found or ""

    text = _FIELD.sub(value, template)
    return None if unknown else text


def fill_first_template(templates: Iterable[str], values: Mapping[str, str | None]) -> str | None:
    """The first of the templates that can be filled."""
    return next((text for template in templates if (text := fill_template(template, values)) is not None), None)


def names_in_template(template: str) -> set[str]:
    """The values a template asks for."""
    fields = [field for field in _FIELD.finditer(template) if field[1]]
    return {name for field in fields for name in (field[2].split(",") if field[2] else [field[1]])}


def functions_in_template(template: str) -> set[str]:
    """The functions a template calls."""
    return {field[1] for field in _FIELD.finditer(template) if field[2]}


def is_template_function(name: str) -> bool:
    """Whether templates may call it."""
    return (
        not name.startswith("_")
        and getattr(getattr(template_functions, name, None), "__module__", "") == template_functions.__name__
    )


def _value(field: re.Match[str], values: Mapping[str, str | None]) -> str | None:
    if not field[2]:
        return values.get(field[1])
    given = [values.get(name) for name in field[2].split(",")]
    if None in given:
        return None
    answer = getattr(template_functions, field[1])(*given)
    return None if answer is None else str(answer)


def _several(value: object) -> object:
    return [value] if isinstance(value, str) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_several)]


class PatternExample(Value):
    """A command and output that a pattern must match."""

    command: str = ""
    output: str
    prompt: str = ""


class PatternEntry(Value):
    """A pattern as written in a file; registry.py documents the fields."""

    id: str = Field(min_length=1)
    error_type: str = Field(pattern=r"^[A-Z][A-Z0-9_]+$")
    kind: Literal["message", "parser"] = "message"
    verdict: str | None = None
    marker: Texts = Field(min_length=1)
    output: str = Field(min_length=1)
    command: str | None = None
    command_optional: bool = False
    modes: tuple[Mode, ...] = ()
    platforms: tuple[Literal["ios", "iosxe", "frr"], ...] = ("ios", "iosxe", "frr")
    diagnosis: Texts = Field(min_length=1)
    fix: Texts = Field(min_length=1)
    commands: tuple[str, ...] = ()
    severity: Literal["error", "warning", "notice"] = "error"
    priority: int = 50
    examples: tuple[PatternExample, ...] = ()
    healthy: tuple[str, ...] = ()


class BaseErrorPattern(ABC):
    """An error that can be recognised."""

    def __init__(self, entry: PatternEntry) -> None:
        """Compile the entry; raises an error for an invalid regular expression."""
        self.entry = entry
        self.markers = tuple(marker.lower() for marker in entry.marker)
        self._output = compile_pattern(entry.output, ignore_case=True, multiline=True)
        self._command = compile_pattern(entry.command, ignore_case=True) if entry.command else None

    @abstractmethod
    def match(self, exchange: CommandExchange) -> Diagnosis | None:
        """The diagnosis of a command and its output, or None if the pattern does not apply."""

    def groups(self, exchange: CommandExchange) -> dict[str, str | None] | None:
        """The values for its templates, or None if the pattern does not apply."""
        if not any(marker in exchange.lowered for marker in self.markers) or not self._fits(exchange.mode):
            return None
        said = self._search(self._output, exchange.output)
        typed = self._search(self._command, exchange.command) if self._command else None
        if not said or (self._command and not typed and not self.entry.command_optional):
            return None
        hostname = exchange.prompt.hostname if exchange.prompt else None
        line = _line_around(exchange.output, said)
        values = {"command": exchange.command.strip(), "hostname": hostname, "line": line}
        return values | (typed.groupdict() if typed else {}) | _known(said.groupdict())

    def diagnosis(self, values: dict[str, str | None], **metadata: object) -> Diagnosis:
        """The diagnosis with its templates filled."""
        entry = self.entry
        commands = [text for template in entry.commands if (text := fill_template(template, values))]
        return Diagnosis(
            error_type=entry.error_type,
            diagnosis=fill_first_template(entry.diagnosis, values)
            or entry.error_type.replace("_", " ").capitalize() + ".",
            fix=fill_first_template(entry.fix, values) or "; ".join(commands) or "Look at the line again.",
            metadata={"pattern_id": entry.id, "severity": entry.severity, "commands": commands, **metadata},
        )

    def _search(self, pattern: UserPattern, text: str) -> Any | None:
        try:
            return pattern.search(text, seconds=_MAX_SECONDS)
        except TimeoutError:
            _log.warning("The error pattern %s took too long on an output and was not used.", self.entry.id)
            return None

    def _fits(self, mode: Mode) -> bool:
        return not self.entry.modes or mode is Mode.UNKNOWN or mode in self.entry.modes


class MessagePattern(BaseErrorPattern):
    """An error that the device's message names."""

    def match(self, exchange: CommandExchange) -> Diagnosis | None:
        """Match the device's message."""
        values = self.groups(exchange)
        return None if values is None else self.diagnosis(values)


class FuzzyErrorPattern(BaseErrorPattern):
    """A line that the device's parser refused, explained by the vocabulary of the mode."""

    def match(self, exchange: CommandExchange) -> Diagnosis | None:
        """Match a refused line whose verdict this pattern describes."""
        return self.match_verdict(exchange, explain_refusal(exchange))

    def match_verdict(self, exchange: CommandExchange, verdict: Verdict | None) -> Diagnosis | None:
        """Match a verdict that is already known."""
        if verdict is None or (self.entry.verdict and verdict.kind != self.entry.verdict):
            return None
        values = self.groups(exchange)
        if values is None:
            return None
        found = self.diagnosis({**values, **verdict.values})
        commands = [*verdict.commands, *found.commands]
        info = {"verdict": verdict.kind, **verdict.values}
        return found.model_copy(update={"metadata": found.metadata | {"commands": commands, "fuzzy_match_info": info}})


def _known(groups: dict[str, str | None]) -> dict[str, str | None]:
    return {name: value for name, value in groups.items() if value is not None}


def _line_around(text: str, found: re.Match[str]) -> str:
    start = text.rfind("\n", 0, found.start()) + 1
    end = text.find("\n", found.start())
    return text[start : end if end >= 0 else len(text)].strip()
