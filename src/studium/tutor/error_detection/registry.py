"""Loads and validates error patterns from JSON files.

A file of patterns is `{"patterns": [ … ]}`. An entry:

    id           "addressing-bad-mask", unique over all files
    error_type   "ADDRESS_IS_NETWORK_OR_BROADCAST"
    kind         "message": `output` tells it all;
                 "parser": the device's parser refused the line, and the vocabulary says why (`verdict` is the reason)
    verdict      of a "parser" pattern (optional): misspelled, missing, extra, argument, unknown, unsupported,
                 out_of_range, wrong_mode, cidr, cidr_required, mask, ipv6_prefix, incomplete, ambiguous
    marker       a literal piece of the output, or a list of them: the pattern is tried only if one is there (any case)
    output       regex with named groups, searched in the output (ignoring case; ^ and $ stand at every line)
    command      regex with named groups, searched in the command (optional; must match if given, unless
                 `command_optional` is true: then its groups are simply unknown where the command is another one)
    modes        modes of studium.tutor.domain.Mode it is meant for (optional; an unknown mode always passes)
    platforms    of "ios", "iosxe", "frr" (for readers)
    diagnosis    template, or a list of templates: the first that can be filled is said
    fix          likewise
    commands     templates of the corrected commands; one that cannot be filled is left out
    severity     "error" (default), "warning", "notice"
    priority     the highest wins (default 50; 90 and more for causes that stand above their consequences)
    examples     [{"command": "", "output": "…", "prompt": ""}] that it must find (checked at loading)
    healthy      outputs that it must not find (checked at loading)

A template holds `{name}`: a named group of `output` or of `command`, or one of `command`, `hostname`, `line` (the line
of the output that matched). `{function:name,name}` calls a function of template_functions.py with the values of those
names, such as `{first_host:address,mask}`; it returns text, or None where it has no answer, and then the template
cannot be filled.
`{{` and `}}` stand for braces. A "parser" pattern may also use what the verdict tells: here, there, way, commands,
wrong, right, corrected, also, missing, candidates, limits.
"""

from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from studium.core.domain.errors import BadInput
from studium.core.json_files import UnreadableJson, load_json
from studium.core.text.patterns import InvalidPattern, compile_pattern
from studium.tutor.error_detection.base import (
    BaseErrorPattern,
    FuzzyErrorPattern,
    MessagePattern,
    PatternEntry,
    functions_in_template,
    is_template_function,
    names_in_template,
)
from studium.tutor.error_detection.exchange import CommandExchange

_GIVEN: Final = {"command", "hostname", "line"}


class PatternRegistry:
    """All known error patterns, highest priority first."""

    def __init__(self) -> None:
        """Begin with no pattern."""
        self._patterns: dict[str, BaseErrorPattern] = {}

    def __iter__(self) -> Iterator[BaseErrorPattern]:
        """The patterns, the highest priority first."""
        return iter(sorted(self._patterns.values(), key=lambda pattern: -pattern.entry.priority))

    def __len__(self) -> int:
        """How many patterns there are."""
        return len(self._patterns)

    def load_shipped(self) -> None:
        """Load the patterns that come with Studium."""
        self.load(Path(str(files(__package__).joinpath("patterns"))))

    def load(self, folder: Path) -> None:
        """Load all JSON files below a folder, or raise one error that lists all mistakes."""
        paths = sorted(folder.rglob("*.json"))
        mistakes = [mistake for path in paths for mistake in self._load_file(path)]
        if mistakes:
            raise BadInput("These error patterns cannot be used:\n" + "\n".join(mistakes))

    def add(self, entry: PatternEntry) -> list[str]:
        """Add a pattern; return what is wrong with it, if anything."""
        mistakes = [f"there is another pattern '{entry.id}'"] if entry.id in self._patterns else []
        mistakes += list(_mistakes(entry))
        if not mistakes:
            self._patterns[entry.id] = _pattern(entry)
        return mistakes

    def _load_file(self, path: Path) -> Iterator[str]:
        try:
            content = load_json(path.read_bytes())
        except UnreadableJson as error:
            yield f"{path}:{error.line}: not JSON: {error.reason}"
            return
        entries = content.get("patterns") if isinstance(content, dict) else None
        if not isinstance(entries, list):
            yield f'{path}: must be {{"patterns": [ … ]}}'
            return
        for number, raw in enumerate(entries, 1):
            where = f"{path}: entry {number}" + (f" ({raw['id']})" if isinstance(raw, dict) and "id" in raw else "")
            yield from (f"{where}: {mistake}" for mistake in self._take(raw))

    def _take(self, raw: Any) -> list[str]:
        try:
            entry = PatternEntry.model_validate(raw)
        except ValidationError as error:
            return [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        return self.add(entry)


def _pattern(entry: PatternEntry) -> BaseErrorPattern:
    return FuzzyErrorPattern(entry) if entry.kind == "parser" else MessagePattern(entry)


def _mistakes(entry: PatternEntry) -> Iterator[str]:
    names = set(_GIVEN)
    sound = True
    for field, expression in (("output", entry.output), ("command", entry.command or "")):
        try:
            names |= compile_pattern(expression).groups
        except InvalidPattern as error:
            sound = False
            yield f"{field}: not a regular expression: {error}"
    if sound:
        yield from _template_mistakes(entry, names)
        yield from _example_mistakes(entry)


def _template_mistakes(entry: PatternEntry, names: set[str]) -> Iterator[str]:
    templates: Iterable[tuple[str, str]] = (
        (field, text)
        for field, texts in (("diagnosis", entry.diagnosis), ("fix", entry.fix), ("commands", entry.commands))
        for text in texts
    )
    for field, text in templates:
        if entry.kind == "message":
            yield from (f"{field}: no group is named '{name}'" for name in sorted(names_in_template(text) - names))
        unknown = sorted(name for name in functions_in_template(text) if not is_template_function(name))
        yield from (f"{field}: template_functions.py has no function '{name}'" for name in unknown)


def _example_mistakes(entry: PatternEntry) -> Iterator[str]:
    pattern = _pattern(entry)
    for number, example in enumerate(entry.examples, 1):
        if entry.kind == "message" and not pattern.groups(
            CommandExchange(example.command, example.output, example.prompt)
        ):
            yield f"example {number} is not found"
    for number, output in enumerate(entry.healthy, 1):
        if pattern.groups(CommandExchange("", output)) is not None:
            yield f"healthy output {number} is found"
