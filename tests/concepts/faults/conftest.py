"""A small book, and the command line with a home and a vault of its own."""

import pytest
from tests.concepts.faults.workspace import Workspace


@pytest.fixture
def workspace(tmp_path):
    """Studium with a small book that is not imported yet."""
    return Workspace.in_folder(tmp_path)
