"""The steps of the card pipeline that need judgement; each is asked once for all cards of a note."""

from typing import Any

from pydantic import Field

from studium.cards.card_specs import CardSpec
from studium.cards.models import ProposedCard, QAReport
from studium.core.domain.skill import skill
from studium.core.domain.value import Value


class MapInput(Value):
    """The cards to be made of a note; `feedback` says by card what was wrong with the last attempt."""

    note_path: str
    frontmatter: dict[str, Any] = Field(default_factory=dict)
    wanted: tuple[CardSpec, ...]
    enforce_short_front: bool = True
    max_front_chars: int
    max_back_chars: int
    feedback: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class MappedCard(Value):
    """The fields of one card in Markdown, and the exact passages of the note that they rest on."""

    card_id: str
    fields: dict[str, str]
    quotes: tuple[str, ...] = Field(min_length=1)
    confidence: float = Field(default=1.0, ge=0, le=1)
    notes: str = ""


class MappedCards(Value):
    """The cards that were made."""

    cards: tuple[MappedCard, ...]


class MadeCard(Value):
    """A card, and what it was made of."""

    wanted: CardSpec
    card: ProposedCard

    @property
    def card_id(self) -> str:
        """Whose card it is."""
        return self.wanted.card_id


class QAInput(Value):
    """The cards of one note, to be judged against what the note says."""

    cards: tuple[MadeCard, ...]


class JudgedCard(Value):
    """What was found about one card."""

    card_id: str
    report: QAReport


class JudgedCards(Value):
    """What was found about each."""

    cards: tuple[JudgedCard, ...]


class PolishInput(Value):
    """The cards of one note, to be polished within their limits."""

    cards: tuple[MadeCard, ...]
    max_front_chars: int
    max_back_chars: int


class PolishedCard(Value):
    """The fields of a card that read better than before; fields that are not named stay."""

    card_id: str
    fields: dict[str, str]


class PolishedCards(Value):
    """The cards that gained by it; a card that is fine is left out."""

    cards: tuple[PolishedCard, ...]


MAP = skill("cards.map", "cards.mapper", MapInput, MappedCards, version=2)
POLISH = skill("cards.polish", "cards.style", PolishInput, PolishedCards)
QA = skill("cards.qa", "cards.qa", QAInput, JudgedCards, version=2)
SKILLS = (MAP, POLISH, QA)
