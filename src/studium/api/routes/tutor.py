"""The tutor over HTTP: a command diagnosed, a question answered while it is being said."""

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict, Field

from studium.api.asked import TheService
from studium.core.domain.errors import BadInput, StudiumError
from studium.core.jobs.problem_details import problem_details
from studium.domain.lab import Diagnosis, Typed
from studium.faculties import tutor

if TYPE_CHECKING:
    from studium.workflows.tutor.tutor import NetworkingLabTutor

router = APIRouter(prefix="/tutor", tags=["tutor"])


class CommandTyped(BaseModel):
    """A command, what the device said to it, and the prompt it was typed at."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"command": "ip rout 10.0.0.0 255.0.0.0", "output": "% Invalid input", "prompt": "R1(config)#"}
            ]
        },
    )

    command: str = Field(min_length=1, max_length=1000)
    output: str = Field("", max_length=200_000)
    prompt: str | None = Field(None, max_length=200)


class Diagnosed(BaseModel):
    """What is wrong with a command; `complaint` is what the device complained of, if that is known to nobody."""

    diagnosis: Diagnosis | None
    complaint: str | None


class TutorQuestion(BaseModel):
    """A question about a lab; without a history, what was typed in its consoles is known."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"lab": "02-static-routing", "question": "What is a static route?"}]},
    )

    lab: str = Field(min_length=1, max_length=200)
    question: str = Field(min_length=1, max_length=4000)
    history: list[Typed] | None = Field(None, max_length=500)


@router.post("/diagnose")
def diagnose(service: TheService, given: CommandTyped) -> Diagnosed:
    """What is wrong with one command, and how to mend it."""
    found, complaint = tutor.diagnose(service.settings, given.command, given.output, given.prompt)
    return Diagnosed(diagnosis=found, complaint=complaint)


async def _asked(service: TheService, given: TutorQuestion) -> "NetworkingLabTutor":
    """The tutor in the lab, before anything is answered: a wrong name is refused plainly."""
    if not given.question.strip():
        raise BadInput("The question is empty.", remedy="Ask something.")
    return await asyncio.to_thread(tutor.ready_tutor, service.house, given.lab)


@router.post("/chat", response_class=EventSourceResponse)
async def chat(
    service: TheService, given: TutorQuestion, who: Annotated["NetworkingLabTutor", Depends(_asked)]
) -> AsyncIterator[ServerSentEvent]:
    """The answer as it is said (`piece`), then all that it rests on (`answer`); or why there is none (`problem`)."""
    typed = await asyncio.to_thread(tutor.catch_up, service.settings, who)
    history = typed if given.history is None else [each.model_dump() for each in given.history]
    try:
        async for piece in who.ask_stream(given.question, history):
            yield ServerSentEvent(event="piece", data={"text": piece})
        yield ServerSentEvent(event="answer", data=who.answered)
        await asyncio.to_thread(tutor.remember, service.settings, who)
    except StudiumError as error:
        yield ServerSentEvent(event="problem", data=problem_details(error))
