"""The sections of studium.yaml; the text below a field is its line in docs/configuration.md."""

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
    """The models of the cards feature."""

    mapper: Role | None = None
    """Turns a note into a card; without it, `roles.default`."""
    qa: Role | None = None
    """Judges a card against its note; without it, `roles.default`."""
    style: Role | None = None
    """Polishes a card, if `agents.style.polish` is on; without it, `roles.default`."""


class QuestionRoles(SettingsSection):
    """The models of the questions feature."""

    generator: Role | None = None
    """Asks a question about a document and answers it; without it, `roles.default`."""
    deduplicator: Role | None = None
    """Says whether two questions ask the same; without it, `roles.default`."""
    validator: Role | None = None
    """Answers the question independently and compares; without it, `roles.default`."""


class VocabularyRoles(SettingsSection):
    """The models of the vocabulary feature."""

    agent: Role | None = None
    """Finds the lyrics and chooses the words; without it, `roles.default`."""
    extractor: Role | None = None
    """Finds words in lyrics; without it, `roles.default`."""


class ConceptRoles(SettingsSection):
    """The models of the concepts feature."""

    summarizer: Role | None = None
    """Summarises books and their authors; without it, `roles.default`."""
    extractor: Role | None = None
    """Extracts concepts from quotes, and fixes what the critic finds; without it, `roles.default`."""
    judge: Role | None = None
    """Says whether two concepts are the same; without it, `roles.default`."""
    searcher: Role | None = None
    """Writes search texts for related concepts; without it, `roles.default`."""
    relator: Role | None = None
    """Says how two concepts relate; without it, `roles.default`."""
    critic: Role | None = None
    """Answers the six points of the checklist; without it, `roles.default`."""
    editor: Role | None = None
    """Applies what you say in a review; without it, `roles.default`."""


class TutorRoles(SettingsSection):
    """The models of the tutor."""

    teacher: Role | None = None
    """Explains concepts and commands; without it, `roles.default`."""
    troubleshooter: Role | None = None
    """Inspects the devices and says what is wrong; without it, `roles.default`."""
    editor: Role | None = None
    """Rewrites the answer plainly; without it, `roles.default`."""


class Roles(SettingsSection):
    """The model of each role: `rules`, or `provider:model`."""

    default: Role = "rules"
    """The model of every role without one."""
    cards: CardRoles = CardRoles()
    questions: QuestionRoles = QuestionRoles()
    vocabulary: VocabularyRoles = VocabularyRoles()
    concepts: ConceptRoles = ConceptRoles()
    tutor: TutorRoles = TutorRoles()


class ModelSettings(SettingsSection):
    """How a model is called, and its limits."""

    base_url: str | None = None
    """Address of the server; with the provider `openai`, any compatible server."""
    api_key: SecretStr | None = None
    """The key; without it, the provider's own variable (`OPENAI_API_KEY`, …)."""
    temperature: float = Field(0.0, ge=0)
    """The sampling temperature; 0 is the most repeatable."""
    max_tokens: Count | None = None
    """The most tokens of a reply."""
    timeout: float = Field(60.0, gt=0)
    """Seconds to wait for one reply."""
    max_concurrency: Count = 8
    """The most calls at once."""
    requests_per_minute: Count | None = None
    """The most calls that may start in a minute."""
    tools: Literal["native", "text"] = "native"
    """`native` tool calls, or `text` (Thought / Action) for a model that has none."""
    structured: Literal["json_schema", "function_calling", "json_mode"] = "json_schema"
    """How a JSON schema is enforced."""
    price: Price | None = None
    """Money per million tokens read (`input`) and written (`output`); without it the cost is shown as unknown."""
    retries: int = Field(4, ge=0)
    """How often a call is retried after a transient fault (429, 5xx, time-out)."""


class RunSettings(SettingsSection):
    """How runs process their items."""

    concurrency: Count = 8
    """The most items at once."""


class LogSettings(SettingsSection):
    """Logs on stderr."""

    level: Literal["debug", "info", "warning", "error"] = "warning"
    """The lowest level that is logged."""
    json_lines: bool = Field(default=False, alias="json")
    """One JSON object per line (`--log-json`)."""


class TracingSettings(SettingsSection):
    """OpenTelemetry spans, off by default. LangSmith is enabled by its own LANGSMITH_* variables."""

    otel: bool = False
    """Send spans to a collector; needs `pip install 'studium[otel]'`."""
    endpoint: str | None = None
    """Address of the collector (OTLP over HTTP); without it, the OTEL_* variables or http://localhost:4318."""


class AgentModelSettings(SettingsSection):
    """The model of the cards feature, unless `roles.cards` sets another."""

    name: str | None = None
    """`provider:model`, or the name of an Ollama model; without it, `roles.default`."""
    temperature: float = Field(0.2, ge=0)
    """The sampling temperature."""
    max_tokens: Count = 1024
    """The most tokens of a reply."""


