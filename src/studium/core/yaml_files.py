"""Read YAML of users safely: bounded before it is parsed, and every problem reported with its line.

PyYAML's C loader builds values by recursion and crashes where they are nested too deeply, and an alias may stand for
more values than there is memory for. So the events of a text, which come one by one, are counted first.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from studium.core.domain.errors import BadInput

if TYPE_CHECKING:
    import yaml

MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 100
MAX_VALUES = 50_000
"""How many values a text may have, those that its aliases repeat included."""
MAX_DIGITS = 1_000
"""How many characters a number may have; Python refuses to read or write far longer ones."""
MAX_LONG_NUMBERS = 2_000
"""How many numbers may have more than 15 characters: as keys, such can be chosen to make a mapping slow."""

# What PyYAML raises besides its own errors: for `2024-13-45`, `!!bool x`, `!!int ""`, `!!timestamp x`, `1:2:3:….5`.
_LEAKED = (ValueError, KeyError, IndexError, AttributeError, TypeError, OverflowError, RecursionError)
# Outside brackets, every list and every mapping needs one of these.
_INDICATOR = re.compile(r"[-?:](?=\s|\Z)")
_SHORT = 20_000
_NUMBER = re.compile(r"[-+]?(?:0[bx][0-9a-fA-F_]+|[0-9._][0-9_]*(?::[0-9]+)*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?)")
_LONG = 15
_NUMBER_TAGS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


class UnreadableYaml(BadInput):
    """A text is not YAML that we can read: `reason` says why, `line` (from 1) says where."""

    def __init__(self, reason: str, line: int, *, name: str = "", remedy: str | None = None) -> None:
        place = f"{name}:{line}" if name else f"Line {line}"
        super().__init__(f"{place} is not readable as YAML: {reason}.", remedy=remedy)
        self.reason = reason
        self.line = line


class AliasUsed(UnreadableYaml):
    """A text uses an alias (`*name`) where none is allowed."""


def load_yaml(text: str, *, name: str = "", aliases: bool = True, remedy: str | None = None) -> Any:
    """The value of a YAML (or JSON) text, `None` if it is empty.

    `name` is the file that an error names. Without `aliases`, `*name` is an error.
    """
    import yaml

    check_yaml(text, name=name, aliases=aliases, remedy=remedy)
    with yaml_errors(name, remedy):
        return yaml.load(text, Loader=yaml.CSafeLoader)


def check_yaml(text: str, *, name: str = "", aliases: bool = True, remedy: str | None = None) -> None:
    """Refuse a text that is not YAML or goes beyond a limit; for loaders that keep the line of every value."""
    import yaml

    with yaml_errors(name, remedy):
        if len(text) > MAX_CHARACTERS:
            raise _TooMuch(f"it is longer than {MAX_CHARACTERS:,} characters", 1)
        if _is_simple(text):
            return
        counter = _EventCounter(aliases)
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            counter.count(event)


def _is_simple(text: str) -> bool:
    """Whether a text cannot go beyond a limit, as a glance shows of almost every frontmatter."""
    if len(text) > _SHORT or "*" in text or "!" in text or max(map(len, text.split("\n"))) > MAX_DIGITS:
        return False
    in_brackets = text.count("[") + text.count("{")
    # In brackets, a list may hold a mapping of one pair that has none of its own.
    return 2 * in_brackets + len(_INDICATOR.findall(text)) <= MAX_DEPTH


class _TooMuch(Exception):
    def __init__(self, reason: str, line: int, kind: type[UnreadableYaml] = UnreadableYaml) -> None:
        super().__init__(reason)
        self.reason, self.line, self.kind = reason, line, kind


@dataclass
class _Collection:
    """A list or mapping that is still open."""

    anchor: str | None = None
    values_before: int = 0
    height: int = 0


@dataclass(frozen=True)
class _Anchored:
    """How many values an anchor stands for, and how deep they are nested."""

    values: int
    height: int


@dataclass
class _EventCounter:
    """Counts what the events of a text will become."""

    aliases: bool
    _values: int = 0
    _long_numbers: int = 0
    _open: list[_Collection] = field(default_factory=lambda: [_Collection()])
    _anchors: "dict[str, _Anchored | None]" = field(default_factory=dict)

    def count(self, event: "yaml.Event") -> None:
        import yaml

        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event, line)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._grow(1, 1, line)
            self._open.append(_Collection(event.anchor, self._values - 1))
            if event.anchor:
                self._anchors[event.anchor] = None
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close()
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event.anchor, line)

    def _grow(self, values: int, height: int, line: int) -> None:
        self._values += values
        if self._values > MAX_VALUES:
            raise _TooMuch(f"it has more than {MAX_VALUES:,} values", line)
        if len(self._open) - 1 + height > MAX_DEPTH:
            raise _TooMuch(f"it is nested more than {MAX_DEPTH} deep", line)
        self._open[-1].height = max(self._open[-1].height, height)

    def _scalar(self, event: "yaml.ScalarEvent", line: int) -> None:
        self._grow(1, 0, line)
        if event.anchor:
            self._anchors[event.anchor] = _Anchored(1, 0)
        if len(event.value) > _LONG and _is_number(event):
            self._long_numbers += 1
            if len(event.value) > MAX_DIGITS:
                raise _TooMuch(f"a number has more than {MAX_DIGITS:,} digits", line)
            if self._long_numbers > MAX_LONG_NUMBERS:
                raise _TooMuch(f"it has more than {MAX_LONG_NUMBERS:,} numbers of over {_LONG} digits", line)

    def _close(self) -> None:
        closed = self._open.pop()
        height = closed.height + 1
        self._open[-1].height = max(self._open[-1].height, height)
        if closed.anchor:
            self._anchors[closed.anchor] = _Anchored(self._values - closed.values_before, height)

    def _alias(self, name: str | None, line: int) -> None:
        if not self.aliases:
            raise _TooMuch("it uses an alias (`*name`)", line, AliasUsed)
        anchored = self._anchors.get(name or "", _Anchored(1, 0))  # an unknown name is the parser's to report
        if anchored is None:
            raise _TooMuch(f"the alias `*{name}` is inside the value that it names", line)
        self._grow(anchored.values, anchored.height, line)


def _is_number(event: "yaml.ScalarEvent") -> bool:
    is_plain = event.tag is None and event.implicit[0]
    return event.tag in _NUMBER_TAGS or (is_plain and _NUMBER.fullmatch(event.value) is not None)


@contextmanager
def yaml_errors(name: str = "", remedy: str | None = None) -> Iterator[None]:
    """Turn what PyYAML raises in this block into `UnreadableYaml`."""
    import yaml

    try:
        yield
    except _TooMuch as error:
        raise error.kind(error.reason, error.line, name=name, remedy=remedy) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = error.problem or error.context or "it breaks the rules of YAML"
        raise UnreadableYaml(reason, mark.line + 1 if mark else 1, name=name, remedy=remedy) from error
    except yaml.YAMLError as error:
        raise UnreadableYaml(_first_line(error), 1, name=name, remedy=remedy) from error
    except _LEAKED as error:
        raise UnreadableYaml(_leaked_reason(error), 1, name=name, remedy=remedy) from error


def _leaked_reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeError):
        return "it has characters that are not text"
    if isinstance(error, ValueError | OverflowError):
        return _first_line(error)
    return "a value is not of the type that its tag names"


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "it breaks the rules of YAML").rstrip(".")
