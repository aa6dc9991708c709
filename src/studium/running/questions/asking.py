"""What is to be asked: which documents, how many questions each, for which corpus and scenario."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studium.core.documents.files import find_files
from studium.core.documents.registry import READERS
from studium.core.domain.errors import BadInput
from studium.core.domain.finding import Finding
from studium.domain.question import CorpusConfig, GenerationMode
from studium.questions.corpus import CORPUS_FILE, read_corpus
from studium.workflows.questions.corpus import chosen_scenario


@dataclass(frozen=True)
class Asking:
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


def ask_about(
    root: Path, count: int, *, mode: GenerationMode = "textual", corpus: Path | None = None, scenario: str | None = None
) -> Asking:
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
    chosen = chosen_scenario(config, scenario) if config else None
    return Asking(root, documents, count, mode, config, chosen, found.findings)


def _corpus(root: Path, named: Path | None) -> CorpusConfig | None:
    beside = (root if root.is_dir() else root.parent) / CORPUS_FILE
    if named is not None:
        return read_corpus(named)
    return read_corpus(beside) if beside.is_file() else None
