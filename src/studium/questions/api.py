"""Questions over HTTP: the outcome of a run, its review, the pages with its evidence, and an estimate."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from studium.core.domain.finding import Finding
from studium.http.deps import ServiceDep
from studium.questions import review as reviews
from studium.questions import source_pages
from studium.questions import use_cases as questions
from studium.questions.domain import GenerationStats, QAPair, RejectedQA
from studium.questions.estimate import Estimate
from studium.questions.jobs import Count, GenerateQuestions, QuestionNumber, Revision, to_generation_request
from studium.questions.question_set import load_question_set
from studium.questions.review_repository import Status

router = APIRouter(prefix="/questions", tags=["questions"])

RunId = Annotated[str, Path(min_length=1, max_length=64, description="The run's id, or a unique beginning of it.")]
PageNumber = Annotated[int, Path(ge=1, le=100_000, description="The page, counted from 1.")]
Number = Annotated[QuestionNumber, Path(description="The question's number in the set.")]
DocumentQuery = Annotated[
    str | None,
    Query(min_length=1, max_length=4096, description="A document of the run; may be left out if it has only one."),
]
_IMAGE: dict[int | str, dict[str, Any]] = {200: {"content": {"image/jpeg": {}}, "description": "The page."}}


class DocumentQuestions(BaseModel):
    """One document of a run; without `stats` it failed, and the findings say why.

    `shortfall` says why it gave fewer questions than were asked for, and what would help.
    """

    path: str
    stats: GenerationStats | None
    shortfall: str | None
    findings: list[Finding]
    accepted: list[QAPair]
    rejected: list[RejectedQA]


class RunQuestions(BaseModel):
    """The outcome of a run: accepted and requested questions, failed documents, and the details of each document."""

    run: str
    accepted: int
    target: int
    fell_short: bool
    failed: int
    documents: list[DocumentQuestions]


class QuestionUnderReview(BaseModel):
    """A question of a set: its status, and the pair as it stands; `generated` is the first one, if that differs.

    The revision changes with every decision: send it back, and your decision is refused if another came before it.
    """

    number: int
    status: Status
    revision: int
    pair: QAPair
    generated: QAPair | None


class SetUnderReview(BaseModel):
    """All questions of a run with what was decided about them, and how many are reviewed."""

    run: str
    total: int
    reviewed: int
    dropped: int
    questions: list[QuestionUnderReview]


class ReviewRequest(BaseModel):
    """A decision about one question."""

    model_config = ConfigDict(extra="forbid")

    decision: Literal["keep", "drop", "undo"]
    revision: Revision | None = Field(default=None, description="Only if this is still the question's revision.")


class Mark(BaseModel):
    """A box on a page, as shares of its width and height, from its upper left corner."""

    left: float
    top: float
    width: float
    height: float


class MarkedPage(BaseModel):
    """Where a quote is on a page; no marks if it is not found there."""

    number: int
    of: int
    marks: list[Mark]


class EstimateQuery(BaseModel):
    """What to estimate."""

    document: str = Field(min_length=1, max_length=4096, description="A document, or a folder of them.")
    count: Count | None = Field(default=None, description="Questions per document.")
    mode: Literal["textual", "visual"] = "textual"
    scenario: str | None = Field(default=None, min_length=1, max_length=500)
    total_target: int | None = Field(default=None, ge=1, le=1_000_000, description="Questions of all documents.")
    max_docs: int | None = Field(default=None, ge=1, le=1_000_000, description="Only the first so many documents.")


@router.get("/estimate")
def estimate_questions(service: ServiceDep, asked: Annotated[EstimateQuery, Query()]) -> Estimate:
    """Open a document or a folder, and estimate from it and from past runs what questions about it give and cost."""
    request = GenerateQuestions.model_validate(asked.model_dump(), context={"find": service.find})
    generation = to_generation_request(service.settings, request)
    return questions.estimate_request(service.settings, service.database, generation)


@router.get("/runs/{run}", response_model=RunQuestions)
def show_questions(service: ServiceDep, run: RunId) -> dict[str, Any]:
    """The outcome of a run: the questions of each document with their evidence, accepted and rejected."""
    outcome = questions.load_outcome(service.database, run)
    return questions.outcome_json(outcome, whole=True)


@router.get("/runs/{run}/review", response_model=SetUnderReview)
def show_review(service: ServiceDep, run: RunId) -> dict[str, Any]:
    """The questions of a run with their numbers and what was decided about them; dropped ones too."""
    return load_question_set(service.database, run).to_json()


@router.post("/runs/{run}/review/approve", response_model=SetUnderReview)
def approve_questions(service: ServiceDep, run: RunId) -> dict[str, Any]:
    """Keep every question of a run that is not decided about yet."""
    reviews.approve_questions(service.database, run)
    return load_question_set(service.database, run).to_json()


_DECISIONS = {"keep": reviews.keep_question, "drop": reviews.drop_question, "undo": reviews.undo_decision}


@router.post("/runs/{run}/review/{number}", response_model=QuestionUnderReview)
def review_question(service: ServiceDep, run: RunId, number: Number, asked: ReviewRequest) -> dict[str, Any]:
    """Keep or drop a question, or undo the last decision; `questions/edit` and `questions/regenerate` are jobs."""
    return _DECISIONS[asked.decision](service.database, run, number, asked.revision).to_json()


@router.get("/runs/{run}/pages/{page}", response_class=Response, responses=_IMAGE)
def show_page(service: ServiceDep, run: RunId, page: PageNumber, document: DocumentQuery = None) -> Response:
    """A page of a PDF of the run, as an image."""
    image = source_pages.page_image(source_pages.document_of(service.database.runs.get(run), document), page)
    return Response(image.data, media_type=image.media_type, headers={"Cache-Control": "private, max-age=3600"})


@router.get("/runs/{run}/pages/{page}/marks")
def mark_page(
    service: ServiceDep,
    run: RunId,
    page: PageNumber,
    quote: Annotated[str, Query(min_length=1, max_length=20_000, description="The quote to mark.")],
    document: DocumentQuery = None,
) -> MarkedPage:
    """Where a quote is on a page of a PDF of the run."""
    found = source_pages.marked_page(source_pages.document_of(service.database.runs.get(run), document), page, quote)
    marks = [Mark(**mark._asdict()) for mark in found.marks]
    return MarkedPage(number=found.number, of=found.of, marks=marks)
