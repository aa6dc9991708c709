"""The pipeline of a test: rules and our own note types, unless the test says otherwise."""

import pytest
from tests.cards.pipeline import Pipeline


@pytest.fixture
def pipeline(tmp_path):
    return Pipeline(tmp_path)
