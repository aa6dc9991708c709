"""What can be asked about the machine: which real parts are there, and how the graphs look."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studium.app.doctor import PartStatus
    from studium.core.config import Settings


def check_parts(settings: "Settings") -> "list[PartStatus]":
    """Which real parts are there, and what starts or installs each of the others."""
    from studium.app.doctor import ProbeContext, run_probes

    roles = settings.roles
    named = {roles.default, *vars(roles.cards).values(), *vars(roles.questions).values(), settings.embedder} - {None}
    addresses = {name: model.base_url for name, model in settings.models.items()}
    addresses[settings.embedder] = settings.embedder_base_url
    return run_probes(
        ProbeContext(
            home=settings.home,
            database_url=settings.database_url,
            models=frozenset(name for name in named if name and ":" in name),
            embedder=settings.embedder,
            addresses=tuple((name, url) for name, url in addresses.items() if url),
        )
    )


def graph_diagrams() -> Mapping[str, str]:
    """Every workflow graph by its name, as a Mermaid picture."""
    from studium.app.graphs import graphs_to_draw

    return {name: to_mermaid(graph) for name, graph in graphs_to_draw().items()}


def to_mermaid(graph: Any) -> str:
    """A graph as a Mermaid picture."""
    picture: str = graph.get_graph().draw_mermaid()
    return picture
