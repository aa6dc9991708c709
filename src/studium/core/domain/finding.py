"""Findings about items, and evidence for them."""

from collections.abc import Iterable
from enum import StrEnum

from studium.core.domain.errors import BadInput, InternalFault, StudiumError
from studium.core.domain.value import Value

DOCUMENT_FAULT = "document.fault"
ITEM_FAULT = "item.failed"
_OUR_FAULTS = (DOCUMENT_FAULT, ITEM_FAULT)


class Severity(StrEnum):
    """The severity of a finding: an item with an `ERROR` is never published."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Locator(Value):
    """A place in a source: `notes/ospf.md:12-14`, `paper.pdf:3-3 (page 2)`."""

    path: str
    line: int | None = None
    end_line: int | None = None
    page: int | None = None

    def __str__(self) -> str:
        lines = "" if self.line is None else f":{self.line}"
        if self.end_line not in (None, self.line):
            lines += f"-{self.end_line}"
        return self.path + lines + ("" if self.page is None else f" (page {self.page})")


class Finding(Value):
    """Something that a check, a reader or a model found, written for the person who acts on it."""

    code: str
    severity: Severity
    message: str
    where: Locator | None = None

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class Evidence(Value):
    """A passage and the exact quote from the source in it."""

    passage: str
    quote: str
    where: Locator


def unusable_error(findings: Iterable[Finding]) -> StudiumError:
    """The error to raise for what cannot be used because of these findings: our own fault, or the caller's."""
    found = list(findings)
    is_fault = any(finding.code in _OUR_FAULTS for finding in found)
    return (InternalFault if is_fault else BadInput)("; ".join(map(str, found)))
