"""A note's text in, the decisions on its cards out: the card graph as a test drives it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any

from studium.anki.store import AnkiCard, AnkiNote, RenderedCard
from studium.cards.assemble import OUR_NOTE_TYPES
from studium.cards.graph import create_card_graph
from studium.cards.models import NoteContext, ProposedCard
from studium.cards.notes import read_note
from studium.cards.rules.skill_rules import RULES
from studium.cards.state import CardPolicy, DecidedCard, ExistingCard
from studium.core.documents.registry import read_document
from studium.core.domain.document import Document
from studium.core.llm.models import RulesModel

NOTES = Path(__file__).parent / "sample_notes"


def unrendered(card: ProposedCard, _path: str, _heading: str, card_id: str) -> RenderedCard:
    """A card as it is: what a field says stays readable in a test."""
    return RenderedCard(note_type=card.model_name, fields={**card.fields, "Studium": card_id})


def read(folder: Path, text: str, name: str = "note.md") -> tuple[NoteContext, Document]:
    """A note on disk, read; its cards are `a`, `b`, `c` in their order."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dedent(text), encoding="utf-8")
    document = read_document(path).document
    assert document is not None
    parsed = read_note(document, name=name)
    sources = [card.model_copy(update={"card_id": chr(ord("a") + n)}) for n, card in enumerate(parsed.cards)]
    note = NoteContext.from_parsed_note(
        parsed.frontmatter, sources, slug=name, note_path=document.path, sections=parsed.sections
    )
    return note, document


class Pipeline:
    """Runs the card graph over notes in one folder."""

    def __init__(self, folder: Path, policy: CardPolicy | None = None, model: Any = None, **how: Any) -> None:
        self.folder, self.policy = folder, policy or CardPolicy()
        self.model, self.how = model or RulesModel(RULES), how

    async def run(
        self, text: str, existing: Mapping[str, ExistingCard] | None = None, name: str = "note.md", **more: Any
    ) -> dict[str, Any]:
        note, document = read(self.folder, text, name)
        graph = create_card_graph(
            self.model,
            lambda _path: document,
            self.policy,
            render=self.how.get("render", unrendered),
            note_types=self.how.get("note_types", OUR_NOTE_TYPES),
        )
        return dict(await graph.ainvoke({"note": note, "existing": dict(existing or {}), **more}))

    async def cards(
        self, text: str, existing: Mapping[str, ExistingCard] | None = None, name: str = "note.md"
    ) -> Sequence[DecidedCard]:
        cards: list[DecidedCard] = (await self.run(text, existing, name))["cards"]
        return cards

    async def card(self, text: str, existing: Mapping[str, ExistingCard] | None = None) -> DecidedCard:
        (card,) = await self.cards(text, existing)
        return card


def published(
    card: DecidedCard, *, edited: Mapping[str, str] | None = None, tags: tuple[str, ...] = ()
) -> ExistingCard:
    """A card as Anki has it after we wrote it, with what a person has edited there since."""
    assert card.rendered is not None
    proposed = card.decision.proposed_card
    assert proposed is not None
    anki = AnkiNote(
        id=1,
        note_type=card.rendered.note_type,
        fields=card.rendered.fields | dict(edited or {}),
        tags=(*proposed.tags, *tags),
        cards=(AnkiCard(id=10, deck=proposed.deck_name),),
    )
    return ExistingCard(anki, card.rendered.fields, proposed.tags, proposed.deck_name, card.content_key)


def fields(card: DecidedCard) -> dict[str, str]:
    assert card.decision.proposed_card is not None
    return card.decision.proposed_card.fields


def actions(cards: Sequence[DecidedCard]) -> list[str]:
    return [card.decision.action.value for card in cards]
