"""Questions over HTTP: what a run came to, the pages that prove it, and what a run is likely to take."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import BaseModel

from studium.core.domain.finding import Finding
from studium.http.deps import ServiceDep
from studium.questions import source_pages
from studium.questions import use_cases as questions
from studium.questions.domain import GenerationStats, QAPair, RejectedQA
from studium.questions.estimate import Estimate
from studium.questions.jobs import Count, GenerateQuestions, to_generation_request

router = APIRouter(prefix="/questions", tags=["questions"])

RunId = Annotated[str, Path(min_length=1, max_length=64, description="The run's id, or as much of it as is unique.")]
PageNumber = Annotated[int, Path(ge=1, le=100_000, description="The page, counted from 1.")]
DocumentQuery = Annotated[
    str | None, Query(min_length=1, max_length=4096, description="A document of the run; else its only one.")
]
_IMAGE: dict[int | str, dict[str, Any]] = {200: {"content": {"image/jpeg": {}}, "description": "The page."}}


class DocumentQuestions(BaseModel):
    """One document of a run; without `stats` it failed, and the findings say why."""

    path: str
    stats: GenerationStats | None
    findings: list[Finding]
    accepted: list[QAPair]
    rejected: list[RejectedQA]


class RunQuestions(BaseModel):
    """What a run came to: how many questions were accepted, how many documents failed, and all of it."""

    run: str
    accepted: int
    failed: int
    documents: list[DocumentQuestions]


class Mark(BaseModel):
    """A box on a page, as shares of its width and height, from its upper left corner."""

    left: float
    top: float
    width: float
    height: float


class MarkedPage(BaseModel):
    """Where a quote stands on a page; no marks where it is not written there."""

    number: int
    of: int
    marks: list[Mark]


@router.get("/estimate")
def estimate_questions(
    service: ServiceDep,
    document: Annotated[str, Query(min_length=1, max_length=4096, description="A document, or a folder of them.")],
    count: Annotated[Count | None, Query(description="How many questions a document.")] = None,
    mode: Literal["textual", "visual"] = "textual",
    scenario: Annotated[str | None, Query(min_length=1, max_length=500)] = None,
) -> Estimate:
    """What questions about a document or a folder are likely to take, before anything is spent."""
    asked = {"document": document, "count": count, "mode": mode, "scenario": scenario}
    request = GenerateQuestions.model_validate(asked, context={"find": service.find})
    return questions.estimate_request(service.settings, to_generation_request(service.settings, request))


@router.get("/runs/{run}", response_model=RunQuestions)
def show_questions(service: ServiceDep, run: RunId) -> dict[str, Any]:
    """What a run came to: each document, its questions with their proof, and what was refused."""
    asked = questions.load_outcome(service.database, run)
    return questions.outcome_json(asked.run, asked.documents, whole=True)


@router.get("/runs/{run}/pages/{page}", response_class=Response, responses=_IMAGE)
def show_page(service: ServiceDep, run: RunId, page: PageNumber, document: DocumentQuery = None) -> Response:
    """A page of a PDF that was asked about, as it looks."""
    image = source_pages.page_image(source_pages.document_of(service.database.runs.get(run), document), page)
    return Response(image.data, media_type=image.media_type, headers={"Cache-Control": "private, max-age=3600"})


@router.get("/runs/{run}/pages/{page}/marks")
def mark_page(
    service: ServiceDep,
    run: RunId,
    page: PageNumber,
    quote: Annotated[str, Query(min_length=1, max_length=20_000, description="What to look for.")],
    document: DocumentQuery = None,
) -> MarkedPage:
    """Where a quote stands on a page of a PDF that was asked about."""
    found = source_pages.marked_page(source_pages.document_of(service.database.runs.get(run), document), page, quote)
    marks = [Mark(**mark._asdict()) for mark in found.marks]
    return MarkedPage(number=found.number, of=found.of, marks=marks)
