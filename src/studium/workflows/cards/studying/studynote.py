"""A note as the curriculum sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from studium.workflows.cards.studying.links import Link


@dataclass(frozen=True)
class StudyNote:
    """A note, the notes it links to (each with its first link), the links that lead nowhere, and how many cards."""

    name: str
    frontmatter: Mapping[str, Any] = field(default_factory=dict)
    tags: Sequence[str] = ()
    links: Mapping[str, Link] = field(default_factory=dict)
    missing: Sequence[Link] = ()
    cards: int = 0

    @property
    def title(self) -> str:
        """What the note is called."""
        return str(self.frontmatter.get("title") or PurePosixPath(self.name).stem)
