"""Routes of the labs and the tutor: goals, state, device commands, quiz, diagnosis and chat."""

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Depends, Path
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict, Field

from studium.core.domain.errors import BadInput, NotFound, StudiumError
from studium.core.jobs.problem_details import problem_details
from studium.http.deps import ServiceDep
from studium.tutor import lab_use_cases
from studium.tutor import use_cases as tutor
from studium.tutor.domain import Adjacency, Cable, Diagnosis, LabDevice, PortState, TypedCommand
from studium.tutor.lab_use_cases import LabState

if TYPE_CHECKING:
    from studium.tutor.tutor import NetworkingLabTutor


labs_router = APIRouter(prefix="/labs", tags=["labs"])

LabName = Annotated[str, Path(min_length=1, max_length=200, description="The lab's id, or as much as is unique.")]
DeviceName = Annotated[str, Path(min_length=1, max_length=63, description="Which device, as in r1.")]


class LabSummary(BaseModel):
    """A lab in the list."""

    id: str
    title: str
    goal: str
    topics: tuple[str, ...]
    is_up: bool


class LabGoal(BaseModel):
    """A condition that must hold when the lab is done."""

    id: str
    title: str
    kind: str
    device: str
    topic: str


class LabDetail(LabSummary):
    """A lab with its network and its state: which devices answer and which ports (`r1:eth0`) are up."""

    instructions: str
    devices: tuple[LabDevice, ...]
    cables: tuple[Cable, ...]
    goals: list[LabGoal]
    answers: dict[str, bool]
    carries: dict[str, bool]


class QuizQuestionOut(BaseModel):
    """A quiz question without its answer."""

    question: str
    kind: Literal["choice", "command", "short"]
    choices: tuple[str, ...]
    topic: str


class QuizAnswer(BaseModel):
    """The student's answer to a quiz question."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "question": "What is the administrative distance of a static route, unless another one is given?",
                    "answer": "1",
                }
            ]
        },
    )

    question: str = Field(min_length=1, max_length=2000)
    """The question, word for word."""
    answer: str = Field(min_length=1, max_length=2000)


class QuizResult(BaseModel):
    """The grade of an answer (right, partly or wrong) and why."""

    told: str


Command = Annotated[str, Field(min_length=1, max_length=1000)]


class DeviceCommand(BaseModel):
    """One or more commands to run in a new session on a device."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"command": "show ip route"},
                {"commands": ["enable", "configure terminal", "hostname Edge", "end"]},
            ]
        },
    )

    command: Command | None = None
    commands: list[Command] = Field(default=[], max_length=100)
    """Typed one after the other in one conversation, so that configuration mode is kept between them."""


class CommandOutput(BaseModel):
    """The output of a command, the prompt after it, and the diagnosis if the command is wrong."""

    command: str
    output: str
    prompt: str
    diagnosis: Diagnosis | None


class DeviceOutput(BaseModel):
    """The output of the last command; `said` has the output of each.

    If `stopped` is set it says why the commands in `untyped` were not run or not finished.
    """

    output: str
    prompt: str
    diagnosis: Diagnosis | None
    said: list[CommandOutput]
    untyped: list[str]
    stopped: str


class LabStatus(BaseModel):
    """The current state of a lab: reachable devices, ports (`r1:GigabitEthernet0/0`) and neighbours."""

    id: str
    is_up: bool
    answers: dict[str, bool]
    ports: dict[str, PortState]
    adjacencies: tuple[Adjacency, ...]


@labs_router.get("")
def list_labs(service: ServiceDep) -> list[LabSummary]:
    """List the labs and whether they are running."""
    found = lab_use_cases.list_labs(service.settings)
    return [LabSummary(**lab.model_dump(include=set(LabSummary.model_fields)), is_up=up) for lab, up in found]


@labs_router.get("/{lab}")
def show_lab(service: ServiceDep, lab: LabName) -> LabDetail:
    """One lab: its network, its goals and its state."""
    return _lab_detail(lab_use_cases.lab_state(service.settings, lab))


@labs_router.get("/{lab}/state")
def show_state(service: ServiceDep, lab: LabName) -> LabStatus:
    """The current state of a lab's devices, ports and neighbours, read without running commands."""
    state = lab_use_cases.lab_state(service.settings, lab)
    live = state.live
    return LabStatus(
        id=state.lab.id,
        is_up=state.is_up,
        answers=state.answers,
        ports=live.ports,
        adjacencies=live.adjacencies,
    )


