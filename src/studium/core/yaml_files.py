"""Read YAML files of users safely: every problem is reported with its line."""

from typing import Any

from studium.core.domain.errors import BadInput

# What PyYAML raises besides its own errors: for `2024-13-45`, `!!bool x`, `!!int ""`, `!!timestamp x`, `[[[[…`.
_LEAKED = (ValueError, KeyError, IndexError, AttributeError, TypeError, RecursionError)


class UnreadableYaml(BadInput):
    """A text is not YAML that we can read: `reason` says why, `line` (from 1) says where."""

    def __init__(self, reason: str, line: int, *, name: str = "", remedy: str | None = None) -> None:
        place = f"{name}:{line}" if name else f"Line {line}"
        super().__init__(f"{place} is not readable as YAML: {reason}.", remedy=remedy)
        self.reason = reason
        self.line = line


def load_yaml(text: str, *, name: str = "", aliases: bool = True, remedy: str | None = None) -> Any:
    """The value of a YAML (or JSON) text, `None` if it is empty.

    `name` is the file that an error names. Without `aliases`, `*name` is an error: a few of them can stand for more
    values than there is memory for.
    """
    import yaml

    try:
        line = None if aliases else _first_alias(text)
        value = yaml.load(text, Loader=yaml.CSafeLoader) if line is None else None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = error.problem or error.context or "it breaks the rules of YAML"
        raise UnreadableYaml(reason, mark.line + 1 if mark else 1, name=name, remedy=remedy) from error
    except yaml.YAMLError as error:
        raise UnreadableYaml(_first_line(error), 1, name=name, remedy=remedy) from error
    except _LEAKED as error:
        raise UnreadableYaml(_leaked_reason(error), 1, name=name, remedy=remedy) from error
    if line is not None:
        raise UnreadableYaml("it uses an alias (`*name`)", line, name=name, remedy=remedy)
    return value


def _first_alias(text: str) -> int | None:
    """The line of the first alias, if there is one."""
    import yaml

    events = yaml.parse(text, Loader=yaml.CSafeLoader) if "*" in text else ()
    aliases = (event for event in events if isinstance(event, yaml.AliasEvent))
    return next((event.start_mark.line + 1 if event.start_mark else 1 for event in aliases), None)


def _leaked_reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, ValueError):
        return _first_line(error)
    return "a value is not of the type that its tag names"


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "it breaks the rules of YAML").rstrip(".")
