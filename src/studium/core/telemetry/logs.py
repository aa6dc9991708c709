"""Logs: lines on stderr for a person, or JSON lines for a program; never with a secret in them.

Every line carries the run and the item in hand. `INFO` tells where a run starts and ends and what was decided, `DEBUG`
what happened in between, `WARNING` what was retried or doubted, `ERROR` what failed.
"""

import json as json_format
import logging
from datetime import UTC, datetime
from typing import Any, Literal

from studium.core.telemetry.redaction import redact, redact_json

Level = Literal["debug", "info", "warning", "error"]

_KNOWN_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def configure_logging(level: Level = "warning", *, json: bool = False) -> None:
    """Log our messages from `level` up, and warnings of libraries, to stderr; a second call replaces the first."""
    handler = _json_handler() if json else _human_handler()
    handler.set_name("studium")
    handler.addFilter(_is_wanted)
    root = logging.getLogger()
    for earlier in [each for each in root.handlers if each.get_name() == "studium"]:
        root.removeHandler(earlier)
    root.addHandler(handler)
    logging.getLogger("studium").setLevel(level.upper())


def _is_wanted(record: logging.LogRecord) -> bool:
    """Whether a message is ours or a warning: some libraries lower their own log level."""
    return record.name.partition(".")[0] == "studium" or record.levelno >= logging.WARNING


def _json_handler() -> logging.Handler:
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonLine())
    return handler


def _human_handler() -> logging.Handler:
    from rich.console import Console
    from rich.logging import RichHandler

    handler = RichHandler(console=Console(stderr=True), show_path=False, log_time_format="%H:%M:%S")
    handler.setFormatter(_HumanLine())
    return handler


class _JsonLine(logging.Formatter):
    """One JSON object for each message."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_context(record),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json_format.dumps(redact_json(line), ensure_ascii=False, default=lambda value: redact(str(value)))


class _HumanLine(logging.Formatter):
    """The message, its fields as `name=value`, and the traceback if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        known = "".join(f" {name}={value}" for name, value in _context(record).items() if value != "")
        trace = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return redact(record.getMessage() + known + trace)


def _context(record: logging.LogRecord) -> dict[str, Any]:
    """The run, the item, and the caller's `extra` fields."""
    from studium.core.domain.run import current_context

    context = current_context()
    extra = {name: value for name, value in vars(record).items() if name not in _KNOWN_FIELDS}
    return {"run": context.run, "item": context.item, **extra}
