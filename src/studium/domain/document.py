"""Documents: a source read into lines, pages and visuals, the same for every format."""

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Literal

from studium.domain.evidence import Evidence
from studium.domain.finding import Locator


@dataclass(frozen=True)
class Visual:
    """A figure, table or image: where it stands and what its caption says."""

    kind: Literal["figure", "table", "image"]
    caption: str
    where: Locator


@dataclass(frozen=True)
class Passage:
    """A span of a document. The id is a hash of the text, so an unchanged passage keeps its id wherever it moves."""

    id: str
    text: str
    where: Locator
    heading: str = ""
    kind: str = "text"


def content_id(text: str) -> str:
    """The short hash that names a text."""
    return sha256(text.encode()).hexdigest()[:16]
