"""Who answers: the minds and the embedder that the settings name."""

from importlib.resources import files
from typing import Any

from studium.core.config import ModelSettings, Settings
from studium.core.database import Database
from studium.core.domain.errors import BadSettings
from studium.core.domain.ports import Embedder
from studium.core.domain.skill import Skill
from studium.core.llm.chat_model import ChatModel
from studium.core.llm.models import ModelRouter, RulesModel
from studium.core.llm.prompts import check_prompts
from studium.core.llm.providers import ModelSpec, check_spec
from studium.core.telemetry.redaction import register_secret


def all_skills() -> tuple[Skill[Any], ...]:
    """The skills of every faculty."""
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


def build_mind(settings: Settings, ledger: Database, rules: RulesModel) -> ModelRouter:
    """One mind that sends each role's skills to whoever the settings name for it."""
    shipped = files("studium") / "prompts"
    folders = [settings.prompts, shipped] if settings.prompts else [shipped]
    skills = all_skills()
    names = {skill.role: settings.role(skill.role) for skill in skills}
    chosen = {name for name in names.values() if name != "rules"}
    if chosen:
        check_prompts(skills, folders)
    chats = {name: ChatModel(_spec(settings, name), ledger.turns, folders) for name in chosen}
    return ModelRouter({role: chats[name] for role, name in names.items() if name in chats}, rules)


def load_embedder(settings: Settings, ledger: Database) -> Embedder | None:
    """The embedder of the settings, which never embeds a text twice; None where words are to do."""
    from studium.core.llm.embeddings import CachedEmbedder, build_embedder

    chosen = settings.model(settings.embedder)
    address = settings.embedder_base_url or chosen.base_url
    embedder = build_embedder(settings.embedder, base_url=address, api_key=chosen.api_key)
    return CachedEmbedder(embedder, ledger.vectors) if embedder else None


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
