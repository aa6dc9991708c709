"""The questions feature, as the settings want it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from studium.core.app import App, open_app
from studium.core.config import Settings
from studium.core.features import FeatureGraph
from studium.questions import skills as question_skills
from studium.questions.domain import GenerationPolicy

if TYPE_CHECKING:
    from studium.core.llm.models import Rule
    from studium.core.runs.cluster_runner import ClusterRunner
    from studium.core.runs.run_spec import RunSpec
    from studium.core.runs.runner import Runner
    from studium.questions.corpus import GenerationTask
    from studium.questions.estimate import ModelCalls
    from studium.questions.run import QuestionGeneration


def question_policy(settings: Settings) -> GenerationPolicy:
    """When the question loop ends, and who takes part in it."""
    return GenerationPolicy(
        max_consecutive_failures=settings.questions.max_consecutive_failures,
        generator_model=settings.role(question_skills.GENERATE.role),
        validator_model=settings.role(question_skills.VALIDATE.role),
    )


def question_generation(app: App, asking: "GenerationTask") -> "QuestionGeneration":
    """Documents, ready to be asked about."""
    from studium.questions.run import QuestionGeneration

    return QuestionGeneration(asking, app.model, question_policy(app.settings), app.similarity)


def question_checkpoints(settings: Settings) -> AbstractAsyncContextManager[Any]:
    """Where the loop's state is kept between its steps."""
    from studium.core.runs.checkpoints import open_checkpoints
    from studium.questions.state import CHECKPOINTED, MILESTONES

    return open_checkpoints(settings.checkpoints_url, CHECKPOINTED, MILESTONES)


def question_cluster(app: App, scheduler: str, asking: "GenerationTask") -> "ClusterRunner":
    """A runner that hands the documents of a corpus to the workers of a cluster."""
    from studium.core.runs.cluster_runner import ClusterRunner
    from studium.core.runs.cluster_worker import WorkerSpec

    # Each document travels by itself.
    spec = WorkerSpec("studium.questions.setup:questions_worker", app.settings, replace(asking, documents=()))
    return ClusterRunner(scheduler, spec, app.database)


@asynccontextmanager
async def questions_worker(settings: Settings, asking: "GenerationTask") -> "AsyncIterator[tuple[Runner, RunSpec]]":
    """On a worker: the runner and the job for the documents that the driver sends."""
    async with open_app(settings) as app, question_checkpoints(settings) as checkpoints:
        yield app.runner(), question_generation(app, asking).job(checkpoints)


def question_model_calls(settings: Settings) -> "tuple[ModelCalls, ...]":
    """Who takes part in the question loop, for an estimate of its cost."""
    from studium.questions import estimate

    calls = {
        question_skills.GENERATE.role: estimate.GENERATOR_CALLS,
        question_skills.DEDUPE.role: estimate.DEDUPLICATOR_CALLS,
        question_skills.VALIDATE.role: estimate.VALIDATOR_CALLS,
    }
    named = [(settings.role(role), count) for role, count in calls.items()]
    return tuple(
        estimate.ModelCalls(name, count, settings.model(name).price if name != "rules" else None)
        for name, count in named
    )


def question_rules(app: App) -> "Mapping[str, Rule]":
    """The rules that answer the skills of the questions feature."""
    from studium.questions.rules.ruleset import rules

    return rules(app.similarity)


def _draw_graph() -> Any:
    from studium.core.documents.document_cache import DocumentCache
    from studium.core.llm.models import RulesModel
    from studium.questions.graph import create_question_graph

    return create_question_graph(RulesModel({}), DocumentCache().document, GenerationPolicy())


@asynccontextmanager
async def _open_graph(app: App) -> AsyncIterator[Any]:
    from studium.core.documents.document_cache import DocumentCache
    from studium.questions.graph import create_question_graph

    yield create_question_graph(app.model, DocumentCache().document, question_policy(app.settings))


GRAPHS = (FeatureGraph("questions", _draw_graph, _open_graph),)
