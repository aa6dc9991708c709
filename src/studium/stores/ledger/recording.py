"""What is written down: our own words without secrets, in characters that both databases take."""

from typing import Any

from studium.domain.decision import Decision
from studium.observe.redact import redact


def clean(text: str) -> str:
    """Our own text, with secrets masked and without what PostgreSQL or UTF-8 cannot hold."""
    return redact(text).replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def recorded(decision: Decision) -> dict[str, Any]:
    """The decision in JSON; the material is kept as it is, our words about it are cleaned."""
    record = decision.model_dump(mode="json")
    record["reasons"] = [clean(reason) for reason in record["reasons"]]
    for finding in record["findings"]:
        finding["message"] = clean(finding["message"])
    return record
