"""What can be asked about the machine: which real parts are there, and how the graphs look."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.doctor import Part


def parts(settings: "Settings") -> "list[Part]":
    """Which real parts are there, and what starts or installs each of the others."""
    from studium.doctor import Premises, examine

    roles = settings.roles
    named = {roles.default, *vars(roles.cards).values(), *vars(roles.questions).values(), settings.embedder} - {None}
    addresses = {name: model.base_url for name, model in settings.models.items()}
    addresses[settings.embedder] = settings.embedder_base_url
    return examine(
        Premises(
            home=settings.home,
            ledger_url=settings.ledger_url,
            models=frozenset(name for name in named if name and ":" in name),
            embedder=settings.embedder,
            addresses=tuple((name, url) for name, url in addresses.items() if url),
        )
    )


def pictures() -> Mapping[str, str]:
    """Every workflow graph by its name, as a Mermaid picture."""
    from studium.served import graphs

    return {name: drawn(graph) for name, graph in graphs().items()}


def drawn(graph: Any) -> str:
    """A graph as a Mermaid picture."""
    picture: str = graph.get_graph().draw_mermaid()
    return picture
