"""The house: what every command works with."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from studium.bootstrap.minds import build_mind, check_roles, load_embedder
from studium.core.config import Settings
from studium.core.database import Database
from studium.core.llm.embeddings import SemanticSimilarity
from studium.core.llm.models import ModelRouter, Rule, RulesModel

if TYPE_CHECKING:
    from studium.concepts.dependencies import Embed
    from studium.core.runs.runner import Runner
    from studium.vocabulary.lexicon import SongLexicon


@dataclass(frozen=True)
class House:
    """What every command works with."""

    settings: Settings
    ledger: Database
    mind: ModelRouter
    likeness: SemanticSimilarity
    lexicon: "Callable[[], SongLexicon]"
    understanding: "Embed"

    def runner(self) -> "Runner":
        """A runner that keeps to the settings' limits."""
        from studium.core.runs.runner import Runner

        # Items that wait for nobody gain nothing from being worked on side by side, and lose time taking turns.
        concurrency = self.settings.running.concurrency if self.mind.waits else 1
        return Runner(self.ledger, concurrency, self.settings.budget)


@asynccontextmanager
async def open_house(settings: Settings) -> AsyncIterator[House]:
    """The house for these settings; every mistake in them is said before any work begins."""
    check_roles(settings)
    # Opening and closing files would hold up whatever else the event loop serves.
    ledger = await asyncio.to_thread(open_ledger, settings)
    house = await asyncio.to_thread(build_house, settings, ledger)
    try:
        yield house
    finally:
        await house.mind.aclose()
        await asyncio.to_thread(house.likeness.close)
        await asyncio.to_thread(ledger.close)


def build_house(settings: Settings, ledger: Database) -> House:
    """The house over an open ledger; whoever builds it closes it."""
    from studium.cards.rules import skill_rules as card_rules
    from studium.concepts import rules as concept_rules
    from studium.concepts.duplicate_detection.spanish_gloss import embed_with_gloss
    from studium.questions.rules import ruleset as question_rules
    from studium.tutor.rules import answers as tutor_rules
    from studium.vocabulary import rules as vocabulary_rules
    from studium.vocabulary.setup import build_lexicon

    likeness = SemanticSimilarity(lambda: load_embedder(settings, ledger))
    lexicon = cache(partial(build_lexicon, settings))
    # The embedded MiniLM knows English alone.
    english_only = settings.embedder == "minilm"
    understanding = embed_with_gloss(likeness.vectors) if english_only else likeness.vectors
    rules: dict[str, Rule] = {
        **card_rules.RULES,
        **question_rules.rules(likeness),
        **vocabulary_rules.rules(lexicon),
        **concept_rules.rules(understanding),
        **tutor_rules.RULES,
    }
    return House(settings, ledger, build_mind(settings, ledger, RulesModel(rules)), likeness, lexicon, understanding)


def open_ledger(settings: Settings) -> Database:
    """The ledger alone, for commands that only look."""
    return Database.open(settings.ledger_url)
