"""The models of cards: a note, the cards proposed for it, and the checks of them."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from studium.core.domain.decision import Action
from studium.core.domain.value import Value


class Section(Value):
    """A section of a note: its heading, text, first line and heading level."""

    heading: str
    text: str
    line: int
    level: int = 0


class Marker(Value):
    """An id that a tool left in a note: `<!--ID: 1700000000000-->`, `^1700000000000`, our own `^st-…`."""

    tool: Literal["studium", "obsidian_to_anki", "flashcards_obsidian", "yanki", "inka", "anki_cards"]
    value: str
    line: int


class CardSource(Value):
    """The source of one card in a note, in Markdown, as the learner wrote it."""

    kind: Literal["basic", "reversed", "cloze"]
    syntax: str
    front: str
    back: str = ""
    extra: str = ""
    hint: str = ""
    language: str | None = None
    pair: str = ""
    """Sources with the same `pair` are one question in several languages."""
    heading: str = ""
    line: int
    end_line: int
    tags: tuple[str, ...] = ()
    deck: str | None = None
    marker: Marker | None = None
    card_id: str | None = None
    """Our id, once the card is known."""


class NoteContext(Value):
    """A parsed Obsidian note, as the card pipeline sees it; `qa_pairs` are the cards it defines."""

    slug: str
    note_path: str
    frontmatter: dict[str, Any] = Field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    qa_pairs: tuple[CardSource, ...] = ()
    existing_anki_note: dict[str, Any] | None = None
    config_profile: str = "default"

    @classmethod
    def from_parsed_note(
        cls,
        metadata: Mapping[str, Any],
        qa_pairs: Sequence[CardSource],
        *,
        slug: str,
        note_path: str,
        sections: Sequence[Section] = (),
    ) -> "NoteContext":
        """Make the context from the frontmatter and cards that a reader found."""
        return cls(
            slug=slug,
            note_path=note_path,
            frontmatter=dict(metadata),
            sections=tuple(sections),
            qa_pairs=tuple(qa_pairs),
        )


class ProposedCard(Value):
    """A card as a model or the rules propose it; the fields hold Markdown."""

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
    """Whether a card fits its Anki note type."""

    valid: bool
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class QAIssue(Value):
    """One problem with the content of a card."""

    type: Literal["answer_mismatch", "front_leaks_answer", "language_mismatch", "style_issue"]
    severity: Literal["low", "medium", "high"]
    message: str


class QAReport(Value):
    """How good a card is, from 0 to 1, and why."""

    qa_score: float = Field(ge=0, le=1)
    issues: tuple[QAIssue, ...] = ()
    auto_fixed: tuple[str, ...] = ()


class FieldChange(Value):
    """The change of one field of a card."""

    field: str
    old: str
    new: str
    severity: Literal["cosmetic", "content", "structural"]


class CardDiffResult(Value):
    """What an update would change in the card in Anki."""

    changes: tuple[FieldChange, ...] = ()
    should_update: bool = False
    risk_level: Literal["low", "medium", "high"] = "low"


class CardDecision(Value):
    """What to do with one card, and why."""

    action: Action
    proposed_card: ProposedCard | None = None
    qa_report: QAReport | None = None
    schema_validation: SchemaValidationResult | None = None
    diff: CardDiffResult | None = None
    messages: tuple[str, ...] = ()
