"""What the commands of `studium tutor` do, between reading the flags and saying what came of it."""

import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from studium.cli.console import say
from studium.cli.progress import progress_bar
from studium.domain.errors import BadInput, NotFound

if TYPE_CHECKING:
    from studium.domain.decision import Decision
    from studium.domain.lab import Checked, Diagnosis, Lab, Typed
    from studium.running.tutor.remotelab import RemoteLab
    from studium.running.tutor.runninglab import RunningLab
    from studium.settings import Settings
    from studium.workflows.tutor.faults.plan import Fault
    from studium.workflows.tutor.knowledge.documents import DocumentsRead
    from studium.workflows.tutor.looking import Permission
    from studium.workflows.tutor.tutor import NetworkingLabTutor

AnyLab = TypeVar("AnyLab", "RunningLab", "RunningLab | RemoteLab")


def labs(settings: "Settings") -> "list[tuple[Lab, bool]]":
    """The labs, and whether they are up."""
    from studium.bootstrap.tutor import lab_folders, lab_named, running_lab
    from studium.readers.labs.reading import labs_in

    found = [lab_named(settings, name) for name in sorted(labs_in(lab_folders(settings)))]
    return [(lab, running_lab(settings, lab).is_up) for lab in found]


def local_lab(settings: "Settings", name: str) -> "RunningLab":
    """The lab on this machine."""
    from studium.bootstrap.tutor import lab_named, running_lab

    return running_lab(settings, lab_named(settings, name))


def lab_in_place(settings: "Settings", name: str) -> "RunningLab":
    """The lab on this machine, which must be up."""
    return _up(local_lab(settings, name))


def lab_in_use(settings: "Settings", name: str) -> "RunningLab | RemoteLab":
    """The lab where it is used: on devices of the student's own, or on this machine."""
    from studium.bootstrap.tutor import lab_named, live_lab

    return _up(live_lab(settings, lab_named(settings, name)))


def lab_up(settings: "Settings", name: str) -> "tuple[RunningLab, float]":
    """Bring a lab up; what was typed in it before is put aside."""
    from studium.bootstrap.tutor import student

    live, start = local_lab(settings, name), time.perf_counter()
    live.up()
    student(settings).forget(live.lab.id)
    return live, time.perf_counter() - start


def reset_lab(settings: "Settings", name: str) -> None:
    """Give a lab's routers their starting configuration again."""
    from studium.bootstrap.tutor import student

    live = lab_in_place(settings, name)
    live.reset()
    student(settings).forget(live.lab.id)


def check_lab(settings: "Settings", name: str, patience: float, replay: Path | None) -> "list[Checked]":
    """Which goals are reached; the student is the wiser for it."""
    from studium.bootstrap.tutor import follower, lab_named, replayed_lab, student

    live = replayed_lab(lab_named(settings, name), _history(replay)) if replay else lab_in_use(settings, name)
    results = live.check(patience=patience)
    following = follower(settings, live.lab)
    following.checked(results)
    student(settings).remember(following.learner)
    return results


async def ask(settings: "Settings", name: str, question: str, history: Path | None) -> dict[str, Any]:
    """One question, answered."""
    from studium.bootstrap.house import open_house

    _prepare(settings)
    async with open_house(settings) as house:
        tutor = _tutor(house, name, history)
        answer = await tutor.ask(question)
        _remember(settings, tutor)
        return answer


async def chat(settings: "Settings", name: str, history: Path | None) -> None:
    """A conversation, until an empty line."""
    from studium.bootstrap.house import open_house

    _prepare(settings)
    async with open_house(settings) as house:
        tutor = _tutor(house, name, history, _allowed)
        say(f"{tutor.lab.title if tutor.lab else name}. Ask; an empty line ends it.", "dim")
        while question := _line("> "):
            async for piece in tutor.ask_stream(question):
                typer.echo(piece, nl=False)
            typer.echo("\n")
            _remember(settings, tutor)


def diagnose(
    settings: "Settings", command: str, output: str, prompt: str | None
) -> "tuple[Diagnosis | None, str | None]":
    """What is wrong with one command; and what the device complained of, if that is known to nobody."""
    from studium.bootstrap.tutor import error_detector
    from studium.workflows.tutor.pattern_learning.complaints import complaint_in

    if output == "-":
        text = sys.stdin.read()
    else:
        try:
            text = Path(output).read_bytes().decode("utf-8", "replace")
        except OSError as error:
            raise BadInput(f"{output} cannot be read: {error.strerror}.") from error
    found = error_detector(settings).detect(command, text, prompt)
    return found, None if found else complaint_in(command, text)


def console(settings: "Settings", name: str, device: str) -> None:
    """A device's own command line; what goes wrong on it is explained at once."""
    from studium.bootstrap.tutor import follower, student
    from studium.domain.lab import Typed

    live, who = lab_in_use(settings, name), student(settings)
    following = follower(settings, live.lab)
    following.recall(who.history(live.lab.id))
    with closing(live.device(device)) as opened:
        while (command := _line(opened.prompt, ends="\x04")) is not None:
            prompt = opened.prompt
            said = opened.run(command, timeout=60)
            if said:
                typer.echo(said)
            who.typed(live.lab.id, Typed(command=command, output=said, prompt=prompt, device=device))
            if found := following.typed(command, said, prompt=prompt, device=device):
                say(f"  {found.diagnosis} {found.fix}", "yellow")
            who.remember(following.learner)


