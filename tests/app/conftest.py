"""A home into which the samples came."""

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
    """A home into which the samples came."""
    JMdict.open(dictionary := dictionary_cache(request.config)).close()
    (home := tmp_path_factory.mktemp("filled") / "home").mkdir()
    (home / "dictionary").symlink_to(dictionary)
    asyncio.run(samples.add_samples(settings_for(home), home / "demo"))
    return home


@pytest.fixture
def settings(filled_once, tmp_path) -> Settings:
    """The settings of a filled home of this test's own; it was moved there after it was filled."""
    return settings_for(shutil.copytree(filled_once, tmp_path / "house", symlinks=True))


async def forget(settings: Settings) -> dict[str, int]:
    return await samples.remove_samples(settings, samples.samples_folder(settings))


async def own_book(settings: Settings, file: Path, text: str) -> str:
    """A book of a person's own, with every concept that was found in it kept."""
    await asyncio.to_thread(file.write_text, text, "utf-8")
    [parsed] = (await concepts.parse(settings, file, title="", author="")).books
    if (await concepts.extract(settings, parsed.book, again=False)).waiting:
        await concepts.review(settings, parsed.book, lambda _: ReviewAnswer(approved=True))
    return parsed.book
