"""What can be asked about the machine over HTTP."""

from collections.abc import Mapping

from fastapi import APIRouter
from pydantic import BaseModel

from studium import __version__
from studium.app import system_info
from studium.app.doctor import PartStatus
from studium.core.features import all_job_types
from studium.http.deps import ServiceDep

router = APIRouter(tags=["premises"])


class JobTypeInfo(BaseModel):
    """A job type: `POST /api/v1/cards/sync` starts `cards.sync`."""

    name: str
    told: str
    writes: bool


class Health(BaseModel):
    """That it is there, and which version."""

    version: str
    waiting: int


@router.get("/health")
def health(service: ServiceDep) -> Health:
    """Whether the service is there, and how many reviews wait."""
    return Health(version=__version__, waiting=sum(service.database.reviews.count().values()))


@router.get("/doctor")
def doctor(service: ServiceDep) -> list[PartStatus]:
    """Which real parts are there, and what starts or installs each of the others."""
    return system_info.check_parts(service.settings)


@router.get("/graphs")
def graphs() -> Mapping[str, str]:
    """Every workflow graph, as a Mermaid picture."""
    return system_info.graph_diagrams()


@router.get("/kinds")
def list_job_types() -> list[JobTypeInfo]:
    """Every job type."""
    return [JobTypeInfo(name=kind.name, told=kind.told, writes=kind.writes) for kind in all_job_types().values()]
