"""The cards faculty, as the settings want it."""

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from studium import __version__
from studium.bootstrap.house import House
from studium.core.config import Settings
from studium.core.domain.usage import Limits
from studium.workflows.cards import skills as card_skills
from studium.workflows.cards.state import CardPolicy

if TYPE_CHECKING:
    from studium.running.cards.pairing import CardSync
    from studium.running.cards.sinks import Sink
    from studium.running.cards.syncing import Radius


def card_sync(house: House, vault: Path, sink: "Sink") -> "CardSync":
    """A vault and a sink, ready to be kept in step."""
    from studium.running.cards.pairing import CardSync

    cards = house.settings.cards
    return CardSync(
        root=vault,
        to=sink.to,
        sink=sink.name,
        ledger=house.ledger,
        store=sink.store,
        mind=house.mind,
        policy=card_policy(house.settings),
        vault_name=cards.vault_name or vault.resolve().name,
        similarity=house.likeness,
        limits=Limits(calls=house.settings.agents.max_llm_calls_per_card),
    )


def card_policy(settings: Settings) -> CardPolicy:
    """How strict the card pipeline is."""
    agents = settings.agents
    return CardPolicy(
        max_mapping_retries=agents.max_mapping_retries,
        min_qa_score=agents.min_qa_score,
        allow_auto_fix=agents.allow_auto_fix,
        allow_content_updates=agents.allow_content_updates,
        bilingual=agents.bilingual.mode,
        enforce_short_front=agents.style.enforce_short_front,
        max_front_chars=agents.style.max_front_chars,
        max_back_chars=agents.style.max_back_chars,
        polish=agents.style.polish,
        card_per_section=agents.card_per_section,
        deck_prefix=settings.cards.deck_prefix,
        deck_from_folder=settings.cards.deck_from_folder,
        default_deck=settings.cards.default_deck,
    )


def card_radius(settings: Settings) -> "Radius":
    """How many cards may change unasked."""
    from studium.running.cards.syncing import Radius

    return Radius(settings.cards.max_deletions, settings.cards.max_change_percent)


def cards_stamp(settings: Settings) -> str:
    """Names the rules that notes are read by: when it changes, every note is looked at again."""
    roles = [settings.role(skill.role) for skill in card_skills.SKILLS]
    rules = settings.model_dump_json(include={"agents", "cards"})
    return sha256(f"{__version__}\n{roles}\n{rules}".encode()).hexdigest()[:16]
