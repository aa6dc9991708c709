"""Whether FRR can run here, and where its programs are."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from studium.core.domain.errors import MissingPart

RUN = Path("/run/frr")
_DAEMON_FOLDERS = (Path("/usr/lib/frr"), Path("/usr/libexec/frr"))
_PROGRAMS = {
    "vtysh": "sudo apt install frr",
    "ip": "sudo apt install iproute2",
    "setpriv": "sudo apt install util-linux",
}


@dataclass(frozen=True)
class Installation:
    """The programs that a lab is made of."""

    vtysh: str
    ip: str
    setpriv: str
    daemons: Path


def installation() -> Installation:
    """FRR as it is installed; if it cannot be used, what must be done first."""
    found = {name: _program(name, install) for name, install in _PROGRAMS.items()}
    daemons = next((folder for folder in _DAEMON_FOLDERS if (folder / "zebra").exists()), None)
    if daemons is None:
        raise MissingPart("FRR's routing daemons are not installed.", remedy=f"Run `{_PROGRAMS['vtysh']}`.")
    if os.geteuid() != 0:
        raise MissingPart(
            "Routers in network namespaces need the rights of root.",
            remedy="Run the same command with `sudo`, or use the replay devices.",
        )
    return Installation(**found, daemons=daemons)


def _program(name: str, install: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise MissingPart(f"`{name}` is not installed.", remedy=f"Run `{install}`, or use the replay devices.")
    return path
