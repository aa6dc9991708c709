"""The sections of studium.yaml; what stands under a field is its line in docs/configuration.md."""

from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import Field, SecretStr

from studium.core.config.fields import (
    PROVIDERS,
    Count,
    Database,
    EmbedderName,
    Folder,
    ModelName,
    Role,
    SettingsSection,
    Share,
)
from studium.core.domain.usage import Limits, Price


class CardRoles(SettingsSection):
    """Who answers for the cards feature."""

    mapper: Role | None = None
    """Turns a note into a card; without it, `roles.default`."""
    qa: Role | None = None
    """Judges a card against its note; without it, `roles.default`."""
    style: Role | None = None
    """Polishes a card, if `agents.style.polish` is on; without it, `roles.default`."""


class QuestionRoles(SettingsSection):
    """Who answers for the questions feature."""

    generator: Role | None = None
    """Asks a question about a document and answers it; without it, `roles.default`."""
    deduplicator: Role | None = None
    """Says whether two questions ask the same; without it, `roles.default`."""
    validator: Role | None = None
    """Answers the question anew and compares; without it, `roles.default`."""


class VocabularyRoles(SettingsSection):
    """Who answers for the vocabulary feature."""

    agent: Role | None = None
    """Finds the lyrics and chooses the words; without it, `roles.default`."""
    extractor: Role | None = None
    """Finds words in lyrics; without it, `roles.default`."""


class ConceptRoles(SettingsSection):
    """Who answers for the concepts feature."""

    summarizer: Role | None = None
    """Summarises books and tells who wrote them; without it, `roles.default`."""
    extractor: Role | None = None
    """Draws concepts from quotes, and mends what the critic names; without it, `roles.default`."""
    judge: Role | None = None
    """Says whether two concepts are the same; without it, `roles.default`."""
    searcher: Role | None = None
    """Makes texts to search related concepts by; without it, `roles.default`."""
    relator: Role | None = None
    """Says how two concepts relate; without it, `roles.default`."""
    critic: Role | None = None
    """Answers the six points of the checklist; without it, `roles.default`."""
    editor: Role | None = None
    """Puts what you say in a review into practice; without it, `roles.default`."""


class TutorRoles(SettingsSection):
    """Who answers for the tutor."""

    teacher: Role | None = None
    """Explains how things are; without it, `roles.default`."""
    troubleshooter: Role | None = None
    """Looks at the devices and says what is wrong; without it, `roles.default`."""
    editor: Role | None = None
    """Says it plainly; without it, `roles.default`."""


class Roles(SettingsSection):
    """Who answers for each role: `rules`, or a model as `provider:model`."""

    default: Role = "rules"
    """Who answers where nothing else is said."""
    cards: CardRoles = CardRoles()
    questions: QuestionRoles = QuestionRoles()
    vocabulary: VocabularyRoles = VocabularyRoles()
    concepts: ConceptRoles = ConceptRoles()
    tutor: TutorRoles = TutorRoles()


class ModelSettings(SettingsSection):
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


class RunSettings(SettingsSection):
    """How a run goes through its items."""

    concurrency: Count = 8
    """How many items are worked on at once."""


class LogSettings(SettingsSection):
    """What is said on stderr."""

    level: Literal["debug", "info", "warning", "error"] = "warning"
    """From which level up."""
    json_lines: bool = Field(default=False, alias="json")
    """One JSON object a line instead of lines for people (`--log-json`)."""


class TracingSettings(SettingsSection):
    """OpenTelemetry spans; off unless asked for. LangSmith is switched on by its own LANGSMITH_* variables."""

    otel: bool = False
    """Send spans to a collector; needs `pip install 'studium[otel]'`."""
    endpoint: str | None = None
    """Address of the collector (OTLP over HTTP); without it, the OTEL_* variables or http://localhost:4318."""


class AgentModelSettings(SettingsSection):
    """The model of the cards feature, where `roles.cards` says nothing else."""

    name: str | None = None
    """`provider:model`, or the name of an Ollama model; without it, `roles.default`."""
    temperature: float = Field(0.2, ge=0)
    """How freely it chooses its words."""
    max_tokens: Count = 1024
    """The longest reply."""


class BilingualSettings(SettingsSection):
    """What becomes of a question that a note holds in two languages."""

    mode: Literal["front_back", "separate_cards"] = "front_back"
    """Both languages on one card, or a card for each."""


class CardStyleSettings(SettingsSection):
    """How long a card may be, and whether it is polished."""

    enforce_short_front: bool = True
    """Move what does not belong to the question from an overlong front to Extra."""
    max_front_chars: Count = 200
    """The longest front."""
    max_back_chars: Count = 1200
    """The longest back; the whole answer then stands in Extra."""
    polish: bool = False
    """Let the style role go over each card."""


