"""Real small models, which only `make test-llm` asks."""

import pytest
from tests.real import ollama, xllamacpp


@pytest.fixture(scope="session")
def ollama_address():
    with ollama.ollama_server() as address:
        yield address


@pytest.fixture(scope="session")
def xllamacpp_address():
    with xllamacpp.xllamacpp_server() as address:
        yield address
