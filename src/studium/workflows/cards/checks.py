"""What code alone decides about a card: does it fit its Anki model, and does the note say what it claims."""

from collections.abc import Iterable

from studium.domain.card import ProposedCard, SchemaValidationResult
from studium.domain.document import Document
from studium.domain.evidence import Evidence
from studium.domain.finding import Finding, Locator, Severity
from studium.workflows.cards.state import CardPolicy

# The models that Studium brings along: field name -> whether it must be filled.
MODELS = {"Studium Basic": {"Front": True, "Back": True, "Extra": False, "Hint": False}}


def validate_anki_schema(card: ProposedCard, policy: CardPolicy) -> SchemaValidationResult:
    """Check the card against its model: the model exists, the fields are known, filled and not too long."""
    model = MODELS.get(card.model_name)
    if model is None:
        known = ", ".join(f"`{name}`" for name in MODELS)
        return SchemaValidationResult(valid=False, errors=(f"There is no note type `{card.model_name}`; use {known}.",))
    limits = {"Front": policy.max_front_chars, "Back": policy.max_back_chars}
    errors = [f"Field `{name}` is required and empty." for name in model if model[name] and not _filled(card, name)]
    errors += [f"`{card.model_name}` has no field `{name}`." for name in card.fields if name not in model]
    errors += [
        f"Field `{name}` has {len(card.fields[name])} characters; at most {limit} are allowed."
        for name, limit in limits.items()
        if len(card.fields.get(name, "")) > limit
    ]
    return SchemaValidationResult(valid=not errors, errors=tuple(errors))


def prove(document: Document, quotes: Iterable[str]) -> tuple[list[Evidence], list[Finding]]:
    """Find every quote in the note; what is not there is a finding."""
    evidence, findings = [], []
    for quote in quotes:
        if found := document.locate(quote):
            evidence.append(found)
        else:
            findings.append(
                Finding(
                    code="evidence.missing",
                    severity=Severity.ERROR,
                    message=f"The note does not say: “{quote[:120]}”",
                    where=Locator(path=document.path),
                )
            )
    return evidence, findings


def _filled(card: ProposedCard, field: str) -> bool:
    return bool(card.fields.get(field, "").strip())
