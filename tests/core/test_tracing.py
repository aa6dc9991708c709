import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from studium.core.domain.errors import MissingExtra
from studium.core.domain.run import RunContext, use_context
from studium.core.telemetry import disable_tracing, enable_tracing, span


@pytest.fixture
def collector():
    """A collector that takes OTLP over HTTP: its address, and the spans it was sent."""
    spans = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers["Content-Encoding"] == "gzip":
                import gzip

                body = gzip.decompress(body)
            sent = ExportTraceServiceRequest.FromString(body)
            spans.extend(each for r in sent.resource_spans for s in r.scope_spans for each in s.spans)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", spans
        server.shutdown()


def attributes(sent) -> dict[str, object]:
    return {each.key: each.value.string_value or each.value.int_value for each in sent.attributes}


def test_a_span_reaches_the_collector_with_its_run_and_item(collector):
    address, spans = collector
    enable_tracing(address)
    with use_context(RunContext(run="r1", item="ospf.md")), span("run"), span("answer", skill="cards.map", attempt=2):
        pass
    disable_tracing()
    inner, outer = spans
    assert (outer.name, inner.name) == ("run", "answer")
    assert inner.parent_span_id == outer.span_id
    assert attributes(inner) == {"run": "r1", "item": "ospf.md", "skill": "cards.map", "attempt": 2}


def test_a_failure_is_reported_without_its_secret(collector):
    address, spans = collector
    enable_tracing(f"{address}/v1/traces")

    def fail() -> None:
        with span("ask", url="http://host/?key=hush"):
            raise ValueError("refused token=hush")

    with pytest.raises(ValueError, match="hush"):
        fail()
    disable_tracing()
    [sent] = spans
    assert sent.status.message == "ValueError: refused token=***"
    assert "hush" not in str(sent)


def test_nothing_is_recorded_unless_switched_on():
    assert span("one") is span("two", skill="cards.map")


def test_without_the_packages_the_error_says_how_to_install_them(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(MissingExtra) as refused:
        enable_tracing()
    assert refused.value.remedy == "pip install 'studium[otel]'"