class BilingualSettings(SettingsSection):
    """What to do with a question that a note has in two languages."""

    mode: Literal["front_back", "separate_cards"] = "front_back"
    """Both languages on one card, or a card for each."""


class CardStyleSettings(SettingsSection):
    """How long a card may be, and whether it is polished."""

    enforce_short_front: bool = True
    """Move text that is not part of the question from a long front to Extra."""
    max_front_chars: Count = 200
    """The longest front."""
    max_back_chars: Count = 1200
    """The longest back; the whole answer is then in Extra."""
    polish: bool = False
    """Let the style role polish each card."""


class AgentSettings(SettingsSection):
    """How the cards feature makes and judges cards."""

    enabled: bool = True
    """Use the models that roles name; off, the rules do everything."""
    provider: Literal["langchain"] = "langchain"
    """How models are called."""
    max_mapping_retries: int = Field(2, ge=0)
    """How often a card is made again after a check refused it."""
    min_qa_score: Share = 0.8
    """The least score of a card that is not sent to review."""
    allow_auto_fix: bool = True
    """Make a card again with the judge's remarks before asking a person."""
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
    """How notes are synced with Anki."""

    vault: Folder | None = None
    """The vault that `obsidian-anki-sync` works on when none is named."""
    vault_name: str | None = None
    """The name by which Obsidian knows the vault, for links back; without it, the folder's name."""
    default_deck: str = "Studium"
    """The deck of cards whose note names none."""
    deck_prefix: str = ""
    """A prefix for every deck's name, as in `Obsidian`."""
    deck_from_folder: bool = True
    """Name the deck after the note's folder."""
    ignore: tuple[str, ...] = ("templates/*", "*.excalidraw.md")
    """Notes to ignore, as patterns over their path in the vault."""
    markers: Literal["none", "comment", "block_id", "frontmatter"] = "none"
    """Write our id into the note: not at all, as `<!--studium:…-->`, as a block id `^st-…`, or under `anki_cards`."""
    anki_address: str = "http://127.0.0.1:8765"
    """The address of AnkiConnect."""
    anki_key: SecretStr | None = None
    """The API key of AnkiConnect, if it requires one."""
    max_deletions: int = Field(20, ge=0)
    """Ask before more cards than this are suspended because their source is gone."""
    max_change_percent: Annotated[int, Field(ge=1, le=100)] = 50
    """Ask before more than this share of the known cards is changed in one run."""


class QuestionSettings(SettingsSection):
    """Limits of the questions feature."""

    target_count: Count = 5
    """How many questions to generate for a document (`--count`)."""
    max_consecutive_failures: Count = 5
    """Stop after this many rejected questions in a row (`--max-failures`); rules, which cost nothing, try all."""
    mix: str = "open=1"
    """The kinds of questions with their weights (`--mix`): `open=6,multiple_choice=2,cloze=2`."""


class VocabularySettings(SettingsSection):
    """Where lyrics come from, and what is stored."""

    language: Literal["ja", "de"] = "ja"
    """The language you learn: Japanese or German."""
    online: bool = False
    """Search for lyrics online (`--online`)."""
    keep_lyrics: bool = False
    """Store lyrics in the database with the words; they are under copyright."""
    timeout: float = Field(10.0, gt=0)
    """Seconds to search for the lyrics of one song."""
    freedict: Path = Path("/usr/share/dictd")
    """The folder of the German dictionary (Debian's `dict-freedict-deu-eng`)."""


class Neo4jSettings(SettingsSection):
    """A Neo4j 5 server for the concept graph."""

    uri: str | None = None
    """Its address, as in `neo4j://localhost:7687`; without it, concepts are stored in a SQLite file under `home`."""
    user: str = "neo4j"
    """The user name."""
    password: SecretStr | None = None
    """The password, if the server requires one."""
    database: str = "neo4j"
    """The name of the database."""
    dimensions: Count = 1024
    """The dimensions of its vector indexes: those of `embedder` (`minilm`: 384)."""


class ConceptSettings(SettingsSection):
    """Where concepts are stored, and how they are found and written."""

    neo4j: Neo4jSettings = Neo4jSettings()
    vault: Folder | None = None
    """The folder (of an Obsidian vault) for approved concepts; without it, none are written."""
    language: Literal["es", "en", "fr", "de", "it", "pt"] = "es"
    """The language of the headings in these notes."""
    cards: bool = False
    """Add a question to each note, for the cards feature."""
    online: bool = False
    """Look up authors on Wikipedia."""
    encyclopedia: str = "https://{language}.wikipedia.org"
    """The address for that."""
    threshold: Share = 0.4
    """The lowest cosine at which two concepts are compared; 0.4 is 0.7 in Neo4j's scale."""


