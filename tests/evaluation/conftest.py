"""Small sets of our own, in the form that the evaluation reads."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from evaluation.material import Material

Write = Callable[[str, Any], Path]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Holds one folder a feature."""
    place = tmp_path / "sets"
    place.mkdir()
    return place


@pytest.fixture
def write(folder: Path) -> Write:
    """Puts text, or a value as JSON, into a file of the sets."""

    def put(name: str, content: Any) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return put


@pytest.fixture
def material(folder: Path, tmp_path: Path) -> Callable[..., Material]:
    """What a scorer of a feature is given."""

    def given(feature: str, **more: Any) -> Material:
        return Material(folder / feature, tmp_path / "evaluation", tmp_path / "answers.md", **more)

    return given
