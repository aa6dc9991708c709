"""The base of settings sections, and the types of their values."""

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def _folder(path: Path) -> Path:
    return path.expanduser().absolute()


def _database(url: str) -> str:
    if url.startswith(("sqlite:///", "postgresql://", "postgresql+psycopg://")):
        return url
    raise ValueError("should be sqlite:///PATH or postgresql://USER@HOST/DATABASE")


def _provider_and_model(name: str) -> str:
    provider, colon, model = name.partition(":")
    if provider and colon and model:
        return name
    raise ValueError("should be written provider:model, as in `ollama:qwen3:14b`")


def _role(name: str) -> str:
    return name if name == "rules" else _provider_and_model(name)


def _embedder(name: str) -> str:
    return name if name in {"minilm", "none"} else _provider_and_model(name)


PROVIDERS = ("ollama", "openai", "google_genai", "anthropic")

Folder = Annotated[Path, AfterValidator(_folder)]
Database = Annotated[str, AfterValidator(_database)]
ModelName = Annotated[str, AfterValidator(_provider_and_model)]
Role = Annotated[str, AfterValidator(_role)]
EmbedderName = Annotated[str, AfterValidator(_embedder)]
Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]


class SettingsSection(BaseModel):
    """A frozen section of the settings; unknown keys are refused."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, hide_input_in_errors=True, protected_namespaces=()
    )
