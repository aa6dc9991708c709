"""What can be asked of labs: brought up, taken down, checked, broken on purpose, typed in."""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from studium.core.domain.errors import BadInput, Conflict, MissingPart, NotFound, StudiumError

if TYPE_CHECKING:
    from studium.core.app import App
    from studium.core.config import Settings
    from studium.tutor.domain import CheckResult, Device, Diagnosis, Hint, Lab, NetworkState, TypedCommand
    from studium.tutor.faults.finished_lab import Fault
    from studium.tutor.labs.live_labs import LocalLab, RemoteLab
    from studium.tutor.student_store import StudentStore
    from studium.tutor.tutor import NetworkingLabTutor

AnyLab = TypeVar("AnyLab", "LocalLab", "LocalLab | RemoteLab")


@dataclass(frozen=True)
class LabState:
    """How a lab stands: whether it is up, and ours to bring up; which devices answer, and how its network stands."""

    lab: "Lab"
    live: "NetworkState"
    is_up: bool
    is_ours: bool = True
    answers: dict[str, bool] = field(default_factory=dict)


class CommandResult(NamedTuple):
    """What a device said to a command, the prompt after it, and what is wrong with the command."""

    command: str
    output: str
    prompt: str
    diagnosis: "Diagnosis | None"


@dataclass(frozen=True)
class CommandResults:
    """What a device said to each of several commands; `stopped` is why some were not typed."""

    said: list[CommandResult]
    stopped: str = ""


@dataclass(frozen=True)
class Console:
    """A device's own command line, watched: what is typed is remembered, and what goes wrong is explained."""

    name: str
    device: "Device"
    student: "StudentStore"
    follower: "NetworkingLabTutor"
    lab: str

    @property
    def prompt(self) -> str:
        """What the device asks with."""
        return self.device.prompt

    def run(self, command: str, timeout: float = 60) -> "tuple[str, Diagnosis | None]":
        """What the device says to a command, and what is wrong with the command, if anything is."""
        from studium.tutor.domain import TypedCommand

        prompt = self.prompt
        said = self.device.run(command, timeout=timeout)
        if prompt.startswith("Password"):
            return said, None
        self.student.typed(self.lab, TypedCommand(command=command, output=said, prompt=prompt, device=self.name))
        with self.student.learning(self.follower):  # she may have learnt elsewhere since the last command
            found = self.follower.typed(command, said, prompt=prompt, device=self.name)
        return said, found

    def run_all(self, commands: Iterable[str], *, timeout: float, in_all: float) -> CommandResults:
        """Type commands one after the other; what was said is told also if the device then falls silent."""
        said: list[CommandResult] = []
        end = time.monotonic() + in_all
        for command in commands:
            if said and time.monotonic() > end:
                return CommandResults(said, f"The {in_all:g} s for all commands were over.")
            try:
                output, found = self.run(command, timeout=timeout)
            except StudiumError as error:
                if not said:
                    raise
                return CommandResults(said, error.what)
            said.append(CommandResult(command, output, self.prompt, found))
        return CommandResults(said)

    @property
    def helps(self) -> bool:
        """Whether the device can be asked with `?` what may follow."""
        from studium.tutor.devices.ios.device import IosDevice

        return isinstance(self.device, IosDevice) and not self.prompt.startswith("Password")

    def help(self, begun: str) -> str:
        """What may follow what was begun; it does not count as typed."""
        return self.device.run(f"{begun}?")


def resolve_lab_name(settings: "Settings", name: str) -> str:
    """The id of the lab that is meant by as much of it as is unique; nothing if none is."""
    from studium.tutor.labs.reader import find_lab
    from studium.tutor.setup import lab_folders

    with suppress(NotFound):
        return find_lab(name, lab_folders(settings)).name
    return ""


def count_labs(app: "App") -> int:
    """How many labs there are."""
    return len(lab_names(app.settings))


def lab_names(settings: "Settings") -> list[str]:
    """The labs by name, without a look at them."""
    from studium.tutor.labs.reader import list_lab_folders
    from studium.tutor.setup import lab_folders

    return sorted(list_lab_folders(lab_folders(settings)))


def list_labs(settings: "Settings") -> "list[tuple[Lab, bool]]":
    """The labs, and whether they are up."""
    from studium.tutor.labs.reader import list_lab_folders
    from studium.tutor.setup import lab_folders, load_lab, open_local_lab

    found = [load_lab(settings, name) for name in sorted(list_lab_folders(lab_folders(settings)))]
    return [(lab, open_local_lab(settings, lab).is_up) for lab in found]


def lab_state(settings: "Settings", name: str) -> LabState:
    """How a lab stands where it is used."""
    from studium.tutor.domain import NetworkState
    from studium.tutor.labs.live_labs import LocalLab
    from studium.tutor.setup import live_lab, load_lab

    live = live_lab(settings, load_lab(settings, name))
    if not isinstance(live, LocalLab):
        return LabState(live.lab, NetworkState(), live.is_up, is_ours=False)
    # Taken down meanwhile, or not ours to look at: then nothing is known of its devices.
    with suppress(NotFound, MissingPart):
        if live.is_up:
            answers, seen = live.bench.look()
            return LabState(live.lab, seen, is_up=True, answers=answers)
    return LabState(live.lab, NetworkState(), live.is_up)