class AgentSettings(SettingsSection):
    """How the cards feature makes and judges cards."""

    enabled: bool = True
    """Let models take part, where roles name them; off, the rules do everything."""
    provider: Literal["langchain"] = "langchain"
    """By what models are reached."""
    max_mapping_retries: int = Field(2, ge=0)
    """How often a card is made anew after a check refused it."""
    min_qa_score: Share = 0.8
    """The least score of a card that is not sent to review."""
    allow_auto_fix: bool = True
    """Make a card anew with what the judge said, before asking a person."""
    allow_content_updates: bool = True
    """Update a card whose content changed in the note; off, ask a person."""
    max_llm_calls_per_card: Count = 8
    """The most model calls for one card."""
    card_per_section: bool = False
    """A card for each section of a long answer, where sections carry their own point."""
    model: AgentModelSettings = AgentModelSettings()
    bilingual: BilingualSettings = BilingualSettings()
    style: CardStyleSettings = CardStyleSettings()

    @property
    def model_name(self) -> str | None:
        """The model as `provider:model`; a bare name is an Ollama model's."""
        name = self.model.name
        if name is None or name == "rules" or name.partition(":")[0] in PROVIDERS:
            return name
        return f"ollama:{name}"


class CardSettings(SettingsSection):
    """How notes and Anki are kept in step."""

    vault: Folder | None = None
    """The vault that `obsidian-anki-sync` works on when none is named."""
    vault_name: str | None = None
    """The name by which Obsidian knows the vault, for links back; without it, the folder's name."""
    default_deck: str = "Studium"
    """The deck of cards whose note names none."""
    deck_prefix: str = ""
    """What every deck's name begins with, as in `Obsidian`."""
    deck_from_folder: bool = True
    """Name the deck after the note's folder."""
    ignore: tuple[str, ...] = ("templates/*", "*.excalidraw.md")
    """Notes to leave alone, as patterns over their path in the vault."""
    markers: Literal["none", "comment", "block_id", "frontmatter"] = "none"
    """Write our id into the note: not at all, as `<!--studium:…-->`, as a block id `^st-…`, or under `anki_cards`."""
    anki_address: str = "http://127.0.0.1:8765"
    """Where AnkiConnect answers."""
    anki_key: SecretStr | None = None
    """AnkiConnect's API key, if it wants one."""
    max_deletions: int = Field(20, ge=0)
    """Ask before more cards than this are suspended because their source is gone."""
    max_change_percent: Annotated[int, Field(ge=1, le=100)] = 50
    """Ask before more than this share of the known cards is changed in one run."""


class QuestionSettings(SettingsSection):
    """How far the questions feature goes."""

    target_count: Count = 5
    """How many questions to make of a document (`--count`)."""
    max_consecutive_failures: Count = 5
    """Stop after so many refused questions in a row."""


class VocabularySettings(SettingsSection):
    """Where songs are looked for, and what is kept of them."""

    language: Literal["ja", "de"] = "ja"
    """The language that is learnt: Japanese, or German."""
    online: bool = False
    """Look for the lyrics of a song on the network (`--online`)."""
    keep_lyrics: bool = False
    """Keep lyrics in the database beside the words; they are somebody's work."""
    timeout: float = Field(10.0, gt=0)
    """Seconds to look for the lyrics of one song."""
    freedict: Path = Path("/usr/share/dictd")
    """The folder of the German dictionary (Debian's `dict-freedict-deu-eng`)."""


class Neo4jSettings(SettingsSection):
    """A Neo4j 5 server to keep the concept graph on."""

    uri: str | None = None
    """Its address, as in `neo4j://localhost:7687`; without it, concepts are kept in a SQLite file under `home`."""
    user: str = "neo4j"
    """Who we are to it."""
    password: SecretStr | None = None
    """The password; without it, the server is asked without one."""
    database: str = "neo4j"
    """Which of its databases."""
    dimensions: Count = 1024
    """How long the vectors of its indexes are: as long as those of `embedder` (`minilm`: 384)."""


class ConceptSettings(SettingsSection):
    """Where concepts are kept, and how they are found and written down."""

    neo4j: Neo4jSettings = Neo4jSettings()
    vault: Folder | None = None
    """The folder (of an Obsidian vault) that approved concepts are written to; without it, none are."""
    language: Literal["es", "en", "fr", "de", "it", "pt"] = "es"
    """The language of the headings in these notes."""
    cards: bool = False
    """Let each note hold a question that the cards feature makes a card of."""
    online: bool = False
    """Ask Wikipedia who an author is."""
    encyclopedia: str = "https://{language}.wikipedia.org"
    """Where that is asked."""
    threshold: Share = 0.4
    """From which cosine on two concepts are compared; 0.4 is what Neo4j counts as 0.7."""


