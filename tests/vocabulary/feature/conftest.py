"""The real dictionary, prepared once for all tests, and songs of our own."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from tests.vocabulary.dictionary.conftest import dictionary_cache

from studium.vocabulary.dictionary.jmdict import JMdict

SONG = """\
夜空に星が光る
君の声を聞きたい
涙を流して歩いた道
夢の中で君に会えた
夜空に星が光る
"""


@pytest.fixture(scope="session")
def dictionary_folder(request: pytest.FixtureRequest) -> Path:
    """The path of the dictionary, which the first test prepares."""
    folder = dictionary_cache(request.config)
    JMdict.open(folder).close()
    return folder


@pytest.fixture(autouse=True)
def ready(home: Path, dictionary_folder: Path) -> Path:
    """A home whose dictionary is prepared."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "dictionary").symlink_to(dictionary_folder)
    return home


@pytest.fixture
def song(tmp_path: Path) -> Path:
    path = tmp_path / "yozora.txt"
    path.write_text(SONG, encoding="utf-8")
    return path


@pytest.fixture
def configured(tmp_path: Path) -> Callable[[str], Path]:
    """A configuration in which Mistral, over the wire of Ollama and without tools of its own, is the agent."""

    def write(address: str, **more: object) -> Path:
        models = {"ollama:mistral": {"base_url": address, "tools": "text", "retries": 0, "timeout": 5}}
        roles = {"vocabulary": {"agent": "ollama:mistral", "extractor": "ollama:mistral"}}
        path = tmp_path / "studium.yaml"
        path.write_text(yaml.safe_dump({"models": models, "roles": roles} | more))
        return path

    return write
