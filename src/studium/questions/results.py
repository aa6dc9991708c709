"""The results of a run, read back from its decisions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from studium.core.domain.decision import Action, Decision
from studium.core.domain.finding import Finding, Severity
from studium.questions.domain import (
    CorpusGenerationResult,
    GenerationMode,
    GenerationResult,
    GenerationStats,
    QAPair,
    RejectedQA,
)


@dataclass
class DocumentResult:
    """The questions and statistics of one document; without `stats` it failed, and the findings say why."""

    path: str
    accepted: list[QAPair] = field(default_factory=list)
    rejected: list[RejectedQA] = field(default_factory=list)
    stats: GenerationStats | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the document could not be read or had an error."""
        return self.stats is None or any(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def result(self) -> GenerationResult | None:
        """The result as that of a run over this document alone, if there is one."""
        if self.stats is None:
            return None
        return GenerationResult(accepted=tuple(self.accepted), rejected=tuple(self.rejected), stats=self.stats)


def document_results(decisions: Iterable[Decision]) -> list[DocumentResult]:
    """The documents of a run, in the order in which they were finished."""
    results: dict[str, DocumentResult] = {}
    for decision in decisions:
        path, mark, _ = decision.item.rpartition("#" if "#" in decision.item else "@")
        found = results.setdefault(path, DocumentResult(path))
        proposal = decision.proposal or {}
        if mark == "@":
            found.findings = decision.findings
        elif decision.action is Action.CREATE:
            found.accepted.append(QAPair.model_validate(proposal))
        elif "rejection_reason" in proposal:
            found.rejected.append(RejectedQA.model_validate(proposal))
        else:
            found.stats = GenerationStats.model_validate(proposal)
            found.findings = decision.findings
    return list(results.values())


def corpus_result(
    results: Sequence[DocumentResult], name: str, path: str, scenario: str, mode: GenerationMode, now: datetime
) -> CorpusGenerationResult:
    """The accepted questions of all documents, in the order of the documents' paths."""
    ordered = sorted(results, key=lambda result: result.path)
    return CorpusGenerationResult(
        corpus_name=name,
        corpus_path=path,
        scenario=scenario,
        mode=mode,
        questions=tuple(pair for result in ordered for pair in result.accepted),
        timestamp=now.isoformat(timespec="seconds"),
    )
