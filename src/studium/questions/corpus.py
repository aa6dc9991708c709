"""`corpus.yaml`: what a corpus is and which scenarios it has."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from studium.core.documents.files import display_path, find_files, read_text
from studium.core.documents.registry import READERS
from studium.core.domain.errors import BadInput
from studium.core.domain.finding import Finding
from studium.questions.domain import CorpusConfig, GenerationMode
from studium.questions.skills import QuestionContext

CORPUS_FILE = "corpus.yaml"
_FORM = "It needs `name`, `corpus_context`, and `scenarios`: each with a `name` and a `description`."


def read_corpus(path: Path) -> CorpusConfig:
    """Read a corpus configuration; a missing or unknown field is said with its place."""
    import yaml

    file = read_text(path)
    if file.text is None:
        raise BadInput(f"The corpus configuration cannot be read: {file.findings[0]}", remedy=_FORM)
    try:
        values = yaml.load(file.text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{display_path(path)}:{mark.line + 1}" if mark else display_path(path)
        raise BadInput(f"{place} is no YAML: {getattr(error, 'problem', error)}.", remedy=_FORM) from error
    try:
        return CorpusConfig.model_validate(values)
    except ValidationError as error:
        faults = "; ".join(
            f"`{'.'.join(map(str, fault['loc'])) or 'the file'}`: {_message(fault)}" for fault in error.errors()
        )
        raise BadInput(f"{display_path(path)}: {faults}.", remedy=_FORM) from error


def _message(fault: object) -> str:
    kind = fault["type"] if isinstance(fault, dict) else ""
    known = {"missing": "it is missing", "extra_forbidden": "there is no such field", "too_short": "it is empty"}
    return known.get(kind, str(fault["msg"]).lower() if isinstance(fault, dict) else "")


def question_context(config: CorpusConfig | None, scenario_name: str | None) -> QuestionContext:
    """The occasion for questions of this scenario; without a corpus, that of a learner with a document."""
    if config is None:
        return QuestionContext()
    scenario = config.scenarios[choose_scenario(config, scenario_name)]
    return QuestionContext(
        corpus=f"{config.name}. {config.corpus_context.strip()}",
        scenario=f"{scenario.name}. {scenario.description.strip()}",
    )


def choose_scenario(config: CorpusConfig, wanted: str | None) -> str:
    """The scenario that was named, or the only one there is."""
    names = list(config.scenarios)
    if wanted in config.scenarios:
        return str(wanted)
    if wanted is None and len(names) == 1:
        return names[0]
    what = (
        f"The corpus “{config.name}” has no scenario `{wanted}`."
        if wanted
        else f"“{config.name}” has several scenarios."
    )
    raise BadInput(what, remedy=f"Choose one with --scenario: {', '.join(names)}.")


@dataclass(frozen=True)
class GenerationTask:
    """So many questions about each of these documents; `passed_over` says what lies there and cannot be read."""

    root: Path
    documents: tuple[Path, ...]
    count: int
    mode: GenerationMode = "textual"
    corpus: CorpusConfig | None = None
    scenario: str | None = None
    passed_over: tuple[Finding, ...] = ()

    @property
    def note(self) -> str:
        """What is asked about, in a few words."""
        if self.root.is_file():
            return self.root.name
        named = self.corpus.name if self.corpus else self.root.resolve().name
        many = len(self.documents)
        return f"{named} ({many} document{'s' * (many > 1)})"

    @property
    def arguments(self) -> dict[str, Any]:
        """What makes two runs the same run, so that one can be resumed."""
        return {
            "root": str(self.root.resolve()),
            "count": self.count,
            "mode": self.mode,
            "corpus": self.corpus.model_dump(mode="json") if self.corpus else None,
            "scenario": self.scenario,
        }


def prepare_task(
    root: Path, count: int, *, mode: GenerationMode = "textual", corpus: Path | None = None, scenario: str | None = None
) -> GenerationTask:
    """Ask about one document or all of a folder; a `corpus.yaml` beside them is theirs unless another is named."""
    if not root.exists():
        raise BadInput(f"{root} is not there.", remedy="Name a document, or a folder of documents.")
    config = _corpus(root, corpus)
    if config is None and scenario is not None:
        raise BadInput(
            f"There is no {CORPUS_FILE} that could have a scenario `{scenario}`.",
            remedy=f"Name one with --corpus, or put a {CORPUS_FILE} beside the documents.",
        )
    found = find_files(root, READERS)
    documents = tuple(path for path in found.paths if path.name != CORPUS_FILE)
    if not documents:
        raise BadInput(
            f"{root} holds no document.", remedy=f"Documents are files of these kinds: {', '.join(READERS)}."
        )
    chosen = choose_scenario(config, scenario) if config else None
    return GenerationTask(root, documents, count, mode, config, chosen, found.findings)


def _corpus(root: Path, named: Path | None) -> CorpusConfig | None:
    beside = (root if root.is_dir() else root.parent) / CORPUS_FILE
    if named is not None:
        return read_corpus(named)
    return read_corpus(beside) if beside.is_file() else None
