"""Concepts: book quotes become atomic, linked ideas that a person has reviewed."""

from typing import TYPE_CHECKING

from studium.core.features import lazy_names

if TYPE_CHECKING:
    from studium.concepts.concept_extract import should_continue_phase1, should_continue_phase2
    from studium.concepts.domain import Concept, Content, Person, Quote, RelationType
    from studium.concepts.state import ConceptExtractionState, State

_MODULES = {
    "Concept": "studium.concepts.domain",
    "ConceptExtractionState": "studium.concepts.state",
    "Content": "studium.concepts.domain",
    "Person": "studium.concepts.domain",
    "Quote": "studium.concepts.domain",
    "RelationType": "studium.concepts.domain",
    "State": "studium.concepts.state",
    "should_continue_phase1": "studium.concepts.concept_extract",
    "should_continue_phase2": "studium.concepts.concept_extract",
}
__all__ = [
    "Concept",
    "ConceptExtractionState",
    "Content",
    "Person",
    "Quote",
    "RelationType",
    "State",
    "should_continue_phase1",
    "should_continue_phase2",
]
__getattr__ = lazy_names(__name__, _MODULES)
