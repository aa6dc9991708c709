"""Cards: Obsidian notes become Anki cards.

The names of the pipeline can be imported from here; each is loaded when it is asked for.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "NoteContext": "studium.cards.models",
    "ProposedCard": "studium.cards.models",
    "QAReport": "studium.cards.models",
    "SchemaValidationResult": "studium.cards.models",
    "CardDiffResult": "studium.cards.models",
    "CardDecision": "studium.cards.models",
    "map_to_anki_fields": "studium.cards.rules.mapping",
    "validate_anki_schema": "studium.cards.assemble",
    "polish_card_style": "studium.cards.rules.skill_rules",
    "qa_check_card": "studium.cards.rules.skill_rules",
    "compare_cards": "studium.cards.steps",
    "create_card_graph": "studium.cards.graph",
}


def __getattr__(name: str) -> Any:
    """The name, from the module that defines it."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
