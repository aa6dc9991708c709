"""The proof that a card rests on its note: every quote is found in it, or is a finding."""

from collections.abc import Iterable

from studium.core.domain.document import Document
from studium.core.domain.finding import Evidence, Finding, Locator, Severity

_EXCERPT = 120


def prove(document: Document, quotes: Iterable[str], line: int | None = None) -> tuple[list[Evidence], list[Finding]]:
    """Find every quote in the note; what is not there is a finding."""
    evidence, findings = [], []
    for quote in quotes:
        if found := document.locate(quote):
            evidence.append(found)
        else:
            message = f"The note does not say: “{quote[:_EXCERPT]}”"
            where = Locator(path=document.path, line=line)
            findings.append(Finding(code="evidence.missing", severity=Severity.ERROR, message=message, where=where))
    return evidence, findings
