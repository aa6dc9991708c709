"""A question, its answer and its evidence; the results and statistics of a run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field, model_validator

from studium.core.documents.registry import UNSUPPORTED
from studium.core.domain.decision import Action, Decision
from studium.core.domain.finding import Evidence, Finding, Severity
from studium.core.domain.value import Value
from studium.questions.kinds import Difficulty, QuestionKind, QuestionOptions

GenerationMode = Literal["textual", "visual"]
EXHAUSTED = "document.exhausted"
"""The code of the finding that says why a document gave fewer questions than were asked for."""


class Scenario(QuestionOptions):
    """What the questions are for: who is tested, and in which style; and, if given, what they shall be like."""

    name: str = Field(min_length=1)
    description: str = Field(min_length=1)


class CorpusConfig(Value):
    """The content of `corpus.yaml`: what the corpus is, and its scenarios."""

    name: str = Field(min_length=1)
    corpus_context: str = Field(min_length=1)
    scenarios: Mapping[str, Scenario] = Field(min_length=1)


class GenerationMetadata(Value):
    """The models that made and checked a pair, and at which attempt."""

    generator_model: str
    validator_model: str
    attempt_number: int


def _content_refs(values: Mapping[str, Any]) -> tuple[str, ...]:
    is_visual = values.get("category") == "visual"
    named = (each.quote if is_visual else str(each.where) for each in values.get("evidence", ()))
    return tuple(dict.fromkeys(named))


class QAPair(Value):
    """A question with its ground truth, and the spans of the document that prove it.

    `content_refs` names what it is about: the figures and tables by their captions, text by its place. The evidence of
    a visual pair is the caption and its page. Pairs of version 0.1 hold their evidence in `content_refs`.
    For a cloze, multiple choice or true-or-false question, `asks` and `expected` are the same as an open question.
    """

    question: str
    answer: str
    source_document: str
    category: GenerationMode = "textual"
    evidence: tuple[Evidence, ...]
    content_refs: tuple[str, ...] = Field(default_factory=_content_refs)
    generation_metadata: GenerationMetadata
    kind: QuestionKind = "open"
    choices: tuple[str, ...] = ()
    difficulty: Difficulty | None = None
    asks: str = ""
    expected: str = ""

    @property
    def open_question(self) -> str:
        """The question in open form."""
        return self.asks or self.question

    @property
    def open_answer(self) -> str:
        """The answer to the open form."""
        return self.expected or self.answer

    @model_validator(mode="before")
    @classmethod
    def _read_first_form(cls, values: Any) -> Any:
        if isinstance(values, Mapping) and "evidence" not in values and "content_refs" in values:
            rest = {name: value for name, value in values.items() if name != "content_refs"}
            return rest | {"evidence": values["content_refs"]}
        return values


class RejectionReason(StrEnum):
    """Why a candidate was not accepted."""

    VALIDATION_FAILED = "validation_failed"
    DUPLICATE = "duplicate"
    UNANSWERABLE = "unanswerable"
    WRONG_ANSWER = "wrong_answer"
    AMBIGUOUS = "ambiguous"
    TRIVIAL = "trivial"


class RejectedQA(Value):
    """A candidate that was not accepted, and why."""

    question: str
    answer: str
    rejection_reason: RejectionReason
    rejection_detail: str
    duplicate_of: str | None = None
    kind: QuestionKind = "open"
    asks: str = ""

    @property
    def open_question(self) -> str:
        """The question in open form."""
        return self.asks or self.question


class GenerationStats(Value):
    """The statistics of one document; `coverage` is the share of its parts that some question is about.

    It is `exhausted` if it gave fewer questions than were asked for; `word_count` and `generator_model` are what later
    estimates are made from.
    """

    document_path: str
    mode: GenerationMode = "textual"
    target_count: int
    accepted_count: int
    rejected_count: int
    total_attempts: int
    validation_pass_rate: float
    dedup_rejection_rate: float
    exhausted: bool
    rejection_reasons: dict[str, int]
    coverage: float = 0.0
    word_count: int = 0
    generator_model: str = ""


class GenerationResult(Value):
    """The accepted and rejected questions of one document."""

    accepted: tuple[QAPair, ...]
    rejected: tuple[RejectedQA, ...]
    stats: GenerationStats


class CorpusGenerationResult(Value):
    """The accepted questions of a whole corpus, as an evaluation reads them."""

    corpus_name: str
    corpus_path: str
    scenario: str
    mode: GenerationMode
    questions: tuple[QAPair, ...]
    timestamp: str


@dataclass(frozen=True)
class GenerationLimits:
    """The limits of one run: failures in a row, questions of all documents together, and documents."""

    max_failures: int | None = None
    total_target: int | None = None
    max_docs: int | None = None


NO_LIMITS = GenerationLimits()


@dataclass(frozen=True)
class GenerationPolicy:
    """When the loop ends, which models generate and validate, and how many questions a new one is compared with.

    Without a limit of failures, it ends when the generator has no candidate left.
    """

    max_consecutive_failures: int | None = 5
    generator_model: str = "rules"
    validator_model: str = "rules"
    compared: int = 12
    mix: Mapping[QuestionKind, int] = field(default_factory=lambda: {"open": 1})


class QuestionTotal:
    """Counts the questions of a run over all its documents, up to their target."""

    def __init__(self, target: int | None = None, accepted: int = 0) -> None:
        self.target, self.accepted = target, accepted

    @property
    def is_reached(self) -> bool:
        """Whether there are enough."""
        return self.target is not None and self.accepted >= self.target

    def take(self) -> bool:
        """Count one more question; False if there are enough already."""
        if self.is_reached:
            return False
        self.accepted += 1
        return True


@dataclass
class DocumentResult:
    """The questions and statistics of one document; without `stats` it failed, and the findings say why."""

    path: str
    accepted: list[QAPair] = field(default_factory=list)
    rejected: list[RejectedQA] = field(default_factory=list)
    stats: GenerationStats | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def unsupported(self) -> bool:
        """Whether there is no reader for such files."""
        return self.stats is None and any(finding.code == UNSUPPORTED for finding in self.findings)

    @property
    def failed(self) -> bool:
        """Whether the document could not be read or had an error."""
        return self.stats is None or any(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def shortfall(self) -> str:
        """Why there are fewer questions than were asked for, and what would help; empty if there are enough."""
        return next((finding.message for finding in self.findings if finding.code == EXHAUSTED), "")

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
