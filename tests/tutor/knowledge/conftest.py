"""What the tutor can look up, as it ships."""

import pytest

from studium.tutor.knowledge import Knowledge, shipped_passages


@pytest.fixture(scope="session")
def passages():
    return shipped_passages()


@pytest.fixture(scope="session")
def by_words(passages):
    return Knowledge(passages)
