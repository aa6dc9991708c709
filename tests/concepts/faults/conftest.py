"""A small book, the command line with a home and a vault of its own, and all that can be seen of them afterwards."""

import pytest
from tests.concepts.faults.household import Household


@pytest.fixture
def household(tmp_path):
    """Studium with the small book in reach, and nothing read yet."""
    return Household.in_folder(tmp_path)
