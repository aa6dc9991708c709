"""Logs and traces, never with a secret in them.

Logs are lines on stderr for a person, or JSON lines for a program; every line carries the run and the item. `INFO` says
when a run starts and ends and what was decided, `DEBUG` what happened in between, `WARNING` what was retried or
doubted, `ERROR` what failed. Traces are OpenTelemetry spans, if tracing is on.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from studium.core.extras import needs_extra
from studium.core.redaction import redact

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer
import json as json_format
import logging
from datetime import UTC, datetime
from typing import Any, Literal

from studium.core.redaction import redact_json

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


Attribute = str | bool | int | float

_NOTHING = nullcontext()
_provider: "TracerProvider | None" = None
_tracer: "Tracer | None" = None


def span(name: str, **attributes: Attribute) -> AbstractContextManager[None]:
    """Time the work in this block as one span; costs next to nothing while tracing is off."""
    if _tracer is None:
        return _NOTHING
    return _recorded(_tracer, name, attributes)


def enable_tracing(endpoint: str | None = None) -> None:
    """Send spans to an OTLP/HTTP collector: `http://localhost:4318`, or where the OTEL_* variables point."""
    with needs_extra("otel", "Sending traces (`tracing.otel`)"):
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

    global _provider, _tracer  # noqa: PLW0603 - the one switch of the process
    disable_tracing()
    exporter = OTLPSpanExporter(endpoint=endpoint and f"{endpoint.removesuffix('/v1/traces').rstrip('/')}/v1/traces")
    _provider = TracerProvider(resource=Resource.create({"service.name": "studium"}))
    _provider.add_span_processor(BatchSpanProcessor(exporter))
    _tracer = _provider.get_tracer("studium")


def disable_tracing() -> None:
    """Send what is left and stop tracing."""
    global _provider, _tracer  # noqa: PLW0603 - the one switch of the process
    if _provider is not None:
        _provider.shutdown()
    _provider = _tracer = None


@contextmanager
def _recorded(tracer: "Tracer", name: str, attributes: dict[str, Attribute]) -> Iterator[None]:
    from opentelemetry.trace import StatusCode

    from studium.core.domain.run import current_context

    context = current_context()
    known = {"run": context.run, "item": context.item, **attributes}
    clean = {key: redact(value) if isinstance(value, str) else value for key, value in known.items()}
    # OpenTelemetry would record an exception with its whole text, secrets and all.
    with tracer.start_as_current_span(
        name, attributes=clean, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield
        except Exception as error:
            current.set_status(StatusCode.ERROR, redact(f"{type(error).__name__}: {error}"))
            raise
