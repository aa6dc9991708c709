"""All kinds of orders by name."""

from functools import cache
from importlib import import_module

from studium.core.domain.errors import NotFound
from studium.service.kinds.kind import Kind

_MODULES = (
    "studium.cards.jobs",
    "studium.questions.jobs",
    "studium.vocabulary.jobs",
    "studium.concepts.jobs",
    "studium.tutor.jobs",
    "studium.service.kinds.demo",
)


@cache
def all_kinds() -> dict[str, Kind]:
    """Every kind by name."""
    return {kind.name: kind for module in _MODULES for kind in import_module(module).KINDS}


def kind_named(name: str) -> Kind:
    """The kind of this name."""
    if name not in all_kinds():
        raise NotFound(f"There is no kind of order '{name}'; there are {', '.join(all_kinds())}.")
    return all_kinds()[name]