class SshDeviceSettings(SettingsSection):
    """A device of yours that is reached over SSH."""

    host: str
    """Its address."""
    port: Annotated[int, Field(ge=1, le=65535)] = 22
    """The port it listens on."""
    user: str
    """Who you are to it."""
    password: SecretStr | None = None
    """The password; without it, `key`."""
    key: Folder | None = None
    """A file with a private key."""
    platform: Literal["ios", "frr"] = "ios"
    """What it speaks."""


class TutorSettings(SettingsSection):
    """Where labs are, and how the tutor answers."""

    labs: Folder | None = None
    """A folder with labs of your own, one folder each; beside those that are shipped."""
    patterns: Folder | None = None
    """A folder with error patterns of your own, as JSON; beside those that are shipped."""
    reasoning: bool = False
    """Let a model think at length before it answers (`detailed thinking on`)."""
    devices: dict[str, SshDeviceSettings] = Field(default_factory=dict)
    """Devices of yours over SSH, by the names that the lab gives them; they stand in for routers on this machine."""


class ServeSettings(SettingsSection):
    """Where the web app and the HTTP API are served, and what may be reached through them."""

    host: str = "127.0.0.1"
    """The address to listen on (`--host`); on any but this machine's own, a `token` is required."""
    port: Annotated[int, Field(ge=1, le=65535)] = 8000
    """The port to listen on (`--port`)."""
    token: SecretStr | None = None
    """What whoever asks must know; without it, everyone on this machine may ask."""
    names: tuple[str, ...] = ()
    """Further names and addresses by which it may be asked for, as in `studium.example.org`."""
    roots: tuple[Folder, ...] = ()
    """Folders whose files may be named over HTTP (`--root`), beside the vaults and labs of these settings."""
    max_upload: Count = 200
    """The largest file that may be brought, in MB."""
    max_uploads: Count = 5000
    """What all files together may take that were brought and are still kept, in MB."""
    assistants_may_write: bool = False
    """Let assistants (`studium mcp`) write to Anki, vaults and routers, as you can."""
    samples: bool = True
    """Fill an app in which nothing was ever done with samples when the app first starts; they can be removed."""


class Settings(SettingsSection):
    """All that can be set."""

    home: Folder = Field(default_factory=lambda: platformdirs.user_data_path("studium"))
    """Where Studium keeps everything; by default the platform's data folder."""
    database: Database | None = Field(None, repr=False)
    """The database that remembers runs, reviews and answers; by default a SQLite file under `home`."""
    roles: Roles = Roles()
    models: dict[ModelName, ModelSettings] = Field(default_factory=dict)
    """What is particular to a model, by `provider:model`."""
    embedder: EmbedderName = "minilm"
    """Who turns text into vectors: `minilm` (shipped), `none` (words only) or `provider:model`."""
    embedder_base_url: str | None = None
    """Address of the embedder's server."""
    prompts: Folder | None = None
    """A folder whose prompt files replace the shipped ones of the same name."""
    budget: Limits = Limits()
    """The most that one run may spend: model calls, tokens, money. No limit unless set."""
    running: RunSettings = RunSettings()
    logs: LogSettings = LogSettings()
    tracing: TracingSettings = TracingSettings()
    agents: AgentSettings = AgentSettings()
    cards: CardSettings = CardSettings()
    questions: QuestionSettings = QuestionSettings()
    vocabulary: VocabularySettings = VocabularySettings()
    concepts: ConceptSettings = ConceptSettings()
    tutor: TutorSettings = TutorSettings()
    serve: ServeSettings = ServeSettings()

    @property
    def database_url(self) -> str:
        """The database's address."""
        # A home from before the file had this name keeps the one it has.
        earlier = self.home / "ledger.sqlite"
        return self.database or f"sqlite:///{earlier if earlier.exists() else self.home / 'database.sqlite'}"

    @property
    def checkpoints_url(self) -> str:
        """Where graphs keep their checkpoints: beside a SQLite database, inside a PostgreSQL one."""
        scheme, _, path = self.database_url.partition("sqlite:///")
        return scheme or f"sqlite:///{Path(path).with_suffix('.checkpoints.sqlite')}"

    def role(self, name: str) -> str:
        """Who answers for a role: `cards.mapper`, or the default where it is not set."""
        feature, _, step = name.partition(".")
        chosen: str | None = getattr(getattr(self.roles, feature), step)
        if feature == "cards":
            chosen = (chosen or self.agents.model_name) if self.agents.enabled else "rules"
        return chosen or self.roles.default

    def model(self, name: str) -> ModelSettings:
        """How a model is reached; what `agents.model` says holds for the model that it names."""
        chosen = self.models.get(name, ModelSettings())
        if name != self.agents.model_name or name in self.models:
            return chosen
        own = self.agents.model
        return chosen.model_copy(update={"temperature": own.temperature, "max_tokens": own.max_tokens})
