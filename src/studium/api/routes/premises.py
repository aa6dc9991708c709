"""What can be asked about the machine over HTTP."""

from collections.abc import Mapping

from fastapi import APIRouter
from pydantic import BaseModel

from studium import __version__
from studium.api.asked import TheService
from studium.doctor import Part
from studium.faculties import premises
from studium.service.kinds.registry import all_kinds

router = APIRouter(tags=["premises"])


class KindOfOrder(BaseModel):
    """Something that can be ordered: `POST /api/v1/cards/sync` orders `cards.sync`."""

    name: str
    told: str
    writes: bool


class Health(BaseModel):
    """That it is there, and which version."""

    version: str
    waiting: int


@router.get("/health")
def health(service: TheService) -> Health:
    """Whether the service is there, and how many reviews wait."""
    return Health(version=__version__, waiting=sum(service.ledger.reviews.count().values()))


@router.get("/doctor")
def doctor(service: TheService) -> list[Part]:
    """Which real parts are there, and what starts or installs each of the others."""
    return premises.parts(service.settings)


@router.get("/graphs")
def graphs() -> Mapping[str, str]:
    """Every workflow graph, as a Mermaid picture."""
    return premises.pictures()


@router.get("/kinds")
def kinds() -> list[KindOfOrder]:
    """All that can be ordered."""
    return [KindOfOrder(name=kind.name, told=kind.told, writes=kind.writes) for kind in all_kinds().values()]
