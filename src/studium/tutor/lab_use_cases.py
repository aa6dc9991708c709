"""Use cases of labs: start, stop, check, break for practice, run commands."""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from studium.core.domain.errors import BadInput, Conflict, MissingPart, NotFound, StudiumError
from studium.core.reader_process import outside_server

if TYPE_CHECKING:
    from studium.core.app import App
    from studium.core.config import Settings
    from studium.tutor.domain import CheckResult, Device, Diagnosis, Hint, Lab, NetworkState, TypedCommand
    from studium.tutor.labs.finished_lab import Fault
    from studium.tutor.labs.live_labs import LocalLab, RemoteLab
    from studium.tutor.student_store import StudentStore
    from studium.tutor.tutor import NetworkingLabTutor

AnyLab = TypeVar("AnyLab", "LocalLab", "LocalLab | RemoteLab")


@dataclass(frozen=True)
class LabState:
    """The state of a lab: whether it runs and is local, which devices answer, and its network."""

    lab: "Lab"
    live: "NetworkState"
    is_up: bool
    is_ours: bool = True
    answers: dict[str, bool] = field(default_factory=dict)


class CommandResult(NamedTuple):
    """The output of a command, the prompt after it, and its diagnosis."""

    command: str
    output: str
    prompt: str
    diagnosis: "Diagnosis | None"


@dataclass(frozen=True)
class CommandResults:
    """The results of several commands; `stopped` says why some were not run."""

    said: list[CommandResult]
    stopped: str = ""


@dataclass(frozen=True)
class Console:
    """A device's command line that records what is typed and explains mistakes."""

    name: str
    device: "Device"
    student: "StudentStore"
    follower: "NetworkingLabTutor"
    lab: str

    @property
    def prompt(self) -> str:
        """The device's prompt."""
        return self.device.prompt

    def run(self, command: str, timeout: float = 60) -> "tuple[str, Diagnosis | None]":
        """Run a command; return its output and diagnosis."""
        from studium.tutor.domain import TypedCommand

        prompt = self.prompt
        said = self.device.run(command, timeout=timeout)
        if prompt.startswith("Password"):
            return said, None
        self.student.typed(self.lab, TypedCommand(command=command, output=said, prompt=prompt, device=self.name))
        with self.student.update_learner(self.follower):  # the student may have learnt elsewhere since the last command
            found = self.follower.typed(command, said, prompt=prompt, device=self.name)
        return said, found

    def run_all(self, commands: Iterable[str], *, timeout: float, in_all: float) -> CommandResults:
        """Run commands in order; keeps the results so far if the device stops answering."""
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
        """Whether the device supports `?` help."""
        from studium.tutor.devices.ios.device import IosDevice

        return isinstance(self.device, IosDevice) and not self.prompt.startswith("Password")

    def help(self, typed: str) -> str:
        """The `?` help for an unfinished line, which is not recorded."""
        return self.device.run(f"{typed}?")


def resolve_lab_name(settings: "Settings", name: str) -> str:
    """The id of the lab with this unique part of its name, or None."""
    from studium.tutor.labs.reader import find_lab
    from studium.tutor.setup import lab_folders

    with suppress(NotFound):
        return find_lab(name, lab_folders(settings)).name
    return ""


def count_labs(app: "App") -> int:
    """How many labs there are."""
    return len(lab_names(app.settings))


def lab_names(settings: "Settings") -> list[str]:
    """The names of the labs, without their state."""
    from studium.tutor.labs.reader import list_lab_folders
    from studium.tutor.setup import lab_folders

    return sorted(list_lab_folders(lab_folders(settings)))


def list_labs(settings: "Settings") -> "list[tuple[Lab, bool]]":
    """List the labs and whether they are running."""
    from studium.tutor.labs.reader import list_lab_folders
    from studium.tutor.setup import lab_folders, load_lab, open_local_lab

    found = [load_lab(settings, name) for name in sorted(list_lab_folders(lab_folders(settings)))]
    return [(lab, open_local_lab(settings, lab).is_up) for lab in found]


def lab_state(settings: "Settings", name: str) -> LabState:
    """The state of a lab."""
    from studium.tutor.domain import NetworkState
    from studium.tutor.labs.live_labs import LocalLab
    from studium.tutor.setup import live_lab, load_lab

    live = live_lab(settings, load_lab(settings, name))
    if not isinstance(live, LocalLab):
        return LabState(live.lab, NetworkState(), live.is_up, is_ours=False)
    # Stopped meanwhile, or not accessible: then nothing is known about its devices.
    with suppress(NotFound, MissingPart):
        if live.is_up:
            answers, seen = live.testbed.look()
            return LabState(live.lab, seen, is_up=True, answers=answers)
    return LabState(live.lab, NetworkState(), live.is_up)


