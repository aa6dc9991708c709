"""The dictionary, prepared once for all workers and runs; and a small source, for what happens while it is prepared."""

import sqlite3
from hashlib import sha256
from pathlib import Path

import pytest

import studium.vocabulary.dictionary
from studium.vocabulary.dictionary.jmdict import JMdict
from studium.vocabulary.dictionary.jmdict_build import open_jamdict


def dictionary_cache(config):
    """The folder of the whole dictionary; it is built again when the code that builds it changes."""
    code = Path(studium.vocabulary.dictionary.__file__).parent
    sources = [code / "jmdict_build.py", code / "headword.py", *sorted(code.glob("*.tsv"))]
    digest = sha256(b"".join(path.read_bytes() for path in sources))
    return config.cache.mkdir(f"dictionary-{digest.hexdigest()[:16]}")


@pytest.fixture(scope="session")
def dictionary_folder(request):
    return dictionary_cache(request.config)


@pytest.fixture(scope="session")
def dictionary(dictionary_folder):
    opened = JMdict.open(dictionary_folder)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def small_source(tmp_path_factory):
    """A folder with a package jamdict_data that has the first few thousand entries only."""
    package = tmp_path_factory.mktemp("small") / "jamdict_data"
    package.mkdir()
    (package / "__init__.py").touch()
    whole = open_jamdict()
    [(_, _, path)] = whole.execute("PRAGMA database_list").fetchall()
    whole.close()
    with sqlite3.connect(package / "jamdict.db") as small:
        small.execute("ATTACH ? AS whole", (path,))
        small.executescript((Path(__file__).parent / "small.sql").read_text(encoding="utf-8"))
    small.close()
    return package.parent
