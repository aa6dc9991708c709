"""Cards: a note, the card proposed for it, and what was found out about that card."""

from typing import Any, Literal

from pydantic import Field

from studium.domain.decision import Action
from studium.domain.value import Value


class Section(Value):
    """A part of a note: the heading's words, its text and the line it begins on."""

    heading: str
    text: str
    line: int


class NoteContext(Value):
    """A parsed Obsidian note, as the card pipeline sees it."""

    slug: str
    note_path: str
    frontmatter: dict[str, Any] = Field(default_factory=dict)
    sections: tuple[Section, ...]
    existing_anki_note: dict[str, Any] | None = None
    config_profile: str = "default"


class ProposedCard(Value):
    """A card as a mind proposes it; the fields hold Markdown, which the sink renders."""

    card_type: Literal["Basic", "Cloze", "Custom"] = "Basic"
    model_name: str = "Studium Basic"
    deck_name: str
    fields: dict[str, str]
    tags: tuple[str, ...] = ()
    language: str = "und"
    bilingual_mode: str | None = None
    confidence: float = Field(default=1.0, ge=0, le=1)
    notes: str = ""


class SchemaValidationResult(Value):
    """Whether a card fits the Anki model it is meant for."""

    valid: bool
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class QAIssue(Value):
    """One fault of a card's content."""

    type: Literal["answer_mismatch", "front_leaks_answer", "language_mismatch", "style_issue"]
    severity: Literal["low", "medium", "high"]
    message: str


class QAReport(Value):
    """How good a card is, from 0 to 1, and why."""

    qa_score: float = Field(ge=0, le=1)
    issues: tuple[QAIssue, ...] = ()
    auto_fixed: tuple[str, ...] = ()


class CardDecision(Value):
    """What should happen to the card of a note."""

    action: Action
    proposed_card: ProposedCard | None = None
    qa_report: QAReport | None = None
    schema_validation: SchemaValidationResult | None = None
    messages: tuple[str, ...] = ()
