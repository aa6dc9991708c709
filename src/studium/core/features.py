"""The features of Studium, each loaded when it is first used.

A feature describes itself in its `feature.py`: a few strings that say where its commands, routes, pages and rules are.
The shells know a feature only by that description, so using one feature imports no other.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from studium.core.jobs.job_types import JobType

_MODULES = {
    "cards": "studium.cards.feature",
    "vocabulary": "studium.vocabulary.feature",
    "questions": "studium.questions.feature",
    "concepts": "studium.concepts.feature",
    "tutor": "studium.tutor.feature",
}
"""To add a feature, add its `feature.py` here."""

_OTHER_JOBS = {"demo": "studium.app.demo:JOB_TYPES"}
"""Jobs that span features, by the prefix of their names."""


@dataclass(frozen=True)
class Ref:
    """A module, or something in it as in `studium.cards.cli:app`, that is imported when it is loaded."""

    target: str

    def load(self) -> Any:
        """Import the module and return what the reference names."""
        module, _, name = self.target.partition(":")
        found = import_module(module)
        return getattr(found, name) if name else found


@dataclass(frozen=True)
class Tile:
    """What the home page and the navigation show of a feature."""

    icon: str
    summary: str
    item: str
    """What the feature makes, in the singular: card, song, question."""
    state: str
    """What happened to the counted items: made, read, saved."""
    action: str
    """The label of the button that opens the feature."""


@dataclass(frozen=True)
class FeatureGraph:
    """A workflow graph under the name that `langgraph.json` serves it by."""

    name: str
    draw: Callable[[], Any]
    """Makes the graph for a drawing; opens nothing."""
    open: "Callable[[Any], AbstractAsyncContextManager[Any]]"
    """Makes the graph to run, with the settings of an `App`."""


@dataclass(frozen=True)
class Feature:
    """What a feature provides to the CLI, the HTTP API, the web app and assistants."""

    name: str
    """Also the prefix of its skills, roles and job types, and its address in the app."""
    summary: str
    """Its line in `studium --help`."""
    tile: Tile
    cli: Ref
    """A `typer.Typer`."""
    skills: Ref
    """A tuple of `Skill`."""
    rules: Ref
    """A function from an `App` to the rule of each skill."""
    jobs: Ref
    """A tuple of `JobType`."""
    graphs: Ref
    """A tuple of `FeatureGraph`."""
    count: Ref | None = None
    """A function from an `App` to the number of items; without it, the number that the last runs created."""
    routes: tuple[Ref, ...] = ()
    """FastAPI routers."""
    pages: tuple[Ref, ...] = ()
    """Modules that register pages when they are imported."""
    mcp: Ref | None = None
    """The `McpParts` for assistants."""
    after_review: tuple[str, str] | None = None
    """The job that an answered review starts, and the field of its request that names the reviewed item."""
    must_differ: tuple[tuple[str, str], ...] = ()
    """Pairs of roles that must have different models."""
    preload: tuple[Ref, ...] = ()
    """Modules that its jobs need and that are slow to import."""
    command: str = ""
    """The name of its command, if it is not the feature's name."""


@cache
def find_feature(name: str) -> Feature:
    """The feature with this name."""
    if name not in _MODULES:
        from studium.core.domain.errors import NotFound

        raise NotFound(f"There is no feature '{name}'.", remedy=f"The features are {', '.join(_MODULES)}.")
    feature: Feature = import_module(_MODULES[name]).FEATURE
    return feature


@cache
def all_features() -> tuple[Feature, ...]:
    """All features, in the order in which they are listed."""
    return tuple(map(find_feature, _MODULES))


def find_job_type(name: str) -> "JobType":
    """The job type with this name; only the feature that the name starts with is imported."""
    found = _job_types(name.partition(".")[0])
    if name not in found:
        from studium.core.domain.errors import NotFound

        raise NotFound(f"There is no job type '{name}'.", remedy=f"The job types are {', '.join(all_job_types())}.")
    return found[name]


@cache
def all_job_types() -> "dict[str, JobType]":
    """Every job type by name."""
    return {name: found for prefix in (*_MODULES, *_OTHER_JOBS) for name, found in _job_types(prefix).items()}


@cache
def _job_types(prefix: str) -> "dict[str, JobType]":
    if prefix in _OTHER_JOBS:
        jobs = Ref(_OTHER_JOBS[prefix])
    elif prefix in _MODULES:
        jobs = find_feature(prefix).jobs
    else:
        return {}
    return {each.name: each for each in jobs.load()}


def lazy_names(package: str, modules: dict[str, str]) -> Callable[[str], Any]:
    """A package's `__getattr__` that imports each of its names on first use from the module given for it."""

    def find(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name]), name)

    return find
