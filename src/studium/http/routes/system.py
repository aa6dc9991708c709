"""Health, the doctor, the graphs and the job types over HTTP."""

from collections.abc import Mapping

from fastapi import APIRouter
from pydantic import BaseModel

from studium import __version__
from studium.app.doctor import PartStatus, check_parts
from studium.app.graphs import graph_diagrams
from studium.core.features import all_job_types
from studium.http.deps import ServiceDep

router = APIRouter(tags=["system"])


class JobTypeInfo(BaseModel):
    """A job type: `POST /api/v1/cards/sync` starts `cards.sync`."""

    name: str
    told: str
    writes: bool


class Health(BaseModel):
    """The version of the service, and how many reviews are open."""

    version: str
    waiting: int


@router.get("/health")
def health(service: ServiceDep) -> Health:
    """Whether the service is up, and how many reviews are open."""
    return Health(version=__version__, waiting=sum(service.database.reviews.count().values()))


@router.get("/doctor")
def doctor(service: ServiceDep) -> list[PartStatus]:
    """Which programs, servers and packages are there, and how to get the others."""
    return check_parts(service.settings)


@router.get("/graphs")
def graphs() -> Mapping[str, str]:
    """Every workflow graph, as a Mermaid diagram."""
    return graph_diagrams()


@router.get("/kinds")
def list_job_types() -> list[JobTypeInfo]:
    """Every job type."""
    return [JobTypeInfo(name=kind.name, told=kind.description, writes=kind.writes) for kind in all_job_types().values()]
