"""Labs over HTTP: what there is to reach, how a lab stands, its devices' command lines, its quiz."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from studium.api.asked import TheService
from studium.domain.errors import NotFound
from studium.domain.lab import Cable, Diagnosis, LabDevice
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


class DeviceCommand(BaseModel):
    """A command to be typed on a device, as if at its prompt after it was just opened."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"command": "show ip route"}]})

    command: str = Field(min_length=1, max_length=1000)


class DeviceSaid(BaseModel):
    """What a device said, and what is wrong with the command, if anything is."""

    output: str
    prompt: str
    diagnosis: Diagnosis | None


@router.get("")
def list_labs(service: TheService) -> list[LabListed]:
    """The labs, and whether they are up."""
    found = labs.labs(service.settings)
    return [LabListed(**lab.model_dump(include=set(LabListed.model_fields)), is_up=up) for lab, up in found]


@router.get("/{lab}")
def show_lab(service: TheService, lab: LabName) -> LabShown:
    """One lab: its network, its goals, and how it stands."""
    return _shown(labs.lab_state(service.settings, lab))


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
    """Type one command on a device of a lab that is up; what goes wrong is explained at once."""
    with labs.open_console(service.settings, lab, device) as console:
        output, found = console.run(given.command, timeout=20)
        return DeviceSaid(output=output, prompt=console.prompt, diagnosis=found)


def _shown(state: LabState) -> LabShown:
    lab = state.lab
    return LabShown(
        **lab.model_dump(include={"id", "title", "goal", "topics", "instructions"}),
        devices=lab.devices,
        cables=lab.cables,
        goals=[LabGoal(**check.model_dump(include=set(LabGoal.model_fields))) for check in lab.checks],
        is_up=state.is_up,
        answers=state.answers,
        carries=state.carries,
    )
