"""All kinds of orders by name."""

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
def all_kinds() -> dict[str, JobType]:
    """Every kind by name."""
    return {kind.name: kind for module in _MODULES for kind in import_module(module).KINDS}


def find_job_type(name: str) -> JobType:
    """The kind of this name."""
    if name not in all_kinds():
        raise NotFound(f"There is no kind of order '{name}'; there are {', '.join(all_kinds())}.")
    return all_kinds()[name]