def quiz(settings: "Settings", name: str, count: int) -> None:
    """So many questions, each answered, graded and explained."""
    from datetime import UTC, datetime

    from studium.bootstrap.tutor import lab_folders, lab_named, student
    from studium.readers.labs.reading import find_lab
    from studium.running.tutor.quizzing import graded, questions_of
    from studium.workflows.tutor.quiz.choosing import next_question

    lab, who = lab_named(settings, name), student(settings)
    questions = questions_of(find_lab(lab.id, lab_folders(settings)))
    asked: list[str] = []
    for _ in range(count):
        question = next_question(questions, who.learner(), datetime.now(UTC), asked)
        if question is None:
            break
        asked.append(question.question)
        say(f"\n{question.question}", "bold")
        for letter, choice in zip("abcdefgh", question.choices, strict=False):
            say(f"  {letter}) {choice}")
        answer = _line("> ")
        if not answer:
            return
        told, learner = graded(question, answer, who.learner(), datetime.now(UTC))
        who.remember(learner)
        say(told)


def fault(settings: "Settings", name: str, topic: str | None, *, give_up: bool) -> "Fault":
    """Make a fault in a lab, another one each time; or the one that was made last."""
    from studium.bootstrap.tutor import student
    from studium.running.tutor.faulting import inject_fault, present_fault

    live = lab_in_place(settings, name)
    if give_up:
        return present_fault(live)
    # What she has done so far chooses, so that the same fault does not come twice in a row.
    return inject_fault(live, topic, len(student(settings).history(live.lab.id)) + int(time.time()) // 60)


def add_documents(settings: "Settings", folder: Path) -> "DocumentsRead":
    """Let the tutor look things up in a folder, too."""
    from studium.bootstrap.tutor import add_documents as keep
    from studium.workflows.tutor.knowledge.documents import read_documents

    if not folder.is_dir():
        raise NotFound(f"{folder} is no folder.")
    read = read_documents(folder)
    if not read.passages:
        raise BadInput(f"There is no document in {folder} that can be read.")
    keep(settings, folder)
    return read


async def learn_patterns(settings: "Settings", transcript: Path) -> "Sequence[Decision]":
    """Propose patterns; each waits for a person, and those that were approved since are kept."""
    from studium.bootstrap.house import open_house
    from studium.bootstrap.tutor import error_detector, learnt_patterns
    from studium.running.tutor.learning import keep_patterns, pattern_job

    async with open_house(settings) as house:
        report = await house.runner().run(pattern_job(error_detector(settings), _history(transcript), str(transcript)))
    keep_patterns(report.plan.decisions, learnt_patterns(settings))
    return report.plan.decisions


def _prepare(settings: "Settings") -> None:
    from studium.bootstrap.tutor import prepare_knowledge
    from studium.running.job import Progress

    with progress_bar("preparing what can be looked up, once") as show:
        prepare_knowledge(settings, lambda done, total: show(Progress(done, total, "")))


def _allowed(device: str, command: str) -> bool:
    """Whether the student lets the tutor type a command that may change something."""
    return sys.stdin.isatty() and typer.confirm(f"The tutor wants to type `{command}` on {device}. May it?")


def _tutor(house: Any, name: str, history: Path | None, allowed: "Permission | None" = None) -> "NetworkingLabTutor":
    """The tutor in a lab, who has seen what was typed; of a lab that is up, its routers too."""
    from studium.bootstrap.tutor import lab_named, live_lab, student, tutor

    settings = house.settings
    lab = lab_named(settings, name)
    live = live_lab(settings, lab, allowed) if allowed else live_lab(settings, lab)
    made = tutor(house, lambda: live if live.is_up else None)
    made.start_lab(lab.id)
    # What was typed in the console was learnt from there and then, and a file may be given with every question.
    made.recall(_history(history) if history else student(settings).history(lab.id))
    if live.is_up:
        made.checked(live.check())
    return made


def _remember(settings: "Settings", tutor: "NetworkingLabTutor") -> None:
    from studium.bootstrap.tutor import student

    student(settings).remember(tutor.learner)


def _history(path: Path) -> "Sequence[Typed]":
    from studium.readers.transcripts.reading import read_history

    reading = read_history(path)
    if not reading.typed:
        raise BadInput("; ".join(map(str, reading.findings)) or f"{path} holds no commands.")
    return reading.typed


def _up(live: AnyLab) -> AnyLab:
    if not live.is_up:
        raise NotFound(f"{live.lab.id} is not up.", remedy=f"studium tutor lab up {live.lab.id}")
    return live


def _line(prompt: str, ends: str = "") -> str | None:
    """A line of the student; None at the end of the input."""
    try:
        line = input(prompt)
    except EOFError:
        return None
    return None if ends and line == ends else line
