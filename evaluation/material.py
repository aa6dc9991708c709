"""What a scorer is given, and what it gives back."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from studium.core.config import Settings

Figures: TypeAlias = Mapping[str, int | float]


class LeftOut(Exception):
    """A set is not scored; the message says why."""


@dataclass(frozen=True)
class Material:
    """The folder of a feature's sets, the documents they are about, and where answers for a person go.

    Everything the product keeps while it is scored lies under `home`, which is removed afterwards. `overrides` are
    settings that every set is scored with.
    """

    folder: Path
    home: Path
    answers: Path
    documents: Path | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)

    def find(self, name: str) -> Path:
        """A file or folder of the feature's sets."""
        place = self.folder / name
        if not place.exists():
            raise LeftOut(f"there is no {self.folder.name}/{name}")
        return place

    def find_all(self, pattern: str) -> list[Path]:
        """The files of the feature's sets whose names match, in order."""
        found = sorted(self.folder.glob(pattern))
        if not found:
            raise LeftOut(f"there is no {self.folder.name}/{pattern}")
        return found

    def find_documents(self) -> Path:
        """The folder of documents."""
        if self.documents is None:
            raise LeftOut("no documents were named with --documents")
        return self.documents

    def settings(self, name: str, **given: Any) -> Settings:
        """The settings, with those given and a home of this name."""
        return Settings.model_validate({"home": self.home / name, **self.overrides, **given})


@dataclass(frozen=True)
class Score:
    """The figures of a set, or the file to be read; every case that went wrong; and what the figures do not tell."""

    figures: Figures | str
    wrong: Sequence[str] = ()
    notes: Sequence[str] = ()


Scorer: TypeAlias = Callable[[Material], Score]


def share(part: int, whole: int) -> float:
    """A part of a whole to four digits; 0 of nothing is 0."""
    return round(part / max(whole, 1), 4)


def hide_tracebacks() -> None:
    """Keep the product's own log quiet: what fails is told beside the figures."""
    logging.getLogger("studium").addHandler(logging.NullHandler())
