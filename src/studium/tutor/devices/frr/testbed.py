"""A lab on this machine: FRR routers and hosts, each in its own namespace."""

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from pydantic import ValidationError

from studium.core.domain.errors import NotFound, StudiumError
from studium.core.files import make_folder, write_text
from studium.tutor.devices.frr.live_state import DeviceObserver, merge_states, no_daemon
from studium.tutor.devices.frr.namespaces import (
    NETNS,
    FrrInstallation,
    Wiring,
    claim_folder,
    find_installation,
    interface_names,
    namespace_prefix,
    remove_namespaces,
    remove_orphans,
)
from studium.tutor.devices.frr.ping import run_probe, send_echo
from studium.tutor.devices.frr.router import Router, strip_config_frame
from studium.tutor.devices.frr.vtysh import VtyshDevice
from studium.tutor.domain import Device, Lab, LabDevice, NetworkState

_SHOWS = {
    "ip address": ("address",),
    "ip addr": ("address",),
    "ip a": ("address",),
    "ipconfig": ("-brief", "address"),
    "ifconfig": ("-brief", "address"),
    "ip route": ("route",),
    "ip r": ("route",),
    "arp": ("neighbour",),
    "ip neigh": ("neighbour",),
}


class HostDevice:
    """A host's command line, with a handful of commands and no shell."""

    def __init__(self, name: str, namespace: str) -> None:
        self.name = name
        self._namespace = namespace

    @property
    def prompt(self) -> str:
        """The current prompt."""
        return f"{self.name}>"

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        """Run one line and return the output."""
        command = " ".join(command.split())
        answer = run_probe(self._namespace, command, timeout=timeout)
        if answer is not None:
            return answer
        show = _SHOWS.get(command)
        if show is None:
            return (
                f"% Unknown command: {command}\nA host knows: ping, traceroute, {', '.join(_SHOWS)}." if command else ""
            )
        asked = ["ip", "-netns", self._namespace, *show]
        done = subprocess.run(asked, capture_output=True, text=True, timeout=timeout, check=False)  # noqa: S603 - our words
        return (done.stdout + done.stderr).strip("\n")

    def close(self) -> None:
        """Nothing to close."""


_T = TypeVar("_T")
_Each = TypeVar("_Each")
_ON_DEMAND = {"ospfd": r"ospf", "ripd": r"\brip\b", "bgpd": r"bgp"}