@labs_router.get("/{lab}/quiz")
def list_questions(service: ServiceDep, lab: LabName) -> list[QuizQuestionOut]:
    """The quiz questions of a lab, without their answers."""
    found = tutor.quiz_questions(service.settings, lab)
    return [QuizQuestionOut(**each.model_dump(include=set(QuizQuestionOut.model_fields))) for each in found]


@labs_router.post("/{lab}/quiz")
def answer_question(service: ServiceDep, lab: LabName, given: QuizAnswer) -> QuizResult:
    """Grade the answer to a quiz question and update the student's mastery."""
    questions = {each.question: each for each in tutor.quiz_questions(service.settings, lab)}
    if given.question not in questions:
        raise NotFound("This lab has no such question.", remedy=f"GET /api/v1/labs/{lab}/quiz lists them.")
    return QuizResult(told=tutor.grade(service.settings, questions[given.question], given.answer))


@labs_router.post("/{lab}/devices/{device}/commands")
def type_command(service: ServiceDep, lab: LabName, device: DeviceName, given: DeviceCommand) -> DeviceOutput:
    """Run one or more commands on a device of a running lab and explain mistakes."""
    commands = [given.command] if given.command else given.commands
    if not commands or (given.command and given.commands):
        raise BadInput("Either a command or several are typed.", remedy="Give `command` or `commands`.")
    with lab_use_cases.open_console(service.settings, lab, device) as console:
        typed = console.run_all(commands, timeout=20, in_all=60)
    said = [CommandOutput(command=c, output=o, prompt=p, diagnosis=d) for c, o, p, d in typed.said]
    last = said[-1].model_dump(exclude={"command"})
    return DeviceOutput(**last, said=said, untyped=commands[len(said) :], stopped=typed.stopped)


def _lab_detail(state: LabState) -> LabDetail:
    lab = state.lab
    return LabDetail(
        **lab.model_dump(include={"id", "title", "goal", "topics", "instructions"}),
        devices=lab.devices,
        cables=lab.cables,
        goals=[LabGoal(**check.model_dump(include=set(LabGoal.model_fields))) for check in lab.checks],
        is_up=state.is_up,
        answers=state.answers,
        carries={end: port.state == "up" for end, port in state.live.ports.items()},
    )


tutor_router = APIRouter(prefix="/tutor", tags=["tutor"])


class DiagnoseRequest(BaseModel):
    """A command, its output, and the prompt it was typed at."""

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


class DiagnoseResult(BaseModel):
    """The diagnosis of a command; `complaint` is the device's message if no pattern explains it."""

    diagnosis: Diagnosis | None
    complaint: str | None


class ChatRequest(BaseModel):
    """A question about a lab; without a history, the commands typed in its consoles are used."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"lab": "02-static-routing", "question": "What is a static route?"}]},
    )

    lab: str = Field(min_length=1, max_length=200)
    question: str = Field(min_length=1, max_length=4000)
    history: list[TypedCommand] | None = Field(None, max_length=500)


@tutor_router.post("/diagnose")
def diagnose(service: ServiceDep, given: DiagnoseRequest) -> DiagnoseResult:
    """Explain what is wrong with one command and how to fix it."""
    found, complaint = tutor.diagnose(service.settings, given.command, given.output, given.prompt)
    return DiagnoseResult(diagnosis=found, complaint=complaint)


async def _tutor_for(service: ServiceDep, given: ChatRequest) -> "NetworkingLabTutor":
    """The tutor of the lab, opened before the stream starts so that a wrong name is a plain error."""
    if not given.question.strip():
        raise BadInput("The question is empty.", remedy="Ask something.")
    return await asyncio.to_thread(tutor.ready_tutor, service.app, given.lab)


@tutor_router.post("/chat", response_class=EventSourceResponse)
async def chat(
    service: ServiceDep, given: ChatRequest, who: Annotated["NetworkingLabTutor", Depends(_tutor_for)]
) -> AsyncIterator[ServerSentEvent]:
    """Stream the answer (`piece`), then its sources (`answer`), or the error (`problem`)."""
    typed = await asyncio.to_thread(tutor.refresh_tutor, service.settings, who)
    history = typed if given.history is None else [each.model_dump() for each in given.history]
    try:
        async for piece in who.ask_stream(given.question, history):
            yield ServerSentEvent(event="piece", data={"text": piece})
        yield ServerSentEvent(event="answer", data=who.answered)
        await asyncio.to_thread(tutor.save_learning, service.settings, who)
    except StudiumError as error:
        yield ServerSentEvent(event="problem", data=problem_details(error))
