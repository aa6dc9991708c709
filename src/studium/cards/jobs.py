"""The background jobs of cards: their requests and what each runs."""

import asyncio
import json
import shutil
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field

from studium.cards import use_cases
from studium.cards.use_cases import SyncOptions
from studium.core.config import Settings
from studium.core.domain.run import emit
from studium.core.files import write_text
from studium.core.jobs.job_types import (
    CardTarget,
    Flag,
    InputPath,
    JobContext,
    JobRequest,
    JobResult,
    JobType,
    ShortText,
    example,
)


def _within(note: str) -> str:
    path = PurePosixPath(note)
    if path.is_absolute() or ".." in path.parts or "\0" in note:
        raise ValueError("should be a note's path inside the vault")
    return note


class SyncRequest(JobRequest):
    """Turn the notes of a vault into cards."""

    vault: InputPath
    """The folder of the vault."""
    to: CardTarget = "package"
    """Where the cards go: `anki` (the running Anki), `package` (a file to download), or a path to .apkg or .anki2."""
    note: Annotated[str, Field(max_length=2000), AfterValidator(_within)] | None = None
    """Only this note, by its path in the vault."""
    allow_mass_change: Flag = False
    """Change or suspend any number of cards."""

    model_config = example(vault="samples/vault", to="package")


class ApplyRequest(JobRequest):
    """Apply a plan."""

    plan: Annotated[str, Field(pattern=r"^[\w-]{1,64}$")]
    """The id of the job that made the plan."""
    allow_mass_change: Flag = False
    """Change or suspend any number of cards."""


class UndoRequest(JobRequest):
    """Undo a run."""

    run: ShortText
    """The run's id."""


class RecheckRequest(JobRequest):
    """Check the cards in Anki."""

    vault: InputPath
    """The folder of the vault."""
    to: CardTarget = "anki"
    """`anki`, or a path to a collection file."""
    to_review: Flag = False
    """Put cards that need a person into the inbox."""


class VaultRequest(JobRequest):
    """Recognise the cards of a vault in Anki."""

    vault: InputPath
    """The folder of the vault."""
    to: CardTarget = "anki"
    """`anki`, or a path to a collection file."""


async def _plan(settings: Settings, request: SyncRequest, context: JobContext) -> JobResult:
    return await _synced(settings, request, context, apply=False)


async def _sync(settings: Settings, request: SyncRequest, context: JobContext) -> JobResult:
    return await _synced(settings, request, context, apply=True)


async def _synced(settings: Settings, request: SyncRequest, context: JobContext, **how: bool) -> JobResult:
    to = _destination(settings, request)
    options = SyncOptions(
        Path(request.vault),
        to,
        Path(request.vault) / request.note if request.note else None,
        resume=context.resume,
        mass_change=request.allow_mass_change,
        **how,
    )
    document = use_cases.plan_json(await use_cases.sync(settings, options), to)
    if options.apply and request.to == "package":
        shutil.copyfile(to, context.folder / "cards.apkg")
    if not options.apply:
        write_text(context.folder / "plan.json", json.dumps(document, ensure_ascii=False, indent=1))
    # The decisions are in the database already, so the result leaves them out.
    return {name: value for name, value in document.items() if name not in ("decisions", "notes")}


async def _apply(settings: Settings, request: ApplyRequest, context: JobContext) -> JobResult:
    from studium.cards.sync.engine import PlanFile

    plan = context.folder.with_name(Path(request.plan).name) / "plan.json"
    saved = PlanFile.read(plan)
    applied = await use_cases.apply(settings, plan, mass_change=request.allow_mass_change)
    if saved.to.endswith(".apkg"):
        shutil.copyfile(saved.to, context.folder / "cards.apkg")
    return {"run": saved.run, "done": len(applied.done), "refused": [str(each) for each in applied.faults]}


async def _undo(settings: Settings, request: UndoRequest, _context: JobContext) -> JobResult:
    undone = await asyncio.to_thread(use_cases.undo, settings, request.run)
    left = [str(each) for each in undone.left]
    return {"run": request.run, "restored": undone.restored, "removed": undone.removed, "left": left}


async def _recheck(settings: Settings, request: RecheckRequest, _context: JobContext) -> JobResult:
    vault = Path(request.vault)
    found = await use_cases.recheck(settings, vault, request.to, to_review=request.to_review)
    return use_cases.recheck_json(*found)


async def _adopt(settings: Settings, request: VaultRequest, context: JobContext) -> JobResult:
    return await _synced(settings, SyncRequest(**dict(request)), context, apply=False, remember=True, adopt=True)


async def _rebuild(settings: Settings, request: VaultRequest, context: JobContext) -> JobResult:
    return await _synced(settings, SyncRequest(**dict(request)), context, apply=False, remember=True)


async def _tidy(settings: Settings, request: VaultRequest, _context: JobContext) -> JobResult:
    found = await asyncio.to_thread(use_cases.tidy_media, settings, Path(request.vault), request.to, remove=True)
    return {"removed": found}


async def _watch(settings: Settings, request: SyncRequest, context: JobContext) -> JobResult:
    """Sync after every save, until the job is cancelled."""
    syncs = 0
    for _ in use_cases.watch_notes(Path(request.vault)):
        emit("synced", **await _synced(settings, request, context, apply=True))
        syncs += 1
    return {"syncs": syncs}


def _destination(settings: Settings, request: SyncRequest) -> str:
    """Where the cards go; the package of a vault is always the same file, so that its cards are recognised."""
    if request.to != "package":
        return request.to
    vault = Path(request.vault)
    return str(settings.home / "packages" / f"{vault.name}-{sha256(str(vault).encode()).hexdigest()[:8]}.apkg")


JOB_TYPES = (
    JobType("cards.plan", "Show what a sync of a vault would do; nothing is written.", SyncRequest, _plan),
    JobType(
        "cards.sync", "Turn the notes of a vault into cards, and sync them to Anki.", SyncRequest, _sync, writes=True
    ),
    JobType(
        "cards.watch", "Sync whenever a note is saved, until the job is cancelled.", SyncRequest, _watch, writes=True
    ),
    JobType("cards.apply", "Apply a plan of cards that was made before.", ApplyRequest, _apply, writes=True),
    JobType("cards.undo", "Restore Anki to its state before a run.", UndoRequest, _undo, writes=True),
    JobType(
        "cards.recheck",
        "Find cards that are outdated, broken, duplicated, of low quality, or often forgotten.",
        RecheckRequest,
        _recheck,
    ),
    JobType(
        "cards.adopt", "Take over cards that other tools made; their history stays.", VaultRequest, _adopt, writes=True
    ),
    JobType(
        "cards.rebuild", "Recognise the cards of a vault in Anki after the database was lost.", VaultRequest, _rebuild
    ),
    JobType("cards.tidy", "Move media that no note uses any more to Anki's trash.", VaultRequest, _tidy, writes=True),
)
