"""A lab's namespaces and cables: everything carries the lab's own prefix, and nothing leads out."""

import re
import subprocess
from collections.abc import Iterable
from ipaddress import IPv4Interface, IPv6Interface, ip_interface

from studium.core.domain.errors import BadInput, MissingPart
from studium.devices.frr.installation import Installation
from studium.domain.lab import Lab, LabDevice

# The far ends of ports that have no cable; no device may bear this name.
_SOCKETS = ".sockets"
_DEVICE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")
_LOOPBACK = re.compile(r"lo(?:opback)?\s*(\d+)", re.IGNORECASE)


def interface_names(device: LabDevice) -> dict[str, str]:
    """Which Linux interface stands for which port of the lab: always the same for the same device."""
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

    def __init__(self, lab: Lab, prefix: str, programs: Installation) -> None:
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
        """The namespace a device lives in."""
        return f"{self.prefix}-{device}"

    def lay(self) -> None:
        """Make the namespaces and the links, and give the hosts their addresses."""
        spaces = [self.namespace(name) for name in (*self._names, _SOCKETS)]
        self._run([f"netns add {space}" for space in spaces])
        self._run([*self._cables(), *self._loose_ends()])
        self._run([f"link set {end} up" for *_, linux, end in self._loose() if linux.startswith("lo")], spaces[-1])
        for device in self.lab.devices:
            self._run(self._settings(device), self.namespace(device.name))

    def clear(self, device: str) -> None:
        """Take a router's interfaces back to how they were before it was ever configured."""
        ports = set(self._names[device].values()) - {"lo"}
        fresh = [f"{what} dev {port}{how}" for port in ports for what, how in _AFRESH]
        # Routes to nowhere hang on no interface: a killed zebra leaves them behind, and the next one keeps them.
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
                f"A cable of {self.lab.id} leads to `{written}`, which is not there.",
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
