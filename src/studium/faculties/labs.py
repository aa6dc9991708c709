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
    from studium.core.config import Settings
    from studium.domain.lab import Checked, Device, Diagnosis, Hint, Lab, LiveLab, Typed
    from studium.running.tutor.remotelab import RemoteLab
    from studium.running.tutor.runninglab import RunningLab
    from studium.running.tutor.students import Student
    from studium.workflows.tutor.faults.plan import Fault
    from studium.workflows.tutor.tutor import NetworkingLabTutor

AnyLab = TypeVar("AnyLab", "RunningLab", "RunningLab | RemoteLab")


@dataclass(frozen=True)
class LabState:
    """How a lab stands: whether it is up, and ours to bring up; which devices answer, and how its network stands."""

    lab: "Lab"
    live: "LiveLab"
    is_up: bool
    is_ours: bool = True
    answers: dict[str, bool] = field(default_factory=dict)


class Said(NamedTuple):
    """What a device said to a command, the prompt after it, and what is wrong with the command."""

    command: str
    output: str
    prompt: str
    diagnosis: "Diagnosis | None"


@dataclass(frozen=True)
class AllSaid:
    """What a device said to each of several commands; `stopped` is why some were not typed."""

    said: list[Said]
    stopped: str = ""


@dataclass(frozen=True)
class Console:
    """A device's own command line, watched: what is typed is remembered, and what goes wrong is explained."""

    name: str
    device: "Device"
    student: "Student"
    follower: "NetworkingLabTutor"
    lab: str

    @property
    def prompt(self) -> str:
        """What the device asks with."""
        return self.device.prompt

    def run(self, command: str, timeout: float = 60) -> "tuple[str, Diagnosis | None]":
        """What the device says to a command, and what is wrong with the command, if anything is."""
        from studium.domain.lab import Typed

        prompt = self.prompt
        said = self.device.run(command, timeout=timeout)
        if prompt.startswith("Password"):
            return said, None
        self.student.typed(self.lab, Typed(command=command, output=said, prompt=prompt, device=self.name))
        with self.student.learning(self.follower):  # she may have learnt elsewhere since the last command
            found = self.follower.typed(command, said, prompt=prompt, device=self.name)
        return said, found

    def run_all(self, commands: Iterable[str], *, timeout: float, in_all: float) -> AllSaid:
        """Type commands one after the other; what was said is told also if the device then falls silent."""
        said: list[Said] = []
        end = time.monotonic() + in_all
        for command in commands:
            if said and time.monotonic() > end:
                return AllSaid(said, f"The {in_all:g} s for all commands were over.")
            try:
                output, found = self.run(command, timeout=timeout)
            except StudiumError as error:
                if not said:
                    raise
                return AllSaid(said, error.what)
            said.append(Said(command, output, self.prompt, found))
        return AllSaid(said)

    @property
    def helps(self) -> bool:
        """Whether the device can be asked with `?` what may follow."""
        from studium.devices.ios.device import IosDevice

        return isinstance(self.device, IosDevice) and not self.prompt.startswith("Password")

    def help(self, begun: str) -> str:
        """What may follow what was begun; it does not count as typed."""
        return self.device.run(f"{begun}?")


def whole_name(settings: "Settings", name: str) -> str:
    """The id of the lab that is meant by as much of it as is unique; nothing if none is."""
    from studium.bootstrap.tutor import lab_folders
    from studium.readers.labs.reading import find_lab

    with suppress(NotFound):
        return find_lab(name, lab_folders(settings)).name
    return ""


def lab_names(settings: "Settings") -> list[str]:
    """The labs by name, without a look at them."""
    from studium.bootstrap.tutor import lab_folders
    from studium.readers.labs.reading import labs_in

    return sorted(labs_in(lab_folders(settings)))


def labs(settings: "Settings") -> "list[tuple[Lab, bool]]":
    """The labs, and whether they are up."""
    from studium.bootstrap.tutor import lab_folders, lab_named, running_lab
    from studium.readers.labs.reading import labs_in

    found = [lab_named(settings, name) for name in sorted(labs_in(lab_folders(settings)))]
    return [(lab, running_lab(settings, lab).is_up) for lab in found]


