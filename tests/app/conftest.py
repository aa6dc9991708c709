"""A home with the samples."""

import asyncio
import shutil
from pathlib import Path

import pytest
from tests.vocabulary.dictionary.conftest import dictionary_cache

from studium.app import samples
from studium.concepts import use_cases as concepts
from studium.concepts.proposal import ReviewAnswer
from studium.core.config import Settings
from studium.vocabulary.dictionary.jmdict import JMdict

OWN_WALDEN = """---
title: Walden
author: Henry David Thoreau
---
# Quotes

As if you could kill time without injuring eternity.

I learned this, at least, by my experiment.
"""


def settings_for(home: Path) -> Settings:
    return Settings.model_validate({"home": home, "embedder": "none"})


@pytest.fixture(scope="session")
def filled_once(tmp_path_factory, request) -> Path:
    """A home with the samples."""
    JMdict.open(dictionary := dictionary_cache(request.config)).close()
    (home := tmp_path_factory.mktemp("filled") / "home").mkdir()
    (home / "dictionary").symlink_to(dictionary)
    asyncio.run(samples.add_samples(settings_for(home), home / "demo"))
    return home


@pytest.fixture
def settings(filled_once, tmp_path) -> Settings:
    """The settings of a copy of that home: it was moved after the samples were added."""
    return settings_for(shutil.copytree(filled_once, tmp_path / "home", symlinks=True))


async def forget(settings: Settings) -> dict[str, int]:
    return await samples.remove_samples(settings, samples.samples_folder(settings))


async def own_book(settings: Settings, file: Path, text: str) -> str:
    """A book of the user's, with all its concepts approved."""
    await asyncio.to_thread(file.write_text, text, "utf-8")
    [parsed] = (await concepts.parse(settings, file, title="", author="")).books
    if (await concepts.extract(settings, parsed.book, again=False)).waiting:
        await concepts.review(settings, parsed.book, lambda _: ReviewAnswer(approved=True))
    return parsed.book
