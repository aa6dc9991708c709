"""What the card graph carries from step to step, and the policy it follows."""

from dataclasses import dataclass
from typing import TypedDict

from studium.domain.card import CardDecision, NoteContext, ProposedCard, QAReport, SchemaValidationResult
from studium.domain.evidence import Evidence
from studium.domain.finding import Finding


@dataclass(frozen=True)
class CardPolicy:
    """How strict the pipeline is; the names are those of the `agents:` settings."""

    max_mapping_retries: int = 2
    min_qa_score: float = 0.8
    allow_auto_fix: bool = True
    max_front_chars: int = 200
    max_back_chars: int = 1200


class CardState(TypedDict, total=False):
    """One note on its way to a decision."""

    note: NoteContext
    feedback: list[str]
    attempts: int
    proposed_card: ProposedCard | None
    evidence: list[Evidence]
    schema_validation: SchemaValidationResult
    qa_report: QAReport | None
    findings: list[Finding]
    decision: CardDecision
