"""Runs over HTTP: what was run, and what each run took and brought."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from studium.core.database import Metrics
from studium.core.domain.decision import Action, Decision
from studium.core.domain.run import Run
from studium.http.deps import Listing, PageParams, ServiceDep

router = APIRouter(tags=["runs"])

Id = Annotated[str, Path(min_length=1, max_length=64, description="The run's id, or as much of it as is unique.")]


@router.get("/runs")
def list_runs(
    service: ServiceDep, page: PageParams, feature: Annotated[str | None, Query(max_length=50)] = None
) -> Listing[Run]:
    """The last runs, newest first."""
    found = service.database.runs.newest(page.limit, page.offset, feature=feature)
    return page.of(found, service.database.runs.count(feature))


@router.get("/runs/{run}")
def show_run(service: ServiceDep, run: Id) -> Run:
    """One run."""
    return service.database.runs.get(run)


@router.get("/runs/{run}/metrics")
def run_metrics(service: ServiceDep, run: Id) -> Metrics:
    """What a run took and brought: actions, scores, findings, and each skill's calls, latency and cost."""
    return service.database.metrics.measure(service.database.runs.get(run).id)


@router.get("/runs/{run}/decisions")
def run_decisions(
    service: ServiceDep,
    page: PageParams,
    run: Id,
    action: Annotated[Action | None, Query(description="Only these; without it, all.")] = None,
) -> Listing[Decision]:
    """What was decided in a run, in the order in which it was."""
    found, total = service.database.items.decisions_page(run, action, limit=page.limit, offset=page.offset)
    return page.of(found, total)


@router.get("/metrics")
def all_metrics(service: ServiceDep) -> Metrics:
    """What every run together took and brought."""
    return service.database.metrics.measure()
