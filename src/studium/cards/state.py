"""The state of the card graph, the policy it follows, and its result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypedDict

from studium.anki.store import AnkiNote, RenderedCard
from studium.cards.card_specs import CardSpec
from studium.cards.merge import FieldConflict
from studium.cards.models import (
    CardDecision,
    CardDiffResult,
    NoteContext,
    ProposedCard,
    QAReport,
    SchemaValidationResult,
)
from studium.core.domain.finding import Evidence, Finding, Severity

RenderCard = Callable[[ProposedCard, str, str, str], RenderedCard]
"""Renders a card, given the path of its note, the heading above it and its id."""


@dataclass(frozen=True)
class CardPolicy:
    """How cards are made and how strictly they are judged; the names are those of the settings."""

    max_mapping_retries: int = 2
    min_qa_score: float = 0.8
    allow_auto_fix: bool = True
    allow_content_updates: bool = True
    bilingual: Literal["front_back", "separate_cards"] = "front_back"
    enforce_short_front: bool = True
    max_front_chars: int = 200
    max_back_chars: int = 1200
    polish: bool = False
    card_per_section: bool = False
    deck_prefix: str = ""
    deck_from_folder: bool = True
    default_deck: str = "Studium"


@dataclass(frozen=True)
class ExistingCard:
    """A card in Anki, and what we last wrote: fields (`base`), tags, deck, and the key of its source then."""

    anki: AnkiNote
    base: dict[str, str] | None = None
    base_tags: tuple[str, ...] = ()
    base_deck: str | None = None
    content_key: str | None = None


@dataclass(frozen=True)
class CardComparison:
    """What an update would write, which edits in Anki it keeps, and which conflicts it has.

    `bases` is what to remember once the writes are done.
    """

    diff: CardDiffResult
    rendered: RenderedCard
    writes: Mapping[str, str] = field(default_factory=dict)
    conflicts: Mapping[str, FieldConflict] = field(default_factory=dict)
    bases: Mapping[str, str] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    move_to: str | None = None
    other_type: bool = False

    @property
    def changes_nothing(self) -> bool:
        """Whether Anki is up to date."""
        return not (self.writes or self.conflicts or self.other_type or self.moves)

    @property
    def moves(self) -> bool:
        """Whether tags or the deck change."""
        return bool(self.add_tags or self.remove_tags or self.move_to)


@dataclass(frozen=True)
class CardDraft:
    """A card between two steps of the graph.

    `to_make` cards are made in the next attempt; a card that is `unchanged_by_retry` came out the same twice and is not
    tried again.
    """

    spec: CardSpec
    card: ProposedCard | None = None
    quotes: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    findings: tuple[Finding, ...] = ()
    schema: SchemaValidationResult | None = None
    report: QAReport | None = None
    rendered: RenderedCard | None = None
    comparison: CardComparison | None = None
    stale: str = ""
    feedback: tuple[str, ...] = ()
    to_make: bool = True
    unchanged_by_retry: bool = False

    @property
    def card_id(self) -> str:
        """The id of the card."""
        return self.spec.card_id

    @property
    def is_sound(self) -> bool:
        """Whether there is a card that fits its note type and is supported by the note."""
        refused = any(finding.severity is Severity.ERROR for finding in self.findings)
        return self.card is not None and self.schema is not None and self.schema.valid and not refused

    def passes(self, policy: CardPolicy) -> bool:
        """Whether the card was judged good enough."""
        if self.report is None or self.report.qa_score < policy.min_qa_score:
            return False
        return all(issue.severity != "high" for issue in self.report.issues)


@dataclass(frozen=True)
class DecidedCard:
    """The decision about one card, and everything needed to carry it out.

    `content_key` is remembered with the card; `siblings` are cards with the same question in other languages.
    """

    card_id: str
    line: int
    decision: CardDecision
    rendered: RenderedCard | None = None
    comparison: CardComparison | None = None
    evidence: tuple[Evidence, ...] = ()
    findings: tuple[Finding, ...] = ()
    score: float | None = None
    content_key: str = ""
    siblings: tuple[str, ...] = ()

    @property
    def writes(self) -> Mapping[str, str]:
        """The fields that an update writes."""
        return self.comparison.writes if self.comparison else {}

    @property
    def conflicts(self) -> Mapping[str, FieldConflict]:
        """The fields that were changed in Anki and in the note."""
        return self.comparison.conflicts if self.comparison else {}


class CardState(TypedDict, total=False):
    """The state of the graph for one note; `feedback` is what a person said about an earlier attempt."""

    note: NoteContext
    existing: dict[str, ExistingCard]
    feedback: list[str]
    attempts: int
    drafts: list[CardDraft]
    findings: list[Finding]
    cards: list[DecidedCard]
