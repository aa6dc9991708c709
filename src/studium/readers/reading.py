"""What comes of reading a file."""

from dataclasses import dataclass

from studium.domain.document import Document
from studium.domain.finding import Finding


@dataclass(frozen=True)
class Reading:
    """The document, if there is one, and what was found wrong on the way."""

    document: Document | None
    findings: tuple[Finding, ...] = ()
