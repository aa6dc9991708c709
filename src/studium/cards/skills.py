"""The skills of the card pipeline, with their inputs and outputs; each is asked once for all cards of a note."""

from typing import Any

from pydantic import Field

from studium.cards.card_specs import CardSpec
from studium.cards.models import ProposedCard, QAReport
from studium.core.domain.skill import skill
from studium.core.domain.value import Value


class MapInput(Value):
    """The cards to make from a note; `feedback` says for each card what was wrong with the last attempt."""

    note_path: str
    frontmatter: dict[str, Any] = Field(default_factory=dict)
    specs: tuple[CardSpec, ...]
    enforce_short_front: bool = True
    max_front_chars: int
    max_back_chars: int
    feedback: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class MappedCard(Value):
    """The fields of one card in Markdown, and the exact passages of the note that support them."""

    card_id: str
    fields: dict[str, str]
    quotes: tuple[str, ...] = Field(min_length=1)
    confidence: float = Field(default=1.0, ge=0, le=1)
    notes: str = ""


class MappedCards(Value):
    """The mapped cards of a note."""

    cards: tuple[MappedCard, ...]


class MadeCard(Value):
    """A card and the spec it was made from."""

    spec: CardSpec
    card: ProposedCard

    @property
    def card_id(self) -> str:
        """The id of the card."""
        return self.spec.card_id


class QAInput(Value):
    """The cards of one note, to judge against what the note says."""

    cards: tuple[MadeCard, ...]


class JudgedCard(Value):
    """The report about one card."""

    card_id: str
    report: QAReport


class JudgedCards(Value):
    """The reports about the cards of a note."""

    cards: tuple[JudgedCard, ...]


class PolishInput(Value):
    """The cards of one note, to polish within their limits."""

    cards: tuple[MadeCard, ...]
    max_front_chars: int
    max_back_chars: int


class PolishedCard(Value):
    """The fields of a card that were polished; other fields stay."""

    card_id: str
    fields: dict[str, str]


class PolishedCards(Value):
    """The cards that were improved; a card that is fine is left out."""

    cards: tuple[PolishedCard, ...]


MAP = skill("cards.map", "cards.mapper", MapInput, MappedCards, version=2)
POLISH = skill("cards.polish", "cards.style", PolishInput, PolishedCards)
QA = skill("cards.qa", "cards.qa", QAInput, JudgedCards, version=2)
SKILLS = (MAP, POLISH, QA)