def missing_requirement() -> MissingPart | None:
    """Why labs cannot run on this machine, if so."""
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
    """The lab on this machine; raises an error unless it runs."""
    return _up(local_lab(settings, name))


def running_lab(settings: "Settings", name: str) -> "LocalLab | RemoteLab":
    """The running lab, on the student's own devices or on this machine."""
    from studium.tutor.setup import live_lab, load_lab

    return _up(live_lab(settings, load_lab(settings, name)))


def lab_up(settings: "Settings", name: str) -> "tuple[LocalLab, float]":
    """Start a lab and forget what was typed in it before."""
    from studium.tutor.setup import student_store

    live, start = local_lab(settings, name), time.perf_counter()
    live.up()
    student_store(settings).forget(live.lab.id)
    return live, time.perf_counter() - start


def lab_down(settings: "Settings", name: str) -> None:
    """Stop a lab and remove its routers."""
    local_lab(settings, name).down()


def reset_lab(settings: "Settings", name: str) -> None:
    """Restore the starting configuration of a lab's routers."""
    from studium.tutor.setup import student_store

    live = running_local_lab(settings, name)
    live.reset()
    student_store(settings).forget(live.lab.id)


def restart_device(settings: "Settings", name: str, device: str) -> None:
    """Restart a router that crashed, with its last saved configuration."""
    running_local_lab(settings, name).testbed.restart(device)


def check_lab(settings: "Settings", name: str, patience: float, replay: Path | None = None) -> "list[CheckResult]":
    """Check which goals are reached and update the student's mastery."""
    from studium.tutor.setup import load_lab, recorded_lab, silent_tutor, student_store

    live = recorded_lab(load_lab(settings, name), read_history_file(replay)) if replay else running_lab(settings, name)
    results = live.check(patience=0 if replay else patience)  # a recording does not change
    following = silent_tutor(settings, live.lab)
    with student_store(settings).update_learner(following):
        following.checked(results)
    return results


def give_hint(settings: "Settings", name: str, check: str, level: int) -> "Hint":
    """Give a hint towards a goal and record that it was needed."""
    from studium.tutor.mastery import Outcome
    from studium.tutor.setup import load_lab, student_store

    lab = load_lab(settings, name)
    found = next((each for each in lab.hints if (each.check, each.level) == (check, level)), None)
    if found is None:
        raise NotFound(f"{lab.id} has no hint of level {level} on `{check}`.", remedy="Ask the tutor.")
    topic = next((each.topic for each in lab.checks if each.id == check), "") or next(iter(lab.topics), "")
    if topic:
        with student_store(settings).update_learner() as known:
            known.learner = known.learner.after(topic, Outcome.HINT_USED, datetime.now(UTC))
    return found


def practice_fault(settings: "Settings", name: str, topic: str | None = None, *, give_up: bool = False) -> "Fault":
    """Inject a fault, a different one each time; or return the last one."""
    from studium.tutor.labs.live_labs import current_fault, inject_fault
    from studium.tutor.setup import student_store

    live = running_local_lab(settings, name)
    if give_up:
        return current_fault(live)
    # Chosen by what the student has done so far, so that the same fault does not come twice in a row.
    return inject_fault(live, topic, len(student_store(settings).history(live.lab.id)) + int(time.time()) // 60)


@contextmanager
def open_console(settings: "Settings", name: str, device: str) -> "Iterator[Console]":
    """Open a device's console in a running lab."""
    from studium.tutor.setup import silent_tutor, student_store

    live, who = running_lab(settings, name), student_store(settings)
    following = silent_tutor(settings, live.lab)
    following.recall(who.history(live.lab.id))
    with closing(live.device(device)) as opened:
        yield Console(device, opened, who, following, live.lab.id)


@outside_server(str)
def read_history_file(path: Path) -> "Sequence[TypedCommand]":
    """Read the commands of a recording."""
    from studium.tutor.transcripts import read_history

    reading = read_history(path)
    if not reading.typed:
        raise BadInput("; ".join(map(str, reading.findings)) or f"{path} has no commands.")
    return reading.typed


def _up(live: AnyLab) -> AnyLab:
    if not live.is_up:
        raise Conflict(f"{live.lab.id} is not running.", remedy=f"studium tutor lab up {live.lab.id}")
    return live
