"""Real small models, and the rule that they are asked only by `pytest -m llm`."""

import pytest
from tests.real import ollama, xllamacpp


def pytest_collection_modifyitems(config, items):
    """Leave the real models out unless they are asked for: they take minutes, not seconds."""
    if "llm" in config.option.markexpr:
        return
    left_out = [item for item in items if item.get_closest_marker("llm")]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session")
def ollama_address():
    with ollama.ollama_server() as address:
        yield address


@pytest.fixture(scope="session")
def xllamacpp_address():
    with xllamacpp.xllamacpp_server() as address:
        yield address
