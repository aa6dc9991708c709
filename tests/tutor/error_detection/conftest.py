"""The detector with all patterns, as every command line meets it."""

import pytest

from studium.tutor.error_detection.detector import ErrorDetector, get_default_detector


@pytest.fixture
def detector() -> ErrorDetector:
    return get_default_detector()
