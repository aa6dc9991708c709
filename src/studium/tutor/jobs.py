"""The tutor's background jobs."""

import asyncio
from pathlib import Path
from typing import Annotated

from pydantic import Field

from studium.core.config import Settings
from studium.core.jobs.job_types import (
    Flag,
    InputPath,
    JobContext,
    JobRequest,
    JobResult,
    JobType,
    ShortText,
    TextLine,
    example,
)
from studium.tutor import lab_use_cases
from studium.tutor import use_cases as tutor


class LabRequest(JobRequest):
    """A job on a lab."""

    lab: ShortText
    """The lab's id or a unique part of it."""

    model_config = example(lab="02-static-routing")


class DeviceRequest(LabRequest):
    """A job on a device of a lab."""

    device: ShortText
    """Which router, as in r1."""


class CheckRequest(LabRequest):
    """Check the goals of a lab."""

    patience: Annotated[float, Field(ge=0, le=120)] = 5.0
    """Seconds to wait for routing to converge."""
    replay: InputPath | None = None
    """Check a console recording instead of devices."""


class FaultRequest(LabRequest):
    """Break a lab for practice."""

    topic: TextLine | None = None
    """Topic of the fault."""
    give_up: Flag = False
    """Reveal the last fault."""


class DocumentsRequest(JobRequest):
    """Add documents for the tutor to search."""

    folder: InputPath
    """A folder of documents."""


class PatternsRequest(JobRequest):
    """Propose error patterns from a transcript."""

    transcript: InputPath
    """Typed commands with their output."""


class AskRequest(LabRequest):
    """A question about a lab."""

    question: Annotated[str, Field(min_length=1, max_length=4000)]
    """What the student wants to know."""
    history: InputPath | None = None
    """What was typed: a console recording, JSON, or one command per line."""


class PrepareRequest(JobRequest):
    """Prepare the search index; takes no arguments."""


async def _up(settings: Settings, request: LabRequest, _context: JobContext) -> JobResult:
    live, seconds = await asyncio.to_thread(lab_use_cases.lab_up, settings, request.lab)
    return {"lab": live.lab.id, "goal": live.lab.goal, "seconds": seconds}


async def _down(settings: Settings, request: LabRequest, _context: JobContext) -> JobResult:
    await asyncio.to_thread(lab_use_cases.lab_down, settings, request.lab)
    return {"lab": request.lab}


async def _reset(settings: Settings, request: LabRequest, _context: JobContext) -> JobResult:
    await asyncio.to_thread(lab_use_cases.reset_lab, settings, request.lab)
    return {"lab": request.lab}


async def _restart(settings: Settings, request: DeviceRequest, _context: JobContext) -> JobResult:
    await asyncio.to_thread(lab_use_cases.restart_device, settings, request.lab, request.device)
    return {"lab": request.lab, "device": request.device}


async def _check(settings: Settings, request: CheckRequest, _context: JobContext) -> JobResult:
    replay = Path(request.replay) if request.replay else None
    results = await asyncio.to_thread(lab_use_cases.check_lab, settings, request.lab, request.patience, replay)
    return {"lab": request.lab, "goals": [each.model_dump(mode="json") for each in results]}


async def _break(settings: Settings, request: FaultRequest, _context: JobContext) -> JobResult:
    found = await asyncio.to_thread(
        lab_use_cases.practice_fault, settings, request.lab, request.topic, give_up=request.give_up
    )
    if not request.give_up:
        return {"lab": request.lab, "question": found.question}
    return {"lab": request.lab, "cause": found.cause, "device": found.device, "mending": list(found.mending)}


async def _documents(settings: Settings, request: DocumentsRequest, _context: JobContext) -> JobResult:
    read = await asyncio.to_thread(tutor.add_documents, settings, Path(request.folder))
    return {"passages": len(read.passages), "findings": [str(each) for each in read.findings]}


async def _patterns(settings: Settings, request: PatternsRequest, _context: JobContext) -> JobResult:
    found = await tutor.learn_patterns(settings, Path(request.transcript))
    return {"proposals": [each.model_dump(mode="json", exclude={"proposal_schema"}) for each in found]}


async def _ask(settings: Settings, request: AskRequest, _context: JobContext) -> JobResult:
    history = Path(request.history) if request.history else None
    return {**await tutor.ask(settings, request.lab, request.question, history)}


async def _prepare(settings: Settings, _request: PrepareRequest, _context: JobContext) -> JobResult:
    await asyncio.to_thread(tutor.prepare_search, settings)
    return {"prepared": True}


JOB_TYPES = (
    JobType(
        "tutor.up", "Start a lab: routers on this machine, with the lab's starting configuration.", LabRequest, _up
    ),
    JobType("tutor.down", "Stop a lab and remove its routers.", LabRequest, _down),
    JobType(
        "tutor.reset", "Restore the starting configuration of every router of a lab.", LabRequest, _reset, writes=True
    ),
    JobType("tutor.restart", "Restart a router that crashed.", DeviceRequest, _restart),
    JobType("tutor.check", "Show which goals of a lab are reached and what is missing.", CheckRequest, _check),
    JobType("tutor.break", "Break a lab for practice, or reveal what was broken.", FaultRequest, _break, writes=True),
    JobType("tutor.documents", "Add a folder of documents for the tutor to search.", DocumentsRequest, _documents),
    JobType("tutor.patterns", "Propose patterns for messages that none explains yet.", PatternsRequest, _patterns),
    JobType(
        "tutor.prepare",
        "Prepare the search by meaning.",
        PrepareRequest,
        _prepare,
    ),
    JobType(
        "tutor.ask", "Answer a question about a lab from the typed commands and the knowledge base.", AskRequest, _ask
    ),
)
