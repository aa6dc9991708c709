"""Every type of job by name."""

from functools import cache
from importlib import import_module

from studium.core.domain.errors import NotFound
from studium.core.jobs.job_types import JobType

_MODULES = (
    "studium.cards.jobs",
    "studium.questions.jobs",
    "studium.vocabulary.jobs",
    "studium.concepts.jobs",
    "studium.tutor.jobs",
    "studium.app.demo",
)


@cache
def all_job_types() -> dict[str, JobType]:
    """Every type of job by name."""
    return {each.name: each for module in _MODULES for each in import_module(module).JOB_TYPES}


def find_job_type(name: str) -> JobType:
    """The type of job with this name."""
    if name not in all_job_types():
        raise NotFound(f"There is no type of job '{name}'; there are {', '.join(all_job_types())}.")
    return all_job_types()[name]