class FrrTestbed:
    """A lab of FRR routers with its state in a folder; it outlives the process and is found again later."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._prefix = namespace_prefix(folder)

    def up(self, lab: Lab) -> None:
        """Start the lab with its starting configuration, after cleaning up what a killed run left behind."""
        wiring = Wiring(lab, self._prefix, self._programs)
        self.down()
        remove_orphans()
        make_folder(self.folder)
        claim_folder(self.folder)
        try:
            write_text(self._record, lab.model_dump_json())
            wiring.lay()
            _together(lambda router: router.start(lab.start.get(router.name, "")), self._routers())
        except (StudiumError, OSError):
            self.down()
            raise

    def down(self) -> None:
        """Stop the lab and its copies."""
        _ = self._programs
        for copy in self._copies.glob("*"):
            FrrTestbed(copy).down()
        remove_namespaces(self._prefix)
        shutil.rmtree(self._copies, ignore_errors=True)
        self._record.unlink(missing_ok=True)

    def reset(self) -> None:
        """Reset every router to its starting configuration."""
        self.restore(self.lab.start)

    def device(self, name: str) -> Device:
        """Open a new session on a device."""
        found = self._find(name)
        if found.kind == "host":
            return HostDevice(name, self._wiring.namespace(name))
        return VtyshDevice(self._router(name))

    def is_alive(self, name: str) -> bool:
        """Whether a device answers."""
        if self._find(name).kind == "host":
            return (NETNS / self._wiring.namespace(name)).exists()
        return self._router(name).is_alive()

    def look(self) -> tuple[dict[str, bool], NetworkState]:
        """Which devices answer, and the state of their ports and neighbours, without running commands."""
        lab, wiring = self.lab, self._wiring
        routers = {router.name: router for router in self._routers()}

        def seen(device: LabDevice) -> tuple[bool, NetworkState]:
            router, space = routers.get(device.name), wiring.namespace(device.name)
            answers = router.is_alive() if router else (NETNS / space).exists()
            ask = router.ask if router and answers else no_daemon
            return answers, DeviceObserver(device.name, space, interface_names(device), self._programs.ip, ask).look()

        found = _together(seen, lab.devices)
        answers = {device.name: alive for device, (alive, _) in zip(lab.devices, found, strict=True)}
        return answers, merge_states(live for _, live in found)

    def restart(self, name: str) -> None:
        """Restart a router that crashed, with its last saved configuration; does nothing for a host."""
        if self._find(name).kind == "host":
            return
        router = self._router(name)
        saved = router.startup
        self._begin(router, saved.read_text() if saved.exists() else self.lab.start.get(name, ""))

    def ping(self, device: str, target: str, *, timeout: float = 2.0) -> bool:
        """Whether a device reaches an address; retries until the timeout."""
        self._find(device)
        deadline = time.monotonic() + timeout
        while (left := deadline - time.monotonic()) > 0:
            answer = send_echo(self._wiring.namespace(device), target, timeout=min(left, 0.5))
            if answer and answer.arrived:
                return True
            time.sleep(min(0.05, max(0.0, deadline - time.monotonic())))
        return False

    def interface_names(self, device: str) -> dict[str, str]:
        """Map the lab's ports to Linux interfaces."""
        return interface_names(self._find(device))

    def snapshot(self) -> dict[str, str]:
        """The running configuration of every router."""
        routers = self._routers()
        return dict(zip((router.name for router in routers), _together(_running, routers), strict=True))

    def restore(self, snapshot: Mapping[str, str]) -> None:
        """Restore the configurations of a snapshot; open sessions are restarted."""
        _together(lambda router: self._begin(router, snapshot.get(router.name, "")), self._routers())

    def copy(self) -> "FrrTestbed":
        """Copy the lab in its present state to a new testbed for trying things; stop it afterwards."""
        copy = FrrTestbed(self._copies / uuid4().hex[:8])
        copy.up(self.lab.model_copy(update={"start": self.snapshot()}))
        return copy

    @property
    def lab(self) -> Lab:
        """The running lab."""
        try:
            return Lab.model_validate_json(self._record.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValidationError):
            raise NotFound(f"No lab is running in {self.folder}.", remedy="Start the lab first.") from None

    @property
    def _record(self) -> Path:
        return self.folder / "lab.json"

    @property
    def _copies(self) -> Path:
        return self.folder / "copies"

    @cached_property
    def _programs(self) -> FrrInstallation:
        return find_installation()

    @property
    def _wiring(self) -> Wiring:
        return Wiring(self.lab, self._prefix, self._programs)

    def _find(self, name: str) -> LabDevice:
        lab = self.lab
        found = next((device for device in lab.devices if device.name == name), None)
        if found is None:
            names = ", ".join(device.name for device in lab.devices)
            raise NotFound(f"{lab.id} has no device `{name}`.", remedy=f"It has {names}.")
        return found

    def _begin(self, router: Router, configuration: str) -> None:
        router.stop()
        self._wiring.clear(router.name)
        router.start(configuration)

    def _router(self, name: str) -> Router:
        return next(router for router in self._routers() if router.name == name)

    def _routers(self) -> list[Router]:
        lab, wiring = self.lab, self._wiring
        daemons = _daemons(lab)
        return [
            Router(device.name, wiring.namespace(device.name), daemons, self._programs)
            for device in lab.devices
            if device.kind == "router"
        ]


def _daemons(lab: Lab) -> tuple[str, ...]:
    """The daemons a lab needs beside zebra, by the protocols it mentions."""
    told = lab.model_dump_json(exclude={"instructions", "documents"}).lower()
    return ("staticd", *(daemon for daemon, protocol in _ON_DEMAND.items() if re.search(protocol, told)))


def _running(router: Router) -> str:
    device = VtyshDevice(router)
    try:
        return strip_config_frame(device.run("show running-config").splitlines())
    finally:
        device.close()


def _together(work: Callable[[_Each], _T], all_: Iterable[_Each]) -> list[_T]:
    with ThreadPoolExecutor(max_workers=8) as workers:
        return list(workers.map(work, all_))
