"""Labs over HTTP: what there is to reach, how a lab stands, its devices' command lines, its quiz."""

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
    """A lab, in short."""

    id: str
    title: str
    goal: str
    topics: tuple[str, ...]
    is_up: bool


class LabGoal(BaseModel):
    """Something that must hold when the lab is done."""

    id: str
    title: str
    kind: str
    device: str
    topic: str


class LabDetail(LabSummary):
    """A lab with its network, and how that stands: which devices answer, and which ports (`r1:eth0`) carry."""

    instructions: str
    devices: tuple[LabDevice, ...]
    cables: tuple[Cable, ...]
    goals: list[LabGoal]
    answers: dict[str, bool]
    carries: dict[str, bool]


class QuizQuestionOut(BaseModel):
    """A question of the quiz, as it is asked."""

    question: str
    kind: Literal["choice", "command", "short"]
    choices: tuple[str, ...]
    topic: str


class QuizAnswer(BaseModel):
    """An answer to a question of the quiz."""

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
    """What is said to an answer: right, partly or wrong, and why."""

    told: str


Command = Annotated[str, Field(min_length=1, max_length=1000)]


class DeviceCommand(BaseModel):
    """A command, or several in one go, to be typed on a device as if at its prompt after it was just opened."""

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
    """What a device said to a command, the prompt after it, and what is wrong with the command, if anything is."""

    command: str
    output: str
    prompt: str
    diagnosis: Diagnosis | None


class DeviceOutput(BaseModel):
    """What a device said to the last command; `said` is what it said to each.

    Where `stopped` says why, the commands of `untyped` were not typed, or not to their end.
    """

    output: str
    prompt: str
    diagnosis: Diagnosis | None
    said: list[CommandOutput]
    untyped: list[str]
    stopped: str


class LabStatus(BaseModel):
    """How a lab stands now: which devices answer, its ports (`r1:GigabitEthernet0/0`), and who is whose neighbour."""

    id: str
    is_up: bool
    answers: dict[str, bool]
    ports: dict[str, PortState]
    adjacencies: tuple[Adjacency, ...]


@labs_router.get("")
def list_labs(service: ServiceDep) -> list[LabSummary]:
    """The labs, and whether they are up."""
    found = lab_use_cases.list_labs(service.settings)
    return [LabSummary(**lab.model_dump(include=set(LabSummary.model_fields)), is_up=up) for lab, up in found]


@labs_router.get("/{lab}")
def show_lab(service: ServiceDep, lab: LabName) -> LabDetail:
    """One lab: its network, its goals, and how it stands."""
    return _lab_detail(lab_use_cases.lab_state(service.settings, lab))


@labs_router.get("/{lab}/state")
def show_state(service: ServiceDep, lab: LabName) -> LabStatus:
    """How a lab's devices, ports and neighbours stand now, as its routers say; nothing is typed for it."""
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
    """The questions on a lab, without their answers."""
    found = tutor.quiz_questions(service.settings, lab)
    return [QuizQuestionOut(**each.model_dump(include=set(QuizQuestionOut.model_fields))) for each in found]


@labs_router.post("/{lab}/quiz")
def answer_question(service: ServiceDep, lab: LabName, given: QuizAnswer) -> QuizResult:
    """Answer a question of the quiz; the student is the wiser for it."""
    questions = {each.question: each for each in tutor.quiz_questions(service.settings, lab)}
    if given.question not in questions:
        raise NotFound("That is no question on this lab.", remedy=f"GET /api/v1/labs/{lab}/quiz lists them.")
    return QuizResult(told=tutor.grade(service.settings, questions[given.question], given.answer))


@labs_router.post("/{lab}/devices/{device}/commands")
def type_command(service: ServiceDep, lab: LabName, device: DeviceName, given: DeviceCommand) -> DeviceOutput:
    """Type a command, or several in one go, on a device of a lab that is up; mistakes are explained at once."""
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


class DiagnoseResult(BaseModel):
    """What is wrong with a command; `complaint` is what the device complained of, if that is known to nobody."""

    diagnosis: Diagnosis | None
    complaint: str | None


class ChatRequest(BaseModel):
    """A question about a lab; without a history, what was typed in its consoles is known."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"lab": "02-static-routing", "question": "What is a static route?"}]},
    )

    lab: str = Field(min_length=1, max_length=200)
    question: str = Field(min_length=1, max_length=4000)
    history: list[TypedCommand] | None = Field(None, max_length=500)


@tutor_router.post("/diagnose")
def diagnose(service: ServiceDep, given: DiagnoseRequest) -> DiagnoseResult:
    """What is wrong with one command, and how to mend it."""
    found, complaint = tutor.diagnose(service.settings, given.command, given.output, given.prompt)
    return DiagnoseResult(diagnosis=found, complaint=complaint)


async def _tutor_for(service: ServiceDep, given: ChatRequest) -> "NetworkingLabTutor":
    """The tutor in the lab, before anything is answered: a wrong name is refused plainly."""
    if not given.question.strip():
        raise BadInput("The question is empty.", remedy="Ask something.")
    return await asyncio.to_thread(tutor.ready_tutor, service.app, given.lab)


@tutor_router.post("/chat", response_class=EventSourceResponse)
async def chat(
    service: ServiceDep, given: ChatRequest, who: Annotated["NetworkingLabTutor", Depends(_tutor_for)]
) -> AsyncIterator[ServerSentEvent]:
    """The answer as it is said (`piece`), then all that it rests on (`answer`); or why there is none (`problem`)."""
    typed = await asyncio.to_thread(tutor.refresh_tutor, service.settings, who)
    history = typed if given.history is None else [each.model_dump() for each in given.history]
    try:
        async for piece in who.ask_stream(given.question, history):
            yield ServerSentEvent(event="piece", data={"text": piece})
        yield ServerSentEvent(event="answer", data=who.answered)
        await asyncio.to_thread(tutor.save_learning, service.settings, who)
    except StudiumError as error:
        yield ServerSentEvent(event="problem", data=problem_details(error))
