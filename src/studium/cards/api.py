"""The HTTP routes of cards, besides the jobs."""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query

from studium.cards import use_cases
from studium.cards.curriculum import Curriculum
from studium.cards.report import CardsReport
from studium.cards.use_cases import VaultStatus
from studium.core.jobs.service import Service
from studium.http.deps import ServiceDep

router = APIRouter(prefix="/cards", tags=["cards"])

VaultPath = Annotated[str, Query(min_length=1, max_length=4096, description="The folder of the vault.")]
DestinationPath = Annotated[
    str, Query(min_length=1, max_length=4096, description="`anki`, or a path to .apkg or .anki2.")
]


@router.get("/status")
def card_status(service: ServiceDep, vault: VaultPath, to: DestinationPath = "anki") -> VaultStatus:
    """Count the notes and cards of a vault, what changed since the last sync, and what is in review."""
    return use_cases.status(service.settings, service.find(vault), _destination(service, to))


@router.get("/curriculum")
def card_curriculum(
    service: ServiceDep,
    vault: VaultPath,
    limit: Annotated[int, Query(ge=1, le=10_000, description="Return up to this many notes.")] = 100,
) -> Curriculum:
    """Order the notes of a vault for learning, and list its gaps."""
    found = use_cases.curriculum(service.settings, service.find(vault))
    return found.model_copy(update={"order": found.order[:limit]})


@router.get("/report")
def card_report(
    service: ServiceDep,
    run: Annotated[str | None, Query(max_length=64, description="A run of cards; by default the last one.")] = None,
    *,
    every: Annotated[bool, Query(description="Every run that made cards.")] = False,
) -> CardsReport:
    """Compare the cards of a run with the targets."""
    return use_cases.report(service.settings, run, every=every)


def _destination(service: Service, to: str) -> str:
    return to if to == "anki" else str(Path(service.find(to)))
