"""What the tutor can look up, as it ships."""

import pytest

from studium.workflows.tutor.knowledge.knowledge import Knowledge
from studium.workflows.tutor.knowledge.shipped import shipped_passages


@pytest.fixture(scope="session")
def passages():
    return shipped_passages()


@pytest.fixture(scope="session")
def by_words(passages):
    return Knowledge(passages)
