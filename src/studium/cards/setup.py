"""Builds what cards needs from the settings: the context of a sync, the policy, the rules and the graph."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium import __version__
from studium.cards import skills as card_skills
from studium.cards.state import CardPolicy, RenderCard
from studium.core.app import App
from studium.core.config import Settings
from studium.core.domain.usage import Limits
from studium.core.features import FeatureGraph

if TYPE_CHECKING:
    from studium.anki.destination import Destination
    from studium.cards.sync.changes import ChangeLimit
    from studium.cards.sync.scan import SyncContext
    from studium.core.llm.models import Rule


def sync_context(app: App, vault: Path, destination: "Destination") -> "SyncContext":
    """Everything a sync of this vault with this destination needs."""
    from studium.cards.sync.scan import SyncContext

    cards = app.settings.cards
    return SyncContext(
        root=vault,
        address=destination.address,
        destination=destination.name,
        database=app.database,
        store=destination.store,
        model=app.model,
        policy=card_policy(app.settings),
        vault_name=cards.vault_name or vault.resolve().name,
        similarity=app.similarity,
        limits=Limits(calls=app.settings.agents.max_llm_calls_per_card),
    )


def card_policy(settings: Settings) -> CardPolicy:
    """The policy of the card pipeline, from the settings."""
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


def change_limit(settings: Settings) -> "ChangeLimit":
    """How many cards one sync may change, from the settings."""
    from studium.cards.sync.changes import ChangeLimit

    return ChangeLimit(settings.cards.max_deletions, settings.cards.max_change_percent)


def settings_fingerprint(settings: Settings) -> str:
    """A hash of the version and settings that decide about cards; when it changes, every note is read again."""
    roles = [settings.role(skill.role) for skill in card_skills.SKILLS]
    rules = settings.model_dump_json(include={"agents", "cards"})
    return sha256(f"{__version__}\n{roles}\n{rules}".encode()).hexdigest()[:16]


def card_rules(_app: App) -> "Mapping[str, Rule]":
    """The rules that answer the skills of the cards feature."""
    from studium.cards.rules.skill_rules import RULES

    return RULES


def _draw_graph() -> Any:
    from studium.cards.graph import create_card_graph
    from studium.core.documents.registry import DocumentCache
    from studium.core.llm.models import RulesModel

    return create_card_graph(RulesModel({}), DocumentCache().document, CardPolicy(), render=_render_outside_vault())


@asynccontextmanager
async def _open_graph(app: App) -> AsyncIterator[Any]:
    from studium.cards.graph import create_card_graph
    from studium.core.documents.registry import DocumentCache

    policy = card_policy(app.settings)
    yield create_card_graph(app.model, DocumentCache().document, policy, render=_render_outside_vault())


def _render_outside_vault() -> RenderCard:
    """Renders a card outside any vault: its links and pictures lead nowhere."""
    from studium.cards.rendering import CardRenderer
    from studium.core.documents.vault import Vault

    renderer = CardRenderer(Vault(Path(), "", ()))
    return lambda card, note, heading, card_id: renderer.render(card, note_path=note, heading=heading, card_id=card_id)


GRAPHS = (FeatureGraph("cards", _draw_graph, _open_graph),)
