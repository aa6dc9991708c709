"""The HTTP interface as programs use it: a real server on loopback, with cards, questions and open reviews."""

import asyncio
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from tests.real.process import free_port
from tests.vocabulary.dictionary.conftest import dictionary_cache

import studium
from studium.cards import use_cases as cards
from studium.core.config import Settings, load_settings
from studium.http.app import create_app
from studium.questions import use_cases as questions
from studium.vocabulary.dictionary.jmdict import JMdict

FEATURES = Path(studium.__file__).parent


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """The address of an application that is served while the block lasts."""
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def dictionary(request) -> Path:
    """The dictionary, which takes long to prepare."""
    JMdict.open(folder := dictionary_cache(request.config)).close()
    return folder


@pytest.fixture(scope="session")
def filled_place(tmp_path_factory, dictionary) -> Path:
    """A folder with a home, where there are some cards, questions and open reviews, and the files they came from."""
    place = tmp_path_factory.mktemp("filled-place")
    (place / "home").mkdir()
    (place / "home" / "dictionary").symlink_to(dictionary)
    for samples in FEATURES.glob("*/sample_files"):
        shutil.copytree(samples, place / "files", dirs_exist_ok=True)
    settings, files = _settings(place / "home", place / "files"), place / "files"

    async def work() -> None:
        await cards.sync(settings, cards.SyncOptions(files / "vault", str(files / "cards.apkg")))
        await questions.generate_questions(
            settings, questions.GenerationRequest(files / "questions" / "harbour.md", 2, scenario="rag_eval")
        )

    asyncio.run(work())
    return place


def _settings(home: Path, files: Path) -> Settings:
    return load_settings(overrides=(f"home={home}", f"serve.roots=[{files}]", "embedder=none"))


def settings_of_copy(filled_place: Path, home: Path) -> Settings:
    """The settings of a copy of the filled home; its files may be read, and nobody changes them."""
    return _settings(shutil.copytree(filled_place / "home", home, symlinks=True), filled_place / "files")


@pytest.fixture
def settings(tmp_path, filled_place) -> Settings:
    return settings_of_copy(filled_place, tmp_path / "home")


@pytest.fixture
def address(settings) -> Iterator[str]:
    with served(create_app(settings)) as address:
        yield address


@pytest.fixture
def client(address) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{address}/api/v1", timeout=30) as client:
        yield client


@pytest.fixture(scope="module")
def idle(tmp_path_factory, filled_place) -> Iterator[str]:
    """A server that accepts jobs and never runs them."""
    app = create_app(settings_of_copy(filled_place, tmp_path_factory.mktemp("idle") / "home"))
    with served(app) as address:
        app.state.service.jobs._slots = asyncio.Semaphore(0)
        yield address
