"""The sections of studium.yaml; what stands under a field is its line in docs/configuration.md."""

from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr

from studium.domain.budget import Limits
from studium.domain.usage import Price


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


Folder = Annotated[Path, AfterValidator(_folder)]
Database = Annotated[str, AfterValidator(_database)]
ModelName = Annotated[str, AfterValidator(_provider_and_model)]
Role = Annotated[str, AfterValidator(_role)]
EmbedderName = Annotated[str, AfterValidator(_embedder)]
Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]


class Section(BaseModel):
    """A frozen part of the settings that knows no key but its own."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, hide_input_in_errors=True, protected_namespaces=()
    )


class CardRoles(Section):
    """Who answers for the cards faculty."""

    mapper: Role | None = None
    """Turns a note into a card; without it, `roles.default`."""
    qa: Role | None = None
    """Judges a card against its note; without it, `roles.default`."""


class QuestionRoles(Section):
    """Who answers for the questions faculty."""

    generator: Role | None = None
    """Asks a question about a document and answers it; without it, `roles.default`."""
    deduplicator: Role | None = None
    """Says whether two questions ask the same; without it, `roles.default`."""
    validator: Role | None = None
    """Answers the question anew and compares; without it, `roles.default`."""


class Roles(Section):
    """Who answers for each role: `rules`, or a model as `provider:model`."""

    default: Role = "rules"
    """Who answers where nothing else is said."""
    cards: CardRoles = CardRoles()
    questions: QuestionRoles = QuestionRoles()


class ModelSettings(Section):
    """How one model is reached and what it may take."""

    base_url: str | None = None
    """Address of the server; with the provider `openai`, any server that speaks its protocol."""
    api_key: SecretStr | None = None
    """The key; without it, the provider's own variable (`OPENAI_API_KEY`, …)."""
    temperature: float = Field(0.0, ge=0)
    """How freely the model chooses its words; 0 repeats best."""
    max_tokens: Count | None = None
    """The longest reply."""
    timeout: float = Field(60.0, gt=0)
    """Seconds to wait for one reply."""
    max_concurrency: Count = 8
    """How many calls may be in flight at once."""
    requests_per_minute: Count | None = None
    """How many calls may start in a minute."""
    tools: Literal["native", "text"] = "native"
    """`native` tool calls, or `text` (Thought / Action) for a model that has none."""
    structured: Literal["json_schema", "function_calling", "json_mode"] = "json_schema"
    """How the model is held to a JSON schema."""
    price: Price | None = None
    """Money per million tokens read (`input`) and written (`output`); without it the cost is shown as unknown."""
    retries: int = Field(4, ge=0)
    """How often a call is tried again after a passing fault (429, 5xx, time-out)."""


class Running(Section):
    """How a run goes through its items."""

    concurrency: Count = 8
    """How many items are worked on at once."""


class Logs(Section):
    """What is said on stderr."""

    level: Literal["debug", "info", "warning", "error"] = "warning"
    """From which level up."""
    json_lines: bool = Field(default=False, alias="json")
    """One JSON object a line instead of lines for people (`--log-json`)."""


class Tracing(Section):
    """OpenTelemetry spans; off unless asked for. LangSmith is switched on by its own LANGSMITH_* variables."""

    otel: bool = False
    """Send spans to a collector; needs `pip install 'studium[otel]'`."""
    endpoint: str | None = None
    """Address of the collector (OTLP over HTTP); without it, the OTEL_* variables or http://localhost:4318."""


class CardStyle(Section):
    """How long a card may be."""

    max_front_chars: Count = 200
    """The longest front."""
    max_back_chars: Count = 1200
    """The longest back."""


class Agents(Section):
    """How hard the cards faculty tries."""

    max_mapping_retries: int = Field(2, ge=0)
    """How often a card is made anew after a check refused it."""
    min_qa_score: Share = 0.8
    """The least score of a card that is not sent to review."""
    allow_auto_fix: bool = True
    """Make a card anew with what the judge said, before asking a person."""
    max_llm_calls_per_card: Count = 8
    """The most model calls for one card."""
    style: CardStyle = CardStyle()


class Questions(Section):
    """How far the questions faculty goes."""

    target_count: Count = 5
    """How many questions to make of a document (`--count`)."""
    max_consecutive_failures: Count = 5
    """Stop after so many refused questions in a row."""


class Settings(Section):
    """All that can be set."""

    home: Folder = Field(default_factory=lambda: platformdirs.user_data_path("studium"))
    """Where Studium keeps everything; by default the platform's data folder."""
    ledger: Database | None = Field(None, repr=False)
    """The database that remembers runs, reviews and answers; by default a SQLite file under `home`."""
    roles: Roles = Roles()
    models: dict[ModelName, ModelSettings] = {}
    """What is particular to a model, by `provider:model`."""
    embedder: EmbedderName = "minilm"
    """Who turns text into vectors: `minilm` (shipped), `none` (words only) or `provider:model`."""
    embedder_base_url: str | None = None
    """Address of the embedder's server."""
    prompts: Folder | None = None
    """A folder whose prompt files replace the shipped ones of the same name."""
    budget: Limits = Limits()
    """The most that one run may spend: model calls, tokens, money. No limit unless set."""
    running: Running = Running()
    logs: Logs = Logs()
    tracing: Tracing = Tracing()
    agents: Agents = Agents()
    questions: Questions = Questions()

    @property
    def ledger_url(self) -> str:
        """The ledger's address."""
        return self.ledger or f"sqlite:///{self.home / 'ledger.sqlite'}"

    @property
    def checkpoints_url(self) -> str:
        """Where graphs keep their checkpoints: beside a SQLite ledger, inside a PostgreSQL one."""
        scheme, _, path = self.ledger_url.partition("sqlite:///")
        return scheme or f"sqlite:///{Path(path).with_suffix('.checkpoints.sqlite')}"

    def role(self, name: str) -> str:
        """Who answers for a role: `cards.mapper`, or the default where it is not set."""
        faculty, _, step = name.partition(".")
        chosen: str | None = getattr(getattr(self.roles, faculty), step)
        return chosen or self.roles.default
