"""The steps of the card pipeline that need judgement."""

from pydantic import Field

from studium.domain.card import NoteContext, ProposedCard, QAReport
from studium.domain.skill import skill
from studium.domain.value import Value


class MapGiven(Value):
    """A note to make a card of; `feedback` says what was wrong with the last attempt."""

    note: NoteContext
    max_front_chars: int
    max_back_chars: int
    feedback: tuple[str, ...] = ()


class MappedCard(Value):
    """A card and the exact sentences of the note that it was made from."""

    card: ProposedCard
    quotes: tuple[str, ...] = Field(min_length=1)


class QAGiven(Value):
    """A card to be judged against its note."""

    note: NoteContext
    card: ProposedCard


MAP = skill("cards.map", "cards.mapper", MapGiven, MappedCard)
QA = skill("cards.qa", "cards.qa", QAGiven, QAReport)
SKILLS = (MAP, QA)
