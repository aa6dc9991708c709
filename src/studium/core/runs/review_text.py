"""The text of a review: what changed in the proposal, and the proposal as editable YAML."""

from typing import TYPE_CHECKING, Any

from studium.core.domain.errors import BadInput
from studium.core.yaml_files import load_yaml

if TYPE_CHECKING:
    from studium.core.database import Database
    from studium.core.domain.decision import Review


def review_diff(database: "Database", review: "Review") -> list[str]:
    """What a person changed in the proposal, or else what changed since the item was last proposed."""
    from difflib import unified_diff

    proposal = review.decision.proposal
    before = proposal if review.answer else previous_proposal(database, review)
    after = review.answer or proposal
    if before is None or after is None:
        return []
    return list(unified_diff(to_yaml(before).splitlines(), to_yaml(after).splitlines(), lineterm="", n=1))[2:]


def previous_proposal(database: "Database", review: "Review") -> dict[str, Any] | None:
    """What was last proposed for the item of a review before, as it was answered."""
    earlier = database.reviews.previous(review)
    return (earlier.answer or earlier.decision.proposal) if earlier else None


def to_yaml(value: dict[str, Any]) -> str:
    """The value as a person edits it."""
    import yaml

    return yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=100)


def parse_yaml(text: str) -> dict[str, Any]:
    """The value that YAML or JSON text holds."""
    value = load_yaml(text)
    if not isinstance(value, dict):
        raise BadInput("The text must have `key: value` lines.")
    return value