class SshDeviceSettings(SettingsSection):
    """A device of your own, over SSH."""

    host: str
    """The address."""
    port: Annotated[int, Field(ge=1, le=65535)] = 22
    """The port."""
    user: str
    """The user name."""
    password: SecretStr | None = None
    """The password; without it, `key` is used."""
    key: Folder | None = None
    """A file with a private key."""
    platform: Literal["ios", "frr"] = "ios"
    """The command language."""


class TutorSettings(SettingsSection):
    """Labs, and how the tutor answers."""

    labs: Folder | None = None
    """A folder with labs of your own, one folder each, in addition to the bundled ones."""
    patterns: Folder | None = None
    """A folder with error patterns of your own, as JSON, in addition to the bundled ones."""
    reasoning: bool = False
    """Let a model think before it answers (`detailed thinking on`)."""
    devices: dict[str, SshDeviceSettings] = Field(default_factory=dict)
    """Your own devices over SSH, by their names in the lab; they replace the routers on this machine."""


class ServeSettings(SettingsSection):
    """The web app and the HTTP API, and what they may access."""

    host: str = "127.0.0.1"
    """The address to listen on (`--host`); on any but this machine's own, everybody has to log in."""
    port: Annotated[int, Field(ge=1, le=65535)] = 8000
    """The port to listen on (`--port`)."""
    token: SecretStr | None = None
    """The token to log in with; without it, everyone on this machine has access, and elsewhere one is generated."""
    names: tuple[str, ...] = ()
    """Further host names that the server answers to, as in `studium.example.org`."""
    roots: tuple[Folder, ...] = ()
    """Folders whose files may be used over HTTP (`--root`), in addition to the vaults and labs of these settings."""
    max_upload: Count = 200
    """The largest upload, in MB."""
    max_uploads: Count = 5000
    """The storage for all uploads together, in MB."""
    assistants_may_write: bool = False
    """Let assistants (`studium mcp`) write to Anki, vaults and routers, as you can."""
    samples: bool = True
    """Add sample content when the app first starts; it can be removed."""


class LimitSettings(SettingsSection):
    """What reading a file may cost: files come from anywhere, and one of them must not stop the rest."""

    cpu_seconds: Count = 30
    """The CPU time for reading one file, or for one request that reads files, in seconds."""
    memory: Count = 500
    """The memory for reading one file, in MB; four times as much for a scanned page. Kept on Linux only."""
    output: Count = 200
    """The largest result of reading one file, in MB."""
    readers: Count = 3
    """How many processes read files for the server at once."""
    job_memory: Count = 4000
    """The memory of one background job, in MB; kept on Linux only."""


class Settings(SettingsSection):
    """All settings."""

    home: Folder = Field(default_factory=lambda: platformdirs.user_data_path("studium"))
    """The folder for everything that Studium stores, for its owner alone; by default the platform's data folder."""
    database: Database | None = Field(None, repr=False)
    """The database of runs, reviews and answers; by default a SQLite file under `home`."""
    roles: Roles = Roles()
    models: dict[ModelName, ModelSettings] = Field(default_factory=dict)
    """Settings of a model, by `provider:model`."""
    embedder: EmbedderName = "minilm"
    """The embedder: `minilm` (bundled), `none` (words only) or `provider:model`."""
    embedder_base_url: str | None = None
    """The address of the embedder's server."""
    prompts: Folder | None = None
    """A folder whose prompt files replace the bundled ones of the same name."""
    budget: Limits = Limits()
    """The limits of one run: model calls, tokens, money. None by default."""
    running: RunSettings = RunSettings()
    limits: LimitSettings = LimitSettings()
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
        """The address of the database."""
        # An older home keeps its file under the former name.
        earlier = self.home / "ledger.sqlite"
        return self.database or f"sqlite:///{earlier if earlier.exists() else self.home / 'database.sqlite'}"

    @property
    def checkpoints_url(self) -> str:
        """The database for checkpoints: a second file beside SQLite, the same one in PostgreSQL."""
        scheme, _, path = self.database_url.partition("sqlite:///")
        return scheme or f"sqlite:///{Path(path).with_suffix('.checkpoints.sqlite')}"

    def role(self, name: str) -> str:
        """The model of a role (`cards.mapper`), or the default."""
        feature, _, step = name.partition(".")
        chosen: str | None = getattr(getattr(self.roles, feature), step)
        if feature == "cards":
            chosen = (chosen or self.agents.model_name) if self.agents.enabled else "rules"
        return chosen or self.roles.default

    def model(self, name: str) -> ModelSettings:
        """The settings of a model; `agents.model` adds those of the model that it names."""
        chosen = self.models.get(name, ModelSettings())
        if name != self.agents.model_name or name in self.models:
            return chosen
        own = self.agents.model
        return chosen.model_copy(update={"temperature": own.temperature, "max_tokens": own.max_tokens})