def missing_requirement() -> MissingPart | None:
    """Why no lab can be brought up on this machine, if so."""
    from studium.tutor.devices.frr.namespaces import find_installation

    try:
        find_installation()
    except MissingPart as missing:
        return missing
    return None


def local_lab(settings: "Settings", name: str) -> "LocalLab":
    """The lab on this machine."""
    from studium.tutor.setup import load_lab, open_local_lab

    return open_local_lab(settings, load_lab(settings, name))


def running_local_lab(settings: "Settings", name: str) -> "LocalLab":
    """The lab on this machine, which must be up."""
    return _up(local_lab(settings, name))


def running_lab(settings: "Settings", name: str) -> "LocalLab | RemoteLab":
    """The lab where it is used: on devices of the student's own, or on this machine."""
    from studium.tutor.setup import live_lab, load_lab

    return _up(live_lab(settings, load_lab(settings, name)))


def lab_up(settings: "Settings", name: str) -> "tuple[LocalLab, float]":
    """Bring a lab up; what was typed in it before is put aside."""
    from studium.tutor.setup import student_store

    live, start = local_lab(settings, name), time.perf_counter()
    live.up()
    student_store(settings).forget(live.lab.id)
    return live, time.perf_counter() - start


def lab_down(settings: "Settings", name: str) -> None:
    """Take a lab down; only what is ours goes."""
    local_lab(settings, name).down()


def reset_lab(settings: "Settings", name: str) -> None:
    """Give a lab's routers their starting configuration again."""
    from studium.tutor.setup import student_store

    live = running_local_lab(settings, name)
    live.reset()
    student_store(settings).forget(live.lab.id)


def restart_device(settings: "Settings", name: str, device: str) -> None:
    """Start a router that died anew, with the configuration it had last saved."""
    running_local_lab(settings, name).bench.restart(device)


def check_lab(settings: "Settings", name: str, patience: float, replay: Path | None = None) -> "list[CheckResult]":
    """Which goals are reached; the student is the wiser for it."""
    from studium.tutor.setup import load_lab, recorded_lab, silent_tutor, student_store

    live = recorded_lab(load_lab(settings, name), read_history_file(replay)) if replay else running_lab(settings, name)
    results = live.check(patience=patience)
    following = silent_tutor(settings, live.lab)
    with student_store(settings).learning(following):
        following.checked(results)
    return results


def give_hint(settings: "Settings", name: str, check: str, level: int) -> "Hint":
    """Help towards a goal; the student is known to have needed it."""
    from studium.tutor.mastery import Outcome
    from studium.tutor.setup import load_lab, student_store

    lab = load_lab(settings, name)
    found = next((each for each in lab.hints if (each.check, each.level) == (check, level)), None)
    if found is None:
        raise NotFound(f"{lab.id} has no hint of level {level} on `{check}`.", remedy="Ask the tutor.")
    topic = next((each.topic for each in lab.checks if each.id == check), "") or next(iter(lab.topics), "")
    if topic:
        with student_store(settings).learning() as known:
            known.learner = known.learner.after(topic, Outcome.HINT_USED, datetime.now(UTC))
    return found


def practice_fault(settings: "Settings", name: str, topic: str | None = None, *, give_up: bool = False) -> "Fault":
    """Make a fault in a lab, another one each time; or the one that was made last."""
    from studium.tutor.faults.injection import current_fault, inject_fault
    from studium.tutor.setup import student_store

    live = running_local_lab(settings, name)
    if give_up:
        return current_fault(live)
    # What she has done so far chooses, so that the same fault does not come twice in a row.
    return inject_fault(live, topic, len(student_store(settings).history(live.lab.id)) + int(time.time()) // 60)


@contextmanager
def open_console(settings: "Settings", name: str, device: str) -> "Iterator[Console]":
    """A device's command line in a lab that is up."""
    from studium.tutor.setup import silent_tutor, student_store

    live, who = running_lab(settings, name), student_store(settings)
    following = silent_tutor(settings, live.lab)
    following.recall(who.history(live.lab.id))
    with closing(live.device(device)) as opened:
        yield Console(device, opened, who, following, live.lab.id)


def read_history_file(path: Path) -> "Sequence[TypedCommand]":
    """What was typed, as a recording of it says."""
    from studium.tutor.transcripts import read_history

    reading = read_history(path)
    if not reading.typed:
        raise BadInput("; ".join(map(str, reading.findings)) or f"{path} holds no commands.")
    return reading.typed


def _up(live: AnyLab) -> AnyLab:
    if not live.is_up:
        raise Conflict(f"{live.lab.id} is not up.", remedy=f"studium tutor lab up {live.lab.id}")
    return live
