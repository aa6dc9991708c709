"""The word lists that concepts are compared by."""

from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def word_lists() -> dict[str, Any]:
    """What stands in `words.yaml`."""
    import yaml

    lists: dict[str, Any] = yaml.safe_load(files(__package__).joinpath("words.yaml").read_text(encoding="utf-8"))
    return lists
