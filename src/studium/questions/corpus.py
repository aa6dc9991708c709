"""`corpus.yaml` with its scenarios, and the task: which documents get how many questions."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from studium.core.documents.files import display_path, find_files, read_text
from studium.core.documents.registry import READERS, unsupported_finding
from studium.core.domain.errors import BadInput
from studium.core.domain.finding import Finding
from studium.core.reader_process import outside_server
from studium.core.yaml_files import load_yaml
from studium.questions.domain import NO_LIMITS, CorpusConfig, GenerationLimits, GenerationMode
from studium.questions.kinds import ANY, QuestionOptions
from studium.questions.skills import QuestionContext

CORPUS_FILE = "corpus.yaml"
_MOST_UNSUPPORTED = 1_000
_EXPECTED = "It needs `name`, `corpus_context`, and `scenarios`: each with a `name` and a `description`."


@outside_server(display_path)
def read_corpus(path: Path) -> CorpusConfig:
    """Read a corpus configuration; an error names the missing or unknown field."""
    file = read_text(path)
    if file.text is None:
        raise BadInput(f"The corpus configuration cannot be read: {file.findings[0]}", remedy=_EXPECTED)
    values = load_yaml(file.text, name=display_path(path), remedy=_EXPECTED)
    try:
        return CorpusConfig.model_validate(values)
    except ValidationError as error:
        faults = "; ".join(
            f"`{'.'.join(map(str, fault['loc'])) or 'the file'}`: {_message(fault)}" for fault in error.errors()
        )
        raise BadInput(f"{display_path(path)}: {faults}.", remedy=_EXPECTED) from error


def _message(fault: object) -> str:
    kind = fault["type"] if isinstance(fault, dict) else ""
    known = {"missing": "missing", "extra_forbidden": "unknown field", "too_short": "empty"}
    return known.get(kind, str(fault["msg"]).lower() if isinstance(fault, dict) else "")


def question_context(config: CorpusConfig | None, scenario_name: str | None) -> QuestionContext:
    """The corpus and scenario in the words of the prompts; without a corpus, the default context."""
    if config is None:
        return QuestionContext()
    scenario = config.scenarios[choose_scenario(config, scenario_name)]
    return QuestionContext(
        corpus=f"{config.name}. {config.corpus_context.strip()}",
        scenario=f"{scenario.name}. {scenario.description.strip()}",
    )


def choose_scenario(config: CorpusConfig, scenario: str | None) -> str:
    """The key of the named scenario, or of the only one."""
    names = list(config.scenarios)
    if scenario in config.scenarios:
        return str(scenario)
    if scenario is None and len(names) == 1:
        return names[0]
    what = (
        f"The corpus “{config.name}” has no scenario `{scenario}`."
        if scenario
        else f"“{config.name}” has several scenarios."
    )
    raise BadInput(what, remedy=f"Choose one with --scenario: {', '.join(names)}.")


@dataclass(frozen=True)
class GenerationTask:
    """How many questions to generate about which documents; `skipped` are the files that cannot be read."""

    root: Path
    documents: tuple[Path, ...]
    count: int
    mode: GenerationMode = "textual"
    corpus: CorpusConfig | None = None
    scenario: str | None = None
    skipped: tuple[Finding, ...] = ()
    limits: GenerationLimits = NO_LIMITS
    options: QuestionOptions = ANY

    @property
    def note(self) -> str:
        """The document or the corpus, in a few words."""
        if self.root.is_file():
            return self.root.name
        named = self.corpus.name if self.corpus else self.root.resolve().name
        many = len(self.documents)
        return f"{named} ({many} document{'s' * (many > 1)})"

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments that identify a run, so that it can be resumed."""
        limits = {name: limit for name, limit in asdict(self.limits).items() if limit is not None}
        options = {"options": self.options.model_dump(mode="json")} if self.options != ANY else {}
        return {
            "root": str(self.root.resolve()),
            "count": self.count,
            "mode": self.mode,
            "corpus": self.corpus.model_dump(mode="json") if self.corpus else None,
            "scenario": self.scenario,
            **limits,
            **options,
        }

    @property
    def steering(self) -> QuestionOptions:
        """What the questions shall be like: as asked for, or else as the scenario says."""
        scenario = self.corpus.scenarios[self.scenario] if self.corpus and self.scenario else ANY
        return self.options.over(scenario)


def prepare_task(  # noqa: PLR0913 - each is asked for by a flag
    root: Path,
    count: int,
    *,
    mode: GenerationMode = "textual",
    corpus: Path | None = None,
    scenario: str | None = None,
    limits: GenerationLimits = NO_LIMITS,
    options: QuestionOptions = ANY,
) -> GenerationTask:
    """Collect the documents at `root`; a `corpus.yaml` beside them is used unless another is given."""
    if not root.exists():
        raise BadInput(f"{root} does not exist.", remedy="Give the path of a document, or of a folder of documents.")
    config = _corpus(root, corpus)
    if config is None and scenario is not None:
        raise BadInput(
            f"The scenario `{scenario}` needs a {CORPUS_FILE}, and there is none.",
            remedy=f"Give one with --corpus, or put a {CORPUS_FILE} beside the documents.",
        )
    others: list[Path] = []
    found = find_files(root, READERS, others)
    documents = tuple(path for path in found.paths if path.name != CORPUS_FILE)
    if not documents and found.findings:
        raise BadInput("; ".join(map(str, found.findings)))
    if not documents:
        raise BadInput(f"{root} contains no document.", remedy=f"Supported file types: {', '.join(READERS)}.")
    chosen = choose_scenario(config, scenario) if config else None
    unsupported = [unsupported_finding(path) for path in others if path.name != CORPUS_FILE and path.is_file()]
    skipped = (*found.findings, *unsupported[:_MOST_UNSUPPORTED])
    return GenerationTask(root, documents[: limits.max_docs], count, mode, config, chosen, skipped, limits, options)


def _corpus(root: Path, named: Path | None) -> CorpusConfig | None:
    beside = (root if root.is_dir() else root.parent) / CORPUS_FILE
    if named is not None:
        return read_corpus(named)
    return read_corpus(beside) if beside.is_file() else None
