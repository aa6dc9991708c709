"""Create a lab's namespaces and cables: all names carry the lab's prefix, and nothing connects outside."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv4Interface, IPv6Interface, ip_interface
from pathlib import Path

from studium.core.domain.errors import BadInput, MissingPart
from studium.tutor.domain import Lab, LabDevice

RUN = Path("/run/frr")
_DAEMON_FOLDERS = (Path("/usr/lib/frr"), Path("/usr/libexec/frr"))
_PROGRAMS = {
    "vtysh": "sudo apt install frr",
    "ip": "sudo apt install iproute2",
    "setpriv": "sudo apt install util-linux",
}


@dataclass(frozen=True)
class FrrInstallation:
    """The programs that a lab is made of."""

    vtysh: str
    ip: str
    setpriv: str
    daemons: Path


def find_installation() -> FrrInstallation:
    """Find the FRR installation, or raise an error that says what to install."""
    found = {name: _program(name, install) for name, install in _PROGRAMS.items()}
    daemons = next((folder for folder in _DAEMON_FOLDERS if (folder / "zebra").exists()), None)
    if daemons is None:
        raise MissingPart("FRR's routing daemons are not installed.", remedy=f"Run `{_PROGRAMS['vtysh']}`.")
    if os.geteuid() != 0:
        raise MissingPart(
            "Routers in network namespaces need root privileges.",
            remedy="Run the same command with `sudo`, or use the replay devices.",
        )
    return FrrInstallation(**found, daemons=daemons)


def _program(name: str, install: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise MissingPart(f"`{name}` is not installed.", remedy=f"Run `{install}`, or use the replay devices.")
    return path


# The far ends of ports without a cable; no device may have this name.
_SOCKETS = ".sockets"
_DEVICE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")
_LOOPBACK = re.compile(r"lo(?:opback)?\s*(\d+)", re.IGNORECASE)


def interface_names(device: LabDevice) -> dict[str, str]:
    """Map the lab's ports to Linux interfaces; stable for a device."""
    names: dict[str, str] = {}
    for port in device.ports:
        loopback = _LOOPBACK.fullmatch(port.name)
        if loopback:
            # FRR announces `lo` as a host route, as other routers do with their loopbacks.
            names[port.name] = "lo" if int(loopback[1]) == 0 else f"lo{int(loopback[1])}"
        else:
            names[port.name] = f"eth{sum(name.startswith('eth') for name in names.values())}"
    return names


class Wiring:
    """The namespaces of a lab and the links between them."""

    def __init__(self, lab: Lab, prefix: str, programs: FrrInstallation) -> None:
        self.lab = lab
        self.prefix = prefix
        self._ip = programs.ip
        self._names = {device.name: interface_names(device) for device in lab.devices}
        for name in self._names:
            if not _DEVICE_NAME.fullmatch(name):
                raise BadInput(
                    f"A device cannot be called `{name}`.", remedy="Use letters, digits, `-` and `_` in device names."
                )

    def namespace(self, device: str) -> str:
        """The namespace of a device."""
        return f"{self.prefix}-{device}"

    def lay(self) -> None:
        """Create the namespaces and links and assign the hosts' addresses."""
        spaces = [self.namespace(name) for name in (*self._names, _SOCKETS)]
        self._run([f"netns add {space}" for space in spaces])
        self._run([*self._cables(), *self._loose_ends()])
        self._run([f"link set {end} up" for *_, linux, end in self._loose() if linux.startswith("lo")], spaces[-1])
        for device in self.lab.devices:
            self._run(self._settings(device), self.namespace(device.name))

    def clear(self, device: str) -> None:
        """Reset a router's interfaces to their unconfigured state."""
        ports = set(self._names[device].values()) - {"lo"}
        fresh = [f"{what} dev {port}{how}" for port in ports for what, how in _AFRESH]
        # Routes to nowhere belong to no interface: a killed zebra leaves them behind, and the next one keeps them.
        left = ("address flush dev lo scope global", "route flush table main")
        self._run([*fresh, *left], self.namespace(device))

    def _cables(self) -> Iterable[str]:
        for cable in self.lab.cables:
            (one, one_port), (other, other_port) = (self._end(end) for end in (cable.one, cable.other))
            yield f"link add {one_port} netns {one} type veth peer name {other_port} netns {other}"

    def _end(self, written: str) -> tuple[str, str]:
        device, _, port = written.partition(":")
        try:
            return self.namespace(device), self._names[device][port]
        except KeyError:
            raise BadInput(
                f"A cable of {self.lab.id} leads to `{written}`, which does not exist.",
                remedy="Correct the cable in lab.yaml.",
            ) from None

    def _loose_ends(self) -> Iterable[str]:
        sockets = self.namespace(_SOCKETS)
        for device, linux, end in self._loose():
            yield f"link add {linux} netns {self.namespace(device)} type veth peer name {end} netns {sockets}"

    def _loose(self) -> list[tuple[str, str, str]]:
        """The ports without a cable: device, interface and the name of its far end, which is up for loopbacks only."""
        cabled = {end for cable in self.lab.cables for end in (cable.one, cable.other)}
        ports = [
            (device, linux)
            for device, names in self._names.items()
            for port, linux in names.items()
            if linux != "lo" and f"{device}:{port}" not in cabled
        ]
        return [(device, linux, f"end{number}") for number, (device, linux) in enumerate(ports)]

    def _settings(self, device: LabDevice) -> Iterable[str]:
        yield "link set lo up"
        names = self._names[device.name]
        yield from (f"link set {linux} up" for linux in names.values())
        if device.kind == "host":
            for port in device.ports:
                if port.address:
                    yield f"address add {_address(port.address)} dev {names[port.name]}"
            if device.gateway:
                yield f"route add default via {_address(device.gateway).ip}"

    def _run(self, lines: Iterable[str], namespace: str | None = None) -> None:
        command = [self._ip, *(["-netns", namespace] if namespace else []), "-batch", "-"]
        text = "\n".join((*lines, ""))
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)  # noqa: S603 - our words
        if done.returncode:
            raise MissingPart(
                f"The lab's network could not be made: {done.stderr.strip()}",
                remedy="Run it where network namespaces and veth links are allowed (not in a restricted container).",
            )


