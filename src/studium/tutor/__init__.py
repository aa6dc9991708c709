"""Tutor: networking labs on real routers, explained and diagnosed."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studium.tutor.error_detection.base import BaseErrorPattern, FuzzyErrorPattern
    from studium.tutor.error_detection.detector import ErrorDetector, get_default_detector
    from studium.tutor.error_detection.registry import PatternRegistry
    from studium.tutor.state import TutoringState
    from studium.tutor.tutor import NetworkingLabTutor, create_tutoring_graph

_PLACES = {
    "BaseErrorPattern": "error_detection.base",
    "FuzzyErrorPattern": "error_detection.base",
    "ErrorDetector": "error_detection.detector",
    "get_default_detector": "error_detection.detector",
    "PatternRegistry": "error_detection.registry",
    "TutoringState": "state",
    "NetworkingLabTutor": "tutor",
    "create_tutoring_graph": "tutor",
}
__all__ = [
    "BaseErrorPattern",
    "ErrorDetector",
    "FuzzyErrorPattern",
    "NetworkingLabTutor",
    "PatternRegistry",
    "TutoringState",
    "create_tutoring_graph",
    "get_default_detector",
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use, so that the detector alone does not import the graph."""
    from importlib import import_module

    if name not in _PLACES:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
