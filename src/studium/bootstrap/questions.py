"""The questions faculty, as the settings want it."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from studium.bootstrap.house import House, open_house
from studium.core.config import Settings
from studium.workflows.questions import skills as question_skills
from studium.workflows.questions.policy import QuestionPolicy

if TYPE_CHECKING:
    from studium.core.runs.cluster_runner import ClusterRunner
    from studium.core.runs.run_spec import RunSpec
    from studium.core.runs.runner import Runner
    from studium.running.questions.asking import Asking
    from studium.running.questions.estimate import Part
    from studium.running.questions.job import QuestionWork


def question_policy(settings: Settings) -> QuestionPolicy:
    """When the question loop ends, and who takes part in it."""
    return QuestionPolicy(
        max_consecutive_failures=settings.questions.max_consecutive_failures,
        generator_model=settings.role(question_skills.GENERATE.role),
        validator_model=settings.role(question_skills.VALIDATE.role),
    )


def question_work(house: House, asking: "Asking") -> "QuestionWork":
    """Documents, ready to be asked about."""
    from studium.running.questions.job import QuestionWork

    return QuestionWork(asking, house.mind, question_policy(house.settings), house.likeness)


def question_checkpoints(settings: Settings) -> AbstractAsyncContextManager[Any]:
    """Where the loop's state is kept between its steps."""
    from studium.core.runs.checkpoints import open_checkpoints
    from studium.workflows.questions.state import CHECKPOINTED, MILESTONES

    return open_checkpoints(settings.checkpoints_url, CHECKPOINTED, MILESTONES)


def question_cluster(house: House, scheduler: str, asking: "Asking") -> "ClusterRunner":
    """A runner that hands the documents of a corpus to the workers of a cluster."""
    from studium.core.runs.cluster_runner import ClusterRunner
    from studium.core.runs.cluster_worker import WorkerSpec

    # Each document travels by itself.
    errand = WorkerSpec("studium.bootstrap.questions:questions_errand", house.settings, replace(asking, documents=()))
    return ClusterRunner(scheduler, errand, house.ledger)


@asynccontextmanager
async def questions_errand(settings: Settings, asking: "Asking") -> "AsyncIterator[tuple[Runner, RunSpec]]":
    """On a worker: the runner and the job for the documents that the driver sends."""
    async with open_house(settings) as house, question_checkpoints(settings) as checkpoints:
        yield house.runner(), question_work(house, asking).job(checkpoints)


def question_parts(settings: Settings) -> "tuple[Part, ...]":
    """Who takes part in the question loop, for an estimate of its cost."""
    from studium.running.questions import estimate

    calls = {
        question_skills.GENERATE.role: estimate.GENERATOR_CALLS,
        question_skills.DEDUPE.role: estimate.DEDUPLICATOR_CALLS,
        question_skills.VALIDATE.role: estimate.VALIDATOR_CALLS,
    }
    named = [(settings.role(role), count) for role, count in calls.items()]
    return tuple(
        estimate.Part(name, count, settings.model(name).price if name != "rules" else None) for name, count in named
    )