_AFRESH = (("link set", " down"), ("address flush", ""), ("link set", " up"))


def _address(written: str) -> IPv4Interface | IPv6Interface:
    try:
        return ip_interface("/".join(written.split()))
    except ValueError:
        raise BadInput(f"`{written}` is not an address.", remedy="Write it as in 10.0.0.1/24.") from None


NETNS = Path("/run/netns")
_OURS = "studium-"
_FOLDER = "folder"
_SECONDS = 5.0


def namespace_prefix(folder: Path) -> str:
    """The name prefix of the lab in a folder."""
    return _OURS + sha256(str(folder.resolve()).encode()).hexdigest()[:8]


def claim_folder(folder: Path) -> None:
    """Record the folder of a prefix, so that labs whose folder was deleted can be found."""
    note = RUN / namespace_prefix(folder)
    RUN.mkdir(exist_ok=True)
    note.mkdir(exist_ok=True)
    (note / _FOLDER).write_text(str(folder.resolve()))


def remove_namespaces(prefix: str) -> None:
    """End every process in the namespaces of a prefix and remove namespaces and run files."""
    spaces = [space for space in _below(NETNS) if space.name.startswith(f"{prefix}-")]
    end_processes(spaces)
    for space in spaces:
        subprocess.run(["ip", "netns", "delete", space.name], capture_output=True, check=False)  # noqa: S603, S607 - our words
    for folder in _below(RUN):
        if folder.name == prefix or folder.name.startswith(f"{prefix}-"):
            shutil.rmtree(folder, ignore_errors=True)


def remove_orphans() -> None:
    """Remove the labs whose folders were deleted."""
    for note in _below(RUN):
        with suppress(FileNotFoundError, NotADirectoryError):
            if note.name.startswith(_OURS) and not Path((note / _FOLDER).read_text()).exists():
                remove_namespaces(note.name)


def end_processes(spaces: list[Path]) -> None:
    """End the processes in our namespaces and wait until they have exited."""
    deadline = time.monotonic() + _SECONDS
    while (living := list(_processes(spaces))) and time.monotonic() < deadline:
        for process in living:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.01)


def _processes(spaces: list[Path]) -> Iterator[int]:
    """The running processes in some namespaces, without zombies."""
    wanted = {_identity(space) for space in spaces if space.exists()}
    for entry in Path("/proc").iterdir():
        if wanted and entry.name.isdigit():
            with suppress(OSError):
                if _identity(entry / "ns" / "net") in wanted:
                    yield int(entry.name)


def _identity(space: Path) -> tuple[int, int]:
    found = space.stat()
    return found.st_dev, found.st_ino


def _below(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []
