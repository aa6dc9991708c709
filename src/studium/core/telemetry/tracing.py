"""OpenTelemetry spans, if tracing is on."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from studium.core.extras import needs_extra
from studium.core.telemetry.redaction import redact

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer

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
