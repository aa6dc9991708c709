"""What can be asked about cards over HTTP, besides jobs."""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from studium.cards import use_cases as cardreports
from studium.cards import use_cases as cards
from studium.cards.curriculum import Curriculum
from studium.cards.report import CardsReport
from studium.core.jobs.service import Service
from studium.http.deps import ServiceDep

router = APIRouter(prefix="/cards", tags=["cards"])

VaultPath = Annotated[str, Query(min_length=1, max_length=4096, description="The folder of the vault.")]
DestinationPath = Annotated[
    str, Query(min_length=1, max_length=4096, description="`anki`, or a path to .apkg or .anki2.")
]


class VaultStatus(BaseModel):
    """How a vault and its sink stand."""

    notes: int
    changed_notes: int
    known_cards: int
    suspended_cards: int
    waiting: int
    sink: str


@router.get("/status")
def card_status(service: ServiceDep, vault: VaultPath, to: DestinationPath = "anki") -> VaultStatus:
    """How many notes and cards are known, what changed since, and what waits."""
    return VaultStatus(**cards.status(service.settings, service.find(vault), _sink(service, to)))


@router.get("/curriculum")
def card_curriculum(
    service: ServiceDep,
    vault: VaultPath,
    limit: Annotated[int, Query(ge=1, le=10_000, description="At most so many notes.")] = 100,
) -> Curriculum:
    """In which order to learn the notes, and what is missing."""
    found = cardreports.curriculum(service.settings, service.find(vault))
    return found.model_copy(update={"order": found.order[:limit]})


@router.get("/report")
def card_report(
    service: ServiceDep,
    run: Annotated[str | None, Query(max_length=64, description="A run of cards; without it, the last one.")] = None,
    *,
    every: Annotated[bool, Query(description="Every run that made cards.")] = False,
) -> CardsReport:
    """What the cards reached against what they must reach."""
    return cardreports.report(service.settings, run, every=every)


def _sink(service: Service, to: str) -> str:
    return to if to == "anki" else str(Path(service.find(to)))
