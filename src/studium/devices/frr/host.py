"""A host of a lab: an end station that can be asked for its address and sent to reach others."""

import subprocess

from studium.devices.frr.probes import probe

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
    """A host at its command line, which knows a handful of commands and no shell."""

    def __init__(self, name: str, namespace: str) -> None:
        self.name = name
        self._namespace = namespace

    @property
    def prompt(self) -> str:
        """The prompt that waits now."""
        return f"{self.name}>"

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        """Type one line; what the host says."""
        command = " ".join(command.split())
        answer = probe(self._namespace, command, timeout=timeout)
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
        """Let go of the host; there is nothing to close."""
