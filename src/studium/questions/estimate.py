"""Estimate a run before it starts, from the documents themselves and from past runs of this home."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from studium.core.domain.errors import LimitPassed
from studium.core.domain.usage import Price
from studium.core.domain.value import Value
from studium.core.process_limits import OCR_TIMES
from studium.core.reader_process import outside_server
from studium.core.text.tokens import count_words
from studium.questions.history import PastRuns, past_runs

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.core.database import Database
    from studium.questions.corpus import GenerationTask

MOST_SURVEYED = 100
"""Of more documents than this, as many are opened, evenly spread, and the rest is assumed to be like them."""
_LANGUAGE_SAMPLE = 20_000


class DocumentSurvey(Value):
    """What one document is; `problem` says why it cannot be read."""

    path: str
    kind: str
    words: int = 0
    pages: int = 0
    language: str = "und"
    problem: str = ""


def survey_documents(paths: Sequence[Path]) -> list[DocumentSurvey]:
    """Open the documents, or an even sample of many, and say what they are."""
    step = max(1, -(-len(paths) // MOST_SURVEYED))
    return [_survey_version(path, _version(path)) for path in paths[::step]]


def _version(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=1000)
def _survey_version(path: Path, _version: tuple[int, int]) -> DocumentSurvey:
    """A page asks again whenever a field of its form changes: an unchanged file is opened once."""
    try:
        return survey_document(path)
    except LimitPassed as passed:
        return DocumentSurvey(path=str(path), kind=path.suffix.lower().lstrip("."), problem=str(passed))


@outside_server(lambda path: path.name, times=OCR_TIMES)
def survey_document(path: Path) -> DocumentSurvey:
    """Open one document and say what it is."""
    from studium.core.documents.registry import read_document
    from studium.core.text.language_detection import detect_language

    kind = path.suffix.lower().lstrip(".")
    reading = read_document(path)
    document = reading.document
    if document is None:
        return DocumentSurvey(path=str(path), kind=kind, problem="; ".join(map(str, reading.findings)))
    pages = len(document.pages) if document.pages and document.pages[0].number is not None else 0
    language = detect_language(document.text[:_LANGUAGE_SAMPLE]).code
    return DocumentSurvey(path=str(path), kind=kind, words=count_words(document.text), pages=pages, language=language)


# Assumed for one accepted question until there are past runs: explore and submit, compare once, explore and answer.
# One candidate in four is rejected on the way.
GENERATOR_CALLS = 4.0
DEDUPLICATOR_CALLS = 1.0
VALIDATOR_CALLS = 3.0
ATTEMPTS = 1.33
INPUT_TOKENS = 3500
OUTPUT_TOKENS = 250
RULES_PER_THOUSAND_WORDS = 8.0
MODEL_PER_THOUSAND_WORDS = 15.0


@dataclass(frozen=True)
class Estimate:
    """What a run is likely to give and to take.

    `questions` are requested, `expected` likely; `cost` and `seconds` are None where nothing is known about them.
    `surveyed` documents were opened: words, pages, languages and kinds are theirs. `basis` says what the numbers rest
    on.
    """

    documents: int
    questions: int
    expected: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float | None
    surveyed: int = 0
    words: int = 0
    pages: int = 0
    languages: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    basis: str = ""


@dataclass(frozen=True)
class ModelCalls:
    """How often one role calls its model per candidate (`rules` costs nothing), and the model's price if known."""

    model: str
    calls: float
    price: Price | None


@dataclass(frozen=True)
class _Spending:
    """The calls, tokens, cost and time of a run."""

    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float | None


def estimate_task(settings: "Settings", database: "Database", task: "GenerationTask") -> Estimate:
    """Open the documents of a task, and estimate what it gives and takes."""
    from studium.questions.skills import GENERATE

    generator = settings.role(GENERATE.role)
    past = past_runs(database, generator, task.mode)
    surveys = survey_documents(task.documents)
    requested, expected = _questions(task, surveys, past, generator)
    spending = _from_past(past, expected) if past.accepted else _assumed(question_model_calls(settings), requested)
    readable = [each for each in surveys if not each.problem]
    return Estimate(
        documents=len(task.documents),
        questions=requested,
        expected=expected,
        **vars(spending),
        surveyed=len(surveys),
        words=sum(each.words for each in readable),
        pages=sum(each.pages for each in readable),
        languages=dict(Counter(each.language for each in readable)),
        kinds=dict(Counter(each.kind for each in readable)),
        unreadable={each.path: each.problem for each in surveys if each.problem},
        basis=_basis(past, generator),
    )


def _questions(
    task: "GenerationTask", surveys: Sequence[DocumentSurvey], past: PastRuns, generator: str
) -> tuple[int, int]:
    """How many questions are requested, and how many are likely."""
    rate = past.per_thousand_words
    if rate is None:
        rate = RULES_PER_THOUSAND_WORDS if generator == "rules" else MODEL_PER_THOUSAND_WORDS
    likely = [min(task.count, round(each.words * rate / 1000)) for each in surveys]
    expected = round(sum(likely) * len(task.documents) / len(surveys)) if surveys else 0
    requested = len(task.documents) * task.count
    most = task.limits.total_target or requested
    return min(requested, most), min(expected, most)


def _from_past(past: PastRuns, expected: int) -> _Spending:
    def of(total: float | None) -> float | None:
        each = past.per_question(total)
        return None if each is None else each * expected

    calls, given, made = (round(of(total) or 0) for total in (past.calls, past.input_tokens, past.output_tokens))
    return _Spending(calls, given, made, of(past.cost), of(past.seconds))


def _assumed(roles: tuple[ModelCalls, ...], questions: int) -> _Spending:
    paid = [role for role in roles if role.model != "rules"]
    calls = [questions * ATTEMPTS * role.calls for role in paid]
    known = all(role.price is not None for role in paid)
    cost = sum(
        count * role.price.of(INPUT_TOKENS, OUTPUT_TOKENS)
        for count, role in zip(calls, paid, strict=True)
        if role.price
    )
    total = round(sum(calls))
    return _Spending(total, total * INPUT_TOKENS, total * OUTPUT_TOKENS, cost if known else None, None)


def _basis(past: PastRuns, generator: str) -> str:
    if past.per_thousand_words is None:
        return f"No run with {generator} as generator has finished here yet, so the numbers are assumed."
    runs = "1 past run" if past.runs == 1 else f"{past.runs} past runs"
    return f"From {runs} with {generator} as generator: {past.per_thousand_words:.1f} questions per 1,000 words."


def question_model_calls(settings: "Settings") -> tuple[ModelCalls, ...]:
    """The roles of the question loop with their models, for an estimate."""
    from studium.questions.skills import DEDUPE, GENERATE, VALIDATE

    calls = {GENERATE.role: GENERATOR_CALLS, DEDUPE.role: DEDUPLICATOR_CALLS, VALIDATE.role: VALIDATOR_CALLS}
    named = [(settings.role(role), count) for role, count in calls.items()]
    return tuple(
        ModelCalls(name, count, settings.model(name).price if name != "rules" else None) for name, count in named
    )
