"""What the tutor can look up, as it ships."""

import pytest

from studium.tutor.knowledge.passages import shipped_passages
from studium.tutor.knowledge.retriever import Knowledge


@pytest.fixture(scope="session")
def passages():
    return shipped_passages()


@pytest.fixture(scope="session")
def by_words(passages):
    return Knowledge(passages)
