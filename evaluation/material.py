"""The input and the result of a scorer."""

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
    """The folder with a feature's sets, the documents they are about, and the file for answers that a person judges.

    Everything that the product stores while it is scored is under `home`, which is removed afterwards. `overrides` are
    settings for every set.
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
            raise LeftOut(f"{self.folder.name}/{name} is missing")
        return place

    def find_all(self, pattern: str) -> list[Path]:
        """The files of the feature's sets whose names match, in order."""
        found = sorted(self.folder.glob(pattern))
        if not found:
            raise LeftOut(f"{self.folder.name}/{pattern} is missing")
        return found

    def find_documents(self) -> Path:
        """The folder of documents."""
        if self.documents is None:
            raise LeftOut("it needs --documents")
        return self.documents

    def settings(self, name: str, **given: Any) -> Settings:
        """Settings with the given values, and a home with this name."""
        return Settings.model_validate({"home": self.home / name, **self.overrides, **given})


@dataclass(frozen=True)
class Score:
    """The figures of a set, or the file to read; every wrong case; and notes on the figures."""

    figures: Figures | str
    wrong: Sequence[str] = ()
    notes: Sequence[str] = ()


Scorer: TypeAlias = Callable[[Material], Score]


def share(part: int, whole: int) -> float:
    """A share to four digits; 0 if the whole is 0."""
    return round(part / max(whole, 1), 4)


def hide_tracebacks() -> None:
    """Silence the product's log: failures are reported with the figures."""
    logging.getLogger("studium").addHandler(logging.NullHandler())
