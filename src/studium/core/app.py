"""The app: what every command works with."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from studium.core.config import ModelSettings, Settings
from studium.core.database import Database
from studium.core.domain.errors import BadSettings
from studium.core.domain.ports import Embedder
from studium.core.domain.skill import Skill
from studium.core.llm.chat_model import ChatModel
from studium.core.llm.embeddings import SemanticSimilarity
from studium.core.llm.models import ModelRouter, Rule, RulesModel
from studium.core.llm.prompts import check_prompts
from studium.core.llm.providers import ModelSpec, check_spec
from studium.core.telemetry.redaction import register_secret

if TYPE_CHECKING:
    from studium.concepts.dependencies import Embed
    from studium.core.runs.runner import Runner
    from studium.vocabulary.lexicon import SongLexicon


def all_skills() -> tuple[Skill[Any], ...]:
    """The skills of every feature."""
    from studium.cards import skills as card_skills
    from studium.concepts import skills as concept_skills
    from studium.questions import skills as question_skills
    from studium.tutor import skills as tutor_skills
    from studium.vocabulary import skills as vocabulary_skills

    return (
        *card_skills.SKILLS,
        *question_skills.SKILLS,
        *vocabulary_skills.SKILLS,
        *concept_skills.SKILLS,
        *tutor_skills.SKILLS,
    )


def check_roles(settings: Settings) -> None:
    """Refuse one model in two roles that must differ; `rules` has an engine of its own for each."""
    from studium.questions import skills as question_skills

    for one, other in (question_skills.MUST_DIFFER,):
        name = settings.role(one)
        if name == settings.role(other) != "rules":
            raise BadSettings(
                f"`roles.{one}` and `roles.{other}` are both {name}: a model that checks itself confirms itself.",
                remedy=f"Set `roles.{other}` to another model, or to `rules`.",
            )


def build_model(settings: Settings, database: Database, rules: RulesModel) -> ModelRouter:
    """One model that sends each role's skills to whoever the settings name for it."""
    shipped = files("studium")
    folders = [settings.prompts, shipped] if settings.prompts else [shipped]
    skills = all_skills()
    names = {skill.role: settings.role(skill.role) for skill in skills}
    chosen = {name for name in names.values() if name != "rules"}
    if chosen:
        check_prompts(skills, folders)
    chats = {name: ChatModel(_spec(settings, name), database.turns, folders) for name in chosen}
    return ModelRouter({role: chats[name] for role, name in names.items() if name in chats}, rules)


def load_embedder(settings: Settings, database: Database) -> Embedder | None:
    """The embedder of the settings, which never embeds a text twice; None where words are to do."""
    from studium.core.llm.embeddings import CachedEmbedder, build_embedder

    chosen = settings.model(settings.embedder)
    address = settings.embedder_base_url or chosen.base_url
    embedder = build_embedder(settings.embedder, base_url=address, api_key=chosen.api_key)
    return CachedEmbedder(embedder, database.vectors) if embedder else None


def _spec(settings: Settings, name: str) -> ModelSpec:
    chosen = settings.model(name)
    if chosen.api_key:
        register_secret(chosen.api_key.get_secret_value())
    spec = ModelSpec(name=name, **{key: getattr(chosen, key) for key in ModelSettings.model_fields})
    check_spec(spec)
    if settings.budget.cost is not None and spec.cost(0, 0) is None:
        raise BadSettings(
            f"`budget.cost` is set, but the price of {name} is not known.",
            remedy=f'Set `models."{name}".price` to {{input: …, output: …}} per million tokens.',
        )
    return spec


@dataclass(frozen=True)
class App:
    """What every command works with."""

    settings: Settings
    database: Database
    model: ModelRouter
    similarity: SemanticSimilarity
    lexicon: "Callable[[], SongLexicon]"
    understanding: "Embed"

    def runner(self) -> "Runner":
        """A runner that keeps to the settings' limits."""
        from studium.core.runs.runner import Runner

        # Items that wait for nobody gain nothing from being worked on side by side, and lose time taking turns.
        concurrency = self.settings.running.concurrency if self.model.waits else 1
        return Runner(self.database, concurrency, self.settings.budget)


@asynccontextmanager
async def open_app(settings: Settings) -> AsyncIterator[App]:
    """The app for these settings; every mistake in them is said before any work begins."""
    check_roles(settings)
    # Opening and closing files would hold up whatever else the event loop serves.
    database = await asyncio.to_thread(open_database, settings)
    app = await asyncio.to_thread(build_app, settings, database)
    try:
        yield app
    finally:
        await app.model.aclose()
        await asyncio.to_thread(app.similarity.close)
        await asyncio.to_thread(database.close)


def build_app(settings: Settings, database: Database) -> App:
    """The app over an open database; whoever builds it closes it."""
    from studium.cards.rules import skill_rules as card_rules
    from studium.concepts.rules import skill_rules as concept_rules
    from studium.concepts.rules.spanish_gloss import embed_with_gloss
    from studium.questions.rules import ruleset as question_rules
    from studium.tutor.rules import answers as tutor_rules
    from studium.vocabulary import rules as vocabulary_rules
    from studium.vocabulary.setup import build_lexicon

    similarity = SemanticSimilarity(lambda: load_embedder(settings, database))
    lexicon = cache(partial(build_lexicon, settings))
    # The embedded MiniLM knows English alone.
    english_only = settings.embedder == "minilm"
    understanding = embed_with_gloss(similarity.vectors) if english_only else similarity.vectors
    rules: dict[str, Rule] = {
        **card_rules.RULES,
        **question_rules.rules(similarity),
        **vocabulary_rules.rules(lexicon),
        **concept_rules.rules(understanding),
        **tutor_rules.RULES,
    }
    return App(
        settings, database, build_model(settings, database, RulesModel(rules)), similarity, lexicon, understanding
    )


def open_database(settings: Settings) -> Database:
    """The database alone, for commands that only look."""
    return Database.open(settings.database_url)
