"""What jobs can do for cards."""

import asyncio
import shutil
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from studium.cards import use_cases as cardreports
from studium.cards import use_cases as cards
from studium.core.config import Settings
from studium.core.domain.run import emit
from studium.core.files import write_text
from studium.core.jobs.job_types import CardTarget, Flag, InputPath, JobContext, JobRequest, JobType, ShortText, example


def _within(note: str) -> str:
    path = PurePosixPath(note)
    if path.is_absolute() or ".." in path.parts or "\0" in note:
        raise ValueError("should be a note's path inside the vault")
    return note


class SyncRequest(JobRequest):
    """Notes that are to become cards."""

    vault: InputPath
    """The folder of the vault."""
    to: CardTarget = "package"
    """Where the cards go: `anki` (the running Anki), `package` (a file to download), or a path to .apkg or .anki2."""
    note: Annotated[str, Field(max_length=2000), AfterValidator(_within)] | None = None
    """Only this note, by its path in the vault."""
    allow_mass_change: Flag = False
    """Change or suspend however many cards."""

    model_config = example(vault="samples/vault", to="package")


class ApplyRequest(JobRequest):
    """A plan that is to be carried out."""

    plan: Annotated[str, Field(pattern=r"^[\w-]{1,64}$")]
    """The id of the job that made the plan."""
    allow_mass_change: Flag = False
    """Change or suspend however many cards."""


class UndoRequest(JobRequest):
    """A run that is to be taken back."""

    run: ShortText
    """The run's id."""


class RecheckRequest(JobRequest):
    """Cards in Anki that are to be looked over."""

    vault: InputPath
    """The folder of the vault."""
    to: CardTarget = "anki"
    """`anki`, or a path to a collection file."""
    to_review: Flag = False
    """Put what needs a person into the inbox."""


class VaultRequest(JobRequest):
    """Cards in Anki that are to be recognised as those of a vault."""

    vault: InputPath
    """The folder of the vault."""
    to: CardTarget = "anki"
    """`anki`, or a path to a collection file."""


async def _plan(settings: Settings, request: SyncRequest, context: JobContext) -> dict[str, Any]:
    return await _synced(settings, request, context, apply=False)


async def _sync(settings: Settings, request: SyncRequest, context: JobContext) -> dict[str, Any]:
    return await _synced(settings, request, context, apply=True)


async def _synced(settings: Settings, request: SyncRequest, context: JobContext, **how: bool) -> dict[str, Any]:
    to = _sink(settings, request)
    wish = cards.SyncOptions(
        Path(request.vault),
        to,
        Path(request.vault) / request.note if request.note else None,
        resume=context.resume,
        mass_change=request.allow_mass_change,
        **how,
    )
    synced = await cards.sync(settings, wish)
    document = cards.plan_json(synced, to)
    if wish.apply and request.to == "package":
        shutil.copyfile(to, context.folder / "cards.apkg")
    if not wish.apply:
        write_text(context.folder / "plan.json", _json(document))
    # The database holds the decisions already; a job that held them too would double it.
    return {name: value for name, value in document.items() if name not in ("decisions", "notes")}


async def _apply(settings: Settings, request: ApplyRequest, context: JobContext) -> dict[str, Any]:
    from studium.cards.sync.engine import PlanFile

    plan = context.folder.with_name(Path(request.plan).name) / "plan.json"
    saved = PlanFile.read(plan)
    applied = await cards.apply(settings, plan, mass_change=request.allow_mass_change)
    if saved.to.endswith(".apkg"):
        shutil.copyfile(saved.to, context.folder / "cards.apkg")
    return {"run": saved.run, "done": len(applied.done), "refused": [str(each) for each in applied.faults]}


async def _undo(settings: Settings, request: UndoRequest, _context: JobContext) -> dict[str, Any]:
    undone = await asyncio.to_thread(cards.undo, settings, request.run)
    left = [str(each) for each in undone.left]
    return {"run": request.run, "restored": undone.restored, "removed": undone.removed, "left": left}


async def _recheck(settings: Settings, request: RecheckRequest, _context: JobContext) -> dict[str, Any]:
    vault = Path(request.vault)
    found = await cardreports.recheck(settings, vault, request.to, to_review=request.to_review)
    return cardreports.recheck_json(*found)


async def _adopt(settings: Settings, request: VaultRequest, context: JobContext) -> dict[str, Any]:
    return await _synced(settings, SyncRequest(**dict(request)), context, apply=False, remember=True, adopt=True)


async def _rebuild(settings: Settings, request: VaultRequest, context: JobContext) -> dict[str, Any]:
    return await _synced(settings, SyncRequest(**dict(request)), context, apply=False, remember=True)


async def _tidy(settings: Settings, request: VaultRequest, _context: JobContext) -> dict[str, Any]:
    found = await asyncio.to_thread(cards.tidy_media, settings, Path(request.vault), request.to, remove=True)
    return {"removed": found}


async def _watch(settings: Settings, request: SyncRequest, context: JobContext) -> dict[str, Any]:
    """Sync after every save; it has no end of its own, so it is cancelled."""
    synced = 0
    for _ in cards.watch_notes(Path(request.vault)):
        emit("synced", **await _synced(settings, request, context, apply=True))
        synced += 1
    return {"syncs": synced}


def _sink(settings: Settings, request: SyncRequest) -> str:
    """Where the cards go; a vault's package is always the same file, so that its cards are known again."""
    if request.to != "package":
        return request.to
    vault = Path(request.vault)
    return str(settings.home / "packages" / f"{vault.name}-{sha256(str(vault).encode()).hexdigest()[:8]}.apkg")


def _json(document: dict[str, Any]) -> str:
    import json

    return json.dumps(document, ensure_ascii=False, indent=1)


JOB_TYPES = (
    JobType("cards.plan", "Say what a sync of a vault would do; nothing is written.", SyncRequest, _plan),
    JobType(
        "cards.sync", "Turn the notes of a vault into cards, and bring Anki in step.", SyncRequest, _sync, writes=True
    ),
    JobType("cards.watch", "Sync whenever a note is saved, until it is cancelled.", SyncRequest, _watch, writes=True),
    JobType("cards.apply", "Carry out a plan of cards that was made before.", ApplyRequest, _apply, writes=True),
    JobType("cards.undo", "Put Anki back as it was before a run.", UndoRequest, _undo, writes=True),
    JobType(
        "cards.recheck",
        "Find cards that are stale, broken, doubled, poor, or often forgotten.",
        RecheckRequest,
        _recheck,
    ),
    JobType(
        "cards.adopt", "Take over cards that other tools made; their history stays.", VaultRequest, _adopt, writes=True
    ),
    JobType(
        "cards.rebuild", "Find the cards of a vault in Anki again after the database was lost.", VaultRequest, _rebuild
    ),
    JobType("cards.tidy", "Move media that no note shows any more to Anki's trash.", VaultRequest, _tidy, writes=True),
)
