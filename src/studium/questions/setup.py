"""Build the parts of the question loop from the settings: policy, checkpoints, cluster, rules and graph."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from studium.core.app import App, open_app
from studium.core.config import Settings
from studium.core.features import FeatureGraph
from studium.questions.domain import GenerationPolicy
from studium.questions.skills import GENERATE, VALIDATE

if TYPE_CHECKING:
    from studium.core.llm.models import Rule
    from studium.core.runs.cluster import ClusterRunner
    from studium.core.runs.run_spec import RunSpec
    from studium.core.runs.runner import Runner
    from studium.questions.corpus import GenerationTask
    from studium.questions.run import QuestionGeneration


def question_policy(settings: Settings) -> GenerationPolicy:
    """When the question loop ends, and which models take part in it."""
    return GenerationPolicy(
        max_consecutive_failures=settings.questions.max_consecutive_failures,
        generator_model=settings.role(GENERATE.role),
        validator_model=settings.role(VALIDATE.role),
    )


def question_generation(app: App, task: "GenerationTask") -> "QuestionGeneration":
    """The generation of questions for a task, with the app's model and settings."""
    from studium.questions.run import QuestionGeneration

    return QuestionGeneration(task, app.model, question_policy(app.settings), app.similarity)


def question_checkpoints(settings: Settings) -> AbstractAsyncContextManager[Any]:
    """Open the checkpoints that hold the loop's state between its steps."""
    from studium.core.runs.checkpoints import open_checkpoints
    from studium.questions.state import CHECKPOINTED, MILESTONES

    return open_checkpoints(settings.checkpoints_url, CHECKPOINTED, MILESTONES)


def question_cluster(app: App, scheduler: str, task: "GenerationTask") -> "ClusterRunner":
    """A runner that sends the documents of a corpus to the workers of a cluster."""
    from studium.core.runs.cluster import ClusterRunner, WorkerSpec

    # Each document is sent by itself.
    worker = WorkerSpec("studium.questions.setup:questions_worker", app.settings, replace(task, documents=()))
    return ClusterRunner(scheduler, worker, app.database)


@asynccontextmanager
async def questions_worker(settings: Settings, task: "GenerationTask") -> "AsyncIterator[tuple[Runner, RunSpec]]":
    """On a cluster worker: the runner, and the run for the documents that the driver sends."""
    async with open_app(settings) as app, question_checkpoints(settings) as checkpoints:
        yield app.runner(), question_generation(app, task).run_spec(checkpoints)


def question_rules(app: App) -> "Mapping[str, Rule]":
    """The rules that answer the skills of the questions feature."""
    from studium.questions.rules.ruleset import rules

    return rules(app.similarity)


def _draw_graph() -> Any:
    from studium.core.documents.registry import DocumentCache
    from studium.core.llm.models import RulesModel
    from studium.questions.graph import create_question_graph

    return create_question_graph(RulesModel({}), DocumentCache().document, GenerationPolicy())


@asynccontextmanager
async def _open_graph(app: App) -> AsyncIterator[Any]:
    from studium.core.documents.registry import DocumentCache
    from studium.questions.graph import create_question_graph

    yield create_question_graph(app.model, DocumentCache().document, question_policy(app.settings))


GRAPHS = (FeatureGraph("questions", _draw_graph, _open_graph),)