def lab_state(settings: "Settings", name: str) -> LabState:
    """How a lab stands where it is used."""
    from studium.bootstrap.tutor import lab_named, live_lab
    from studium.domain.lab import LiveLab
    from studium.running.tutor.runninglab import RunningLab

    live = live_lab(settings, lab_named(settings, name))
    if not isinstance(live, RunningLab):
        return LabState(live.lab, LiveLab(), live.is_up, is_ours=False)
    # Taken down meanwhile, or not ours to look at: then nothing is known of its devices.
    with suppress(NotFound, MissingPart):
        if live.is_up:
            answers, seen = live.bench.look()
            return LabState(live.lab, seen, is_up=True, answers=answers)
    return LabState(live.lab, LiveLab(), live.is_up)


def obstacle() -> MissingPart | None:
    """Why no lab can be brought up on this machine, if so."""
    from studium.devices.frr.installation import installation

    try:
        installation()
    except MissingPart as missing:
        return missing
    return None


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


def lab_down(settings: "Settings", name: str) -> None:
    """Take a lab down; only what is ours goes."""
    local_lab(settings, name).down()


def reset_lab(settings: "Settings", name: str) -> None:
    """Give a lab's routers their starting configuration again."""
    from studium.bootstrap.tutor import student

    live = lab_in_place(settings, name)
    live.reset()
    student(settings).forget(live.lab.id)


def restart_device(settings: "Settings", name: str, device: str) -> None:
    """Start a router that died anew, with the configuration it had last saved."""
    lab_in_place(settings, name).bench.restart(device)


def check_lab(settings: "Settings", name: str, patience: float, replay: Path | None = None) -> "list[Checked]":
    """Which goals are reached; the student is the wiser for it."""
    from studium.bootstrap.tutor import follower, lab_named, replayed_lab, student

    live = replayed_lab(lab_named(settings, name), history_in(replay)) if replay else lab_in_use(settings, name)
    results = live.check(patience=patience)
    following = follower(settings, live.lab)
    with student(settings).learning(following):
        following.checked(results)
    return results


def hint(settings: "Settings", name: str, check: str, level: int) -> "Hint":
    """Help towards a goal; the student is known to have needed it."""
    from studium.bootstrap.tutor import lab_named, student
    from studium.workflows.tutor.mastery.tracing import Outcome

    lab = lab_named(settings, name)
    found = next((each for each in lab.hints if (each.check, each.level) == (check, level)), None)
    if found is None:
        raise NotFound(f"{lab.id} has no hint of level {level} on `{check}`.", remedy="Ask the tutor.")
    topic = next((each.topic for each in lab.checks if each.id == check), "") or next(iter(lab.topics), "")
    if topic:
        with student(settings).learning() as known:
            known.learner = known.learner.after(topic, Outcome.HINT_USED, datetime.now(UTC))
    return found


def fault(settings: "Settings", name: str, topic: str | None = None, *, give_up: bool = False) -> "Fault":
    """Make a fault in a lab, another one each time; or the one that was made last."""
    from studium.bootstrap.tutor import student
    from studium.running.tutor.faulting import inject_fault, present_fault

    live = lab_in_place(settings, name)
    if give_up:
        return present_fault(live)
    # What she has done so far chooses, so that the same fault does not come twice in a row.
    return inject_fault(live, topic, len(student(settings).history(live.lab.id)) + int(time.time()) // 60)


@contextmanager
def open_console(settings: "Settings", name: str, device: str) -> "Iterator[Console]":
    """A device's command line in a lab that is up."""
    from studium.bootstrap.tutor import follower, student

    live, who = lab_in_use(settings, name), student(settings)
    following = follower(settings, live.lab)
    following.recall(who.history(live.lab.id))
    with closing(live.device(device)) as opened:
        yield Console(device, opened, who, following, live.lab.id)


def history_in(path: Path) -> "Sequence[Typed]":
    """What was typed, as a recording of it says."""
    from studium.readers.transcripts.reading import read_history

    reading = read_history(path)
    if not reading.typed:
        raise BadInput("; ".join(map(str, reading.findings)) or f"{path} holds no commands.")
    return reading.typed


def _up(live: AnyLab) -> AnyLab:
    if not live.is_up:
        raise Conflict(f"{live.lab.id} is not up.", remedy=f"studium tutor lab up {live.lab.id}")
    return live
