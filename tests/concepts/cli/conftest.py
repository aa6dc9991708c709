"""A reader's files of quotes, and a home that needs no embedder."""

from pathlib import Path
from shutil import copytree

import pytest
from tests.run_cli import Ended, studium

LETTERS = """\
---
title: Letters on Time
author: Ada Stone
---

# Quotes

## Mornings

Time is the coin of life, and only you can say how it will be spent. (p. 3)

Patience is when we go on hoping without a date. (p. 4)

A habit is a path that the feet have forgotten they chose. (pp. 7–8)

## Evenings

Silence is the room in which thought can turn around. (p. 21)

Whoever hurries through the day arrives at night without having lived it.
"""
CLIPPINGS = """\
On Rivers (Brook, Lena)
- Your Highlight on page 5 | Location 60-61 | Added on Saturday, March 2, 2024 9:14:05 PM

A river never asks the mountain for permission.
==========
On Rivers (Brook, Lena)
- Your Highlight on page 9 | Location 100-101 | Added on Saturday, March 2, 2024 9:20:41 PM

Water remembers every valley it has made.
==========
Las horas (Río, Ana)
- Your Highlight on Location 12-12 | Added on Sunday, March 3, 2024 8:02:10 AM

La paciencia es el arte de esperar sin fecha.
==========
"""


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDIUM_EMBEDDER", "none")


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    """Five quotes of one book."""
    path = tmp_path / "letters.md"
    path.write_text(LETTERS, encoding="utf-8")
    return path


@pytest.fixture
def clippings(tmp_path: Path) -> Path:
    """Three quotes of two books, as a Kindle writes them."""
    path = tmp_path / "My Clippings.txt"
    path.write_text(CLIPPINGS, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which a proposal for the letters waits."""
    folder = tmp_path_factory.mktemp("extracted")
    file = folder / "letters.md"
    file.write_text(LETTERS, encoding="utf-8")
    place = ("--home", folder / "home", "--set", "embedder=none")
    done(studium(*place, "concepts", "parse", file))
    done(studium(*place, "concepts", "extract", "letters"))
    return folder / "home"


@pytest.fixture(scope="session")
def approved(extracted: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which it was kept as it was proposed."""
    place = copytree(extracted, tmp_path_factory.mktemp("approved") / "home")
    done(studium("--home", place, "--set", "embedder=none", "concepts", "review", "letters", "--approve"))
    return place


@pytest.fixture
def waiting(home: Path, extracted: Path) -> dict[str, str]:
    """The letters, parsed and extracted; the keys of what is proposed, by title."""
    copytree(extracted, home)
    proposal = done(studium("concepts", "review", "letters", "--json")).json["waiting"]["proposal"]
    return {each["title"]: each["key"] for each in proposal["concepts"]}


@pytest.fixture
def kept(home: Path, approved: Path) -> Path:
    """The home, with the concepts of the letters in it."""
    return copytree(approved, home)


def done(ended: Ended) -> Ended:
    """What a command printed that did what it was asked."""
    assert ended.code == 0, ended.err
    return ended
