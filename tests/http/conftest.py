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


def filled(settings: Settings, place: Path) -> Settings:
    """The settings of a home with some cards, questions and open reviews."""

    async def work() -> None:
        await cards.sync(settings, cards.SyncOptions(place / "vault", str(place / "cards.apkg")))
        await questions.generate_questions(
            settings, questions.GenerationRequest(place / "questions" / "harbour.md", 2, scenario="rag_eval")
        )

    asyncio.run(work())
    return settings


@pytest.fixture(scope="module")
def dictionary(request) -> Path:
    """The dictionary, which takes long to prepare."""
    JMdict.open(folder := dictionary_cache(request.config)).close()
    return folder


def settled(place: Path, dictionary: Path) -> Settings:
    """The settings of a filled home in this place, with a vault that may be read."""
    (place / "home").mkdir(exist_ok=True)
    (place / "home" / "dictionary").symlink_to(dictionary)
    for samples in FEATURES.glob("*/sample_files"):
        shutil.copytree(samples, place / "files", dirs_exist_ok=True)
    wanted = (f"home={place / 'home'}", f"serve.roots=[{place / 'files'}]", "embedder=none")
    return filled(load_settings(overrides=wanted), place / "files")


@pytest.fixture
def settings(tmp_path, dictionary) -> Settings:
    return settled(tmp_path, dictionary)


@pytest.fixture
def address(settings) -> Iterator[str]:
    with served(create_app(settings)) as address:
        yield address


@pytest.fixture
def client(address) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{address}/api/v1", timeout=30) as client:
        yield client


@pytest.fixture(scope="module")
def idle(tmp_path_factory, dictionary) -> Iterator[str]:
    """A server that accepts jobs and never runs them."""
    app = create_app(settled(tmp_path_factory.mktemp("idle"), dictionary))
    with served(app) as address:
        app.state.service.jobs._slots = asyncio.Semaphore(0)
        yield address
