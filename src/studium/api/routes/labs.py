"""Labs over HTTP: what there is to reach, how a lab stands, its devices' command lines, its quiz."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from studium.api.asked import TheService
from studium.core.domain.errors import BadInput, NotFound
from studium.domain.lab import Adjacency, Cable, Diagnosis, LabDevice, LivePort
from studium.faculties import labs, tutor
from studium.faculties.labs import LabState

router = APIRouter(prefix="/labs", tags=["labs"])

LabName = Annotated[str, Path(min_length=1, max_length=200, description="The lab's id, or as much as is unique.")]
DeviceName = Annotated[str, Path(min_length=1, max_length=63, description="Which device, as in r1.")]


class LabListed(BaseModel):
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


class LabShown(LabListed):
    """A lab with its network, and how that stands: which devices answer, and which ports (`r1:eth0`) carry."""

    instructions: str
    devices: tuple[LabDevice, ...]
    cables: tuple[Cable, ...]
    goals: list[LabGoal]
    answers: dict[str, bool]
    carries: dict[str, bool]


class QuizQuestion(BaseModel):
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


class QuizGraded(BaseModel):
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


class CommandSaid(BaseModel):
    """What a device said to a command, the prompt after it, and what is wrong with the command, if anything is."""

    command: str
    output: str
    prompt: str
    diagnosis: Diagnosis | None


class DeviceSaid(BaseModel):
    """What a device said to the last command; `said` is what it said to each.

    Where `stopped` says why, the commands of `untyped` were not typed, or not to their end.
    """

    output: str
    prompt: str
    diagnosis: Diagnosis | None
    said: list[CommandSaid]
    untyped: list[str]
    stopped: str


class LabLive(BaseModel):
    """How a lab stands now: which devices answer, its ports (`r1:GigabitEthernet0/0`), and who is whose neighbour."""

    id: str
    is_up: bool
    answers: dict[str, bool]
    ports: dict[str, LivePort]
    adjacencies: tuple[Adjacency, ...]


@router.get("")
def list_labs(service: TheService) -> list[LabListed]:
    """The labs, and whether they are up."""
    found = labs.labs(service.settings)
    return [LabListed(**lab.model_dump(include=set(LabListed.model_fields)), is_up=up) for lab, up in found]


@router.get("/{lab}")
def show_lab(service: TheService, lab: LabName) -> LabShown:
    """One lab: its network, its goals, and how it stands."""
    return _shown(labs.lab_state(service.settings, lab))


@router.get("/{lab}/state")
def show_state(service: TheService, lab: LabName) -> LabLive:
    """How a lab's devices, ports and neighbours stand now, as its routers say; nothing is typed for it."""
    state = labs.lab_state(service.settings, lab)
    live = state.live
    return LabLive(
        id=state.lab.id,
        is_up=state.is_up,
        answers=state.answers,
        ports=live.ports,
        adjacencies=live.adjacencies,
    )


@router.get("/{lab}/quiz")
def list_questions(service: TheService, lab: LabName) -> list[QuizQuestion]:
    """The questions on a lab, without their answers."""
    found = tutor.quiz_questions(service.settings, lab)
    return [QuizQuestion(**each.model_dump(include=set(QuizQuestion.model_fields))) for each in found]


@router.post("/{lab}/quiz")
def answer_question(service: TheService, lab: LabName, given: QuizAnswer) -> QuizGraded:
    """Answer a question of the quiz; the student is the wiser for it."""
    questions = {each.question: each for each in tutor.quiz_questions(service.settings, lab)}
    if given.question not in questions:
        raise NotFound("That is no question on this lab.", remedy=f"GET /api/v1/labs/{lab}/quiz lists them.")
    return QuizGraded(told=tutor.grade(service.settings, questions[given.question], given.answer))


@router.post("/{lab}/devices/{device}/commands")
def type_command(service: TheService, lab: LabName, device: DeviceName, given: DeviceCommand) -> DeviceSaid:
    """Type a command, or several in one go, on a device of a lab that is up; mistakes are explained at once."""
    commands = [given.command] if given.command else given.commands
    if not commands or (given.command and given.commands):
        raise BadInput("Either a command or several are typed.", remedy="Give `command` or `commands`.")
    with labs.open_console(service.settings, lab, device) as console:
        typed = console.run_all(commands, timeout=20, in_all=60)
    said = [CommandSaid(command=c, output=o, prompt=p, diagnosis=d) for c, o, p, d in typed.said]
    last = said[-1].model_dump(exclude={"command"})
    return DeviceSaid(**last, said=said, untyped=commands[len(said) :], stopped=typed.stopped)


def _shown(state: LabState) -> LabShown:
    lab = state.lab
    return LabShown(
        **lab.model_dump(include={"id", "title", "goal", "topics", "instructions"}),
        devices=lab.devices,
        cables=lab.cables,
        goals=[LabGoal(**check.model_dump(include=set(LabGoal.model_fields))) for check in lab.checks],
        is_up=state.is_up,
        answers=state.answers,
        carries={end: port.state == "up" for end, port in state.live.ports.items()},
    )
