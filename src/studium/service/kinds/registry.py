"""All kinds of orders by name."""

from studium.domain.errors import NotFound
from studium.service.kinds import cards, concepts, demo, questions, tutor, vocabulary
from studium.service.kinds.kind import Kind

KINDS: dict[str, Kind] = {
    kind.name: kind for faculty in (cards, questions, vocabulary, concepts, tutor, demo) for kind in faculty.KINDS
}


def kind_named(name: str) -> Kind:
    """The kind of this name."""
    if name not in KINDS:
        raise NotFound(f"There is no kind of order '{name}'; there are {', '.join(KINDS)}.")
    return KINDS[name]
