"""Embedders by name: over the real wire formats, cached by content, clear about what is missing."""

import sys

import numpy as np
import pytest
from pydantic import SecretStr

from studium.core.domain.errors import BadSettings, MissingExtra, MissingModel, ServiceDown
from studium.core.llm.embeddings import CachedEmbedder, MiniLM, build_embedder
from studium.testing import Fault, Reply, WireServer

WIRES = {
    "ollama:mxbai-embed-large": "",
    "openai:text-embedding-3-small": "/v1",
    "google_genai:gemini-embedding-001": "",
}
KEY = SecretStr("sk-made-up-key-of-the-test")


@pytest.fixture(params=WIRES)
def name(request):
    return request.param


@pytest.fixture
def over():
    """Build an embedder that talks to a server, waits for nothing, and is closed in the end."""
    built = []

    def build(server, name):
        built.append(build_embedder(name, base_url=server.address + WIRES[name], api_key=KEY))
        built[-1]._sleep = lambda _: None
        return built[-1]

    yield build
    for embedder in built:
        embedder.close()


def test_texts_become_unit_vectors_over_the_wire(name, over):
    texts = [f"text number {number}" for number in range(70)]
    with WireServer(dimensions=1024) as server:
        vectors = over(server, name).embed([*texts, texts[0]])
    assert vectors.shape == (71, 1024)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors[0], vectors[70])
    assert not np.allclose(vectors[0], vectors[1])
    assert [text for request in server.requests for text in request.texts] == [*texts, texts[0]]


def test_without_texts_no_request_is_sent(name, over):
    with WireServer() as server:
        assert over(server, name).embed([]).shape[0] == 0
    assert server.requests == []


@pytest.mark.parametrize("fault", [Fault.too_many(retry_after=0.01), Fault.server_error(), Fault.drop()])
def test_a_transient_fault_is_retried(name, fault, over):
    with WireServer(dimensions=8) as whole:
        expected = over(whole, name).embed(["one"])
    with WireServer([fault, fault, Reply()], dimensions=8) as server:
        assert np.array_equal(over(server, name).embed(["one"]), expected)
    assert len(server.requests) == 3


def test_a_missing_model_says_how_to_get_it(name, over):
    with WireServer(lambda _: Fault.missing_model()) as server, pytest.raises(MissingModel) as raised:
        over(server, name).embed(["one"])
    if name.startswith("ollama"):
        assert raised.value.remedy == "ollama pull mxbai-embed-large"
    assert len(server.requests) == 1


def test_a_refused_key_is_named_by_its_variable_and_never_shown(name, over):
    with WireServer(lambda _: Fault.unauthorized()) as server, pytest.raises(ServiceDown) as raised:
        over(server, name).embed(["one"])
    assert "_API_KEY" in raised.value.remedy
    assert KEY.get_secret_value() not in f"{raised.value} {raised.value.remedy}"


def test_a_server_that_is_down(name, over):
    with WireServer() as server:
        embedder = over(server, name)
    with pytest.raises(ServiceDown) as raised:
        embedder.embed(["one"])
    assert server.address in str(raised.value)


def test_a_missing_package_says_what_to_install(name, monkeypatch):
    provider = name.partition(":")[0]
    monkeypatch.setitem(sys.modules, f"langchain_{provider}", None)
    with pytest.raises(MissingExtra) as raised:
        build_embedder(name, api_key=KEY)
    assert raised.value.remedy == f"pip install 'studium[{provider}]'"


@pytest.mark.parametrize("name", ["minilmm", "olama:x", "ollama:", "anthropic:x", ""])
def test_an_unknown_embedder_is_refused(name):
    with pytest.raises(BadSettings, match="names no embedder"):
        build_embedder(name)


def test_a_missing_key_is_reported_before_anything_is_sent(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(BadSettings) as raised:
        build_embedder("openai:text-embedding-3-small")
    assert "OPENAI_API_KEY" in raised.value.remedy


def test_the_embedded_default_and_none():
    assert isinstance(build_embedder("minilm"), MiniLM)
    assert build_embedder("none") is None


class DictStore:
    """The smallest store of vectors."""

    def __init__(self) -> None:
        self.vectors = {}

    def recall(self, embedder, keys):
        return {key: self.vectors[embedder, key] for key in keys if (embedder, key) in self.vectors}

    def remember(self, embedder, vectors):
        self.vectors |= {(embedder, key): vector for key, vector in vectors.items()}


def test_the_same_text_is_never_embedded_twice(over):
    store = DictStore()
    with WireServer(dimensions=16) as server:
        plain = over(server, "ollama:mxbai-embed-large")
        expected = plain.embed(["one", "two", "three"])
        server.requests.clear()
        first = CachedEmbedder(plain, store).embed(["one", "two", "one"])
        again = CachedEmbedder(plain, store).embed(["three", "one", "two"])
    assert [request.texts for request in server.requests] == [("one", "two"), ("three",)]
    assert np.array_equal(first, expected[[0, 1, 0]])
    assert np.array_equal(again, expected[[2, 0, 1]])
    assert {embedder for embedder, _ in store.vectors} == {"ollama:mxbai-embed-large"}


def test_a_cached_embedder_without_texts(minilm):
    assert CachedEmbedder(minilm, DictStore()).embed([]).shape == (0, 384)
