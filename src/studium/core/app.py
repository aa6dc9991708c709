"""The app: settings, database and model, which every command needs."""

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from studium.core.config import ModelSettings, Settings
from studium.core.database import Database
from studium.core.domain.errors import BadSettings
from studium.core.domain.ports import Embedder
from studium.core.features import all_features, find_feature
from studium.core.files import secure_home
from studium.core.llm.embeddings import SemanticSimilarity
from studium.core.llm.models import ModelRouter, Rule, RulesModel
from studium.core.process_limits import ReadLimits
from studium.core.reader_process import use_limits
from studium.core.redaction import register_secret

if TYPE_CHECKING:
    from studium.core.llm.providers import ModelSpec
    from studium.core.runs.runner import Runner

Value = TypeVar("Value")


@dataclass(frozen=True)
class App:
    """Settings, database and model."""

    settings: Settings
    database: Database
    model: ModelRouter
    similarity: SemanticSimilarity
    _values: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    _locks: dict[Hashable, RLock] = field(default_factory=dict, repr=False)

    def once(self, build: "Callable[[App], Value]") -> Value:
        """The result of `build` for this app: built on the first call, cached, and closed with the app."""
        with self._locks.setdefault(build, RLock()):
            if build not in self._values:
                self._values[build] = build(self)
            value: Value = self._values[build]
            return value

    def runner(self) -> "Runner":
        """A runner with the limits of the settings."""
        from studium.core.runs.runner import Runner

        # Rules only compute: working on several items at once would cost time and gain nothing.
        concurrency = self.settings.running.concurrency if self.model.uses_network else 1
        return Runner(self.database, concurrency, self.settings.budget)

    def close(self) -> None:
        """Close everything but the model, whose connections belong to the event loop."""
        for value in self._values.values():
            if callable(close := getattr(value, "close", None)):
                close()
        self.similarity.close()
        self.database.close()


@asynccontextmanager
async def open_app(settings: Settings) -> AsyncIterator[App]:
    """The app for these settings; a mistake in them is reported before any work starts."""
    check_roles(settings)
    use_limits(ReadLimits.of(settings.limits))
    # Opening and closing files would block the event loop.
    database = await asyncio.to_thread(open_database, settings)
    app = await asyncio.to_thread(build_app, settings, database)
    try:
        yield app
    finally:
        await app.model.aclose()
        await asyncio.to_thread(app.close)


def build_app(settings: Settings, database: Database) -> App:
    """The app over an open database; the caller closes both."""
    similarity = SemanticSimilarity(lambda: load_embedder(settings, database))

    def load_rules(feature: str) -> Mapping[str, Rule]:
        rules: Mapping[str, Rule] = find_feature(feature).rules.load()(app)
        return rules

    app = App(settings, database, build_model(settings, database, RulesModel(load_rules)), similarity)
    return app


def open_database(settings: Settings) -> Database:
    """The database alone, for commands that only read."""
    secure_home(settings.home)
    return Database.open(settings.database_url)


def check_roles(settings: Settings) -> None:
    """Refuse one model in two roles that must differ; `rules` may play both."""
    for one, other in (pair for feature in all_features() for pair in feature.must_differ):
        name = settings.role(one)
        if name == settings.role(other) != "rules":
            raise BadSettings(
                f"`roles.{one}` and `roles.{other}` are both {name}: a model that checks itself confirms itself.",
                remedy=f"Set `roles.{other}` to another model, or to `rules`.",
            )


def build_model(settings: Settings, database: Database, rules: RulesModel) -> ModelRouter:
    """One model that sends each skill to the model that the settings name for its role."""
    chosen = {role: name for role in _roles(settings) if (name := settings.role(role)) != "rules"}
    if not chosen:
        return ModelRouter({}, rules)
    from studium.core.llm.chat_model import ChatModel
    from studium.core.llm.prompts import check_prompts

    shipped = files("studium")
    folders = [settings.prompts, shipped] if settings.prompts else [shipped]
    features = {role.partition(".")[0] for role in chosen}
    check_prompts([skill for name in sorted(features) for skill in find_feature(name).skills.load()], folders)
    chats = {name: ChatModel(_spec(settings, name), database.turns, folders) for name in set(chosen.values())}
    return ModelRouter({role: chats[name] for role, name in chosen.items()}, rules)


def _roles(settings: Settings) -> list[str]:
    """The names of all roles, as in `cards.mapper`."""
    roles = settings.roles
    return [f"{feature.name}.{step}" for feature in all_features() for step in vars(getattr(roles, feature.name))]


def load_embedder(settings: Settings, database: Database) -> Embedder | None:
    """The embedder of the settings, with a cache; None if the settings name none."""
    from studium.core.llm.embeddings import CachedEmbedder, build_embedder

    chosen = settings.model(settings.embedder)
    address = settings.embedder_base_url or chosen.base_url
    embedder = build_embedder(settings.embedder, base_url=address, api_key=chosen.api_key)
    return CachedEmbedder(embedder, database.vectors) if embedder else None


def _spec(settings: Settings, name: str) -> "ModelSpec":
    from studium.core.llm.providers import ModelSpec, check_spec

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
