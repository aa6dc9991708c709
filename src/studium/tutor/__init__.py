"""Tutor: networking labs on real routers, explained and diagnosed."""

from typing import TYPE_CHECKING

from studium.core.features import lazy_names

if TYPE_CHECKING:
    from studium.tutor.error_detection.base import BaseErrorPattern, FuzzyErrorPattern
    from studium.tutor.error_detection.detector import ErrorDetector, get_default_detector
    from studium.tutor.error_detection.registry import PatternRegistry
    from studium.tutor.state import TutoringState
    from studium.tutor.tutor import NetworkingLabTutor, create_tutoring_graph

_MODULES = {
    "BaseErrorPattern": "studium.tutor.error_detection.base",
    "FuzzyErrorPattern": "studium.tutor.error_detection.base",
    "ErrorDetector": "studium.tutor.error_detection.detector",
    "get_default_detector": "studium.tutor.error_detection.detector",
    "PatternRegistry": "studium.tutor.error_detection.registry",
    "TutoringState": "studium.tutor.state",
    "NetworkingLabTutor": "studium.tutor.tutor",
    "create_tutoring_graph": "studium.tutor.tutor",
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
__getattr__ = lazy_names(__name__, _MODULES)
