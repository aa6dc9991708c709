"""What every test has: a home of its own, no keys from outside, and the real parts that are installed."""

import gc
import logging
import os
from functools import cache
from importlib import import_module
from itertools import count

import pytest
from httpx._transports import default as httpx_transports
from hypothesis import settings
from tests.memory_files import files_in_memory, forget_files
from tests.prepared_tables import use_prepared_tables

from studium.core.telemetry import disable_tracing

pytest_plugins = ("tests.real.servers", "tests.web.site")

# Reading the certificates takes a client 20 ms, and the tests make thousands of clients.
httpx_transports.create_ssl_context = cache(httpx_transports.create_ssl_context)  # type: ignore[attr-defined]

use_prepared_tables()

# New examples are searched for on a developer's machine; in CI every run tries the same ones.
settings.register_profile(
    "studium", deadline=None, database=None, print_blob=True, derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("studium")

_OUTSIDE = ("STUDIUM_", "OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_", "OLLAMA_", "LANGSMITH_", "LANGCHAIN_", "OTEL_")
for name in [name for name in os.environ if name.startswith(_OUTSIDE)]:
    del os.environ[name]
_numbers = count()
_LONGEST_NAME = 80
# Adding the samples takes half a minute of work: a test that wants them says so.
os.environ["STUDIUM_SERVE__SAMPLES"] = "false"


@pytest.fixture
def tmp_path(tmp_path_factory, request):
    """A folder for this test; pytest's own looks through those of all earlier tests for a free name."""
    place = tmp_path_factory.getbasetemp() / f"{next(_numbers)}-{request.node.name[:40].replace('/', '_')}"
    place.mkdir()
    return place


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Where this test's Studium keeps everything."""
    place = tmp_path / "home"
    monkeypatch.setenv("STUDIUM_HOME", str(place))
    return place


@pytest.fixture(autouse=True)
def _quiet_afterwards():
    yield
    disable_tracing()
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if handler.get_name() == "studium"]:
        root.removeHandler(handler)
    logging.getLogger("studium").setLevel(logging.NOTSET)


def pytest_configure(config):
    """Keep files in memory, and make thousands of long-lived objects without looking for garbage among them."""
    gc.disable()
    if config.option.basetemp is None and config.getoption("numprocesses", None):
        config.option.basetemp = files_in_memory()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    """Remove the files that are in memory, unless somebody wants to look at them."""
    if exitstatus == 0 and not hasattr(session.config, "workerinput"):
        forget_files(session.config.option.basetemp)


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(config, items):
    """Leave long runs and real models to `make endurance` and `make test-llm`, unless they are asked for."""
    left_out = {item for item in items if any(_is_left_out(config, item, name) for name in ("endurance", "llm"))}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def pytest_make_parametrize_id(val):
    """Name a test after the beginning of a long text: some are megabytes, and every report carries the name."""
    if isinstance(val, str | bytes) and len(val) > _LONGEST_NAME:
        return f"{ascii(val[:_LONGEST_NAME])[:_LONGEST_NAME]}..."
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item):
    """Keep together what shares a server: all tests that drive the browser, else those of one file.

    Long runs are worth a server of their own.
    """
    if item.get_closest_marker("xdist_group") is not None:
        return
    if "browser" in item.fixturenames:
        item.add_marker(pytest.mark.xdist_group("browser"))
    elif item.get_closest_marker("endurance") is None:
        item.add_marker(pytest.mark.xdist_group(f"{item.path.parent.name}/{item.path.stem}"))


def _is_left_out(config, item, marker):
    return marker not in config.option.markexpr and item.get_closest_marker(marker) is not None


def pytest_runtest_setup(item):
    """Skip a test whose real part is missing; where everything must be there, fail it."""
    for marker in item.iter_markers("part"):
        if reason := _missing(marker.args[0]):
            told = f"{reason} (`make parts` installs it)"
            if os.environ.get("CI"):
                pytest.fail(told, pytrace=False)
            pytest.skip(told)


@cache
def _missing(part: str) -> str | None:
    """Why a real part cannot be used; each says so itself."""
    return import_module(f"tests.real.{part}").available()
