"""Findings about items, and evidence for them."""

from enum import StrEnum

from studium.core.domain.value import Value


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
