"""Cards: Obsidian notes become Anki cards.

The names of the pipeline can be imported from here; each is loaded on first use.
"""

from studium.core.features import lazy_names

_MODULES = {
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
__getattr__ = lazy_names(__name__, _MODULES)
