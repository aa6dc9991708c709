"""Cards: Obsidian notes become Anki cards.

The names of the pipeline can be imported from here; each is loaded when it is asked for.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "NoteContext": "studium.domain.card",
    "ProposedCard": "studium.domain.card",
    "QAReport": "studium.domain.card",
    "SchemaValidationResult": "studium.domain.card",
    "CardDiffResult": "studium.domain.card",
    "CardDecision": "studium.domain.card",
    "map_to_anki_fields": "studium.workflows.cards.making.mapping",
    "validate_anki_schema": "studium.workflows.cards.judging.schema",
    "polish_card_style": "studium.workflows.cards.making.polishing",
    "qa_check_card": "studium.workflows.cards.judging.answering",
    "compare_cards": "studium.workflows.cards.comparing",
    "create_card_graph": "studium.workflows.cards.graph",
}


def __getattr__(name: str) -> Any:
    """The name, from the module that defines it."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
