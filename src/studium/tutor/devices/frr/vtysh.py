"""A session on a router: one vtysh process on its own terminal."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from contextlib import suppress
from itertools import count
from secrets import token_hex

from studium.core.domain.errors import ServiceDown
from studium.tutor.devices.frr.ping import run_probe
from studium.tutor.devices.frr.router import Router, load_policy

_COLUMNS = 30_000
_START_SECONDS = 10.0
_TAIL = 512
_MOST = 32_000_000
_ENVIRONMENT = {"TERM": "dumb", "LANG": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent"}
_PROMPT = r"[^\s()#>]+(?:\([\w-]+\))?[#>]"
_ENDING = re.compile(rf"(?:{_PROMPT} )?% Unknown command: ~\S+~\r?\n(?P<prompt>{_PROMPT}) $".encode())
_LEAVE = re.compile(r"(?:do +)?(?:ex|exi|exit|q|qu|qui|quit|logout)")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-Z\\-_]|[\x00-\x08\x0b-\x1f\x7f]")


class VtyshDevice:
    """A router's command line; a marker is sent after every command, and its refusal ends the output."""

    def __init__(self, router: Router) -> None:
        self.name = router.name
        self._router = router
        self._token = token_hex(4)
        self._marks = count(1)
        self._terminal = -1
        self._daemons: list[int] = []
        self._heard = bytearray()
        self._owed: bytes | None = None
        self._process: subprocess.Popen[bytes]
        self._open()

    @property
    def prompt(self) -> str:
        """The current prompt, such as `r1(config-if)#`."""
        return self._prompt

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        """Run one line and return the output, or why the line was refused."""
        command = command.strip()
        if refusal := load_policy().refusal(command):
            return refusal
        # The caller ends the session: at the outermost prompt there is no mode to leave.
        self._renew(timeout)
        outermost = "(" not in self._prompt
        if _LEAVE.fullmatch(command) and (outermost or command.startswith("do ")):
            return ""
        if outermost or command.startswith("do "):
            answer = run_probe(self._router.namespace, command, timeout=timeout)
            if answer is not None:
                return answer
        said = self._ask(command, timeout)
        if command.startswith("host"):
            self._router.rename(re.split(r"[(#>]", self._prompt)[0])
        return said

    def close(self) -> None:
        """Close the session; the router keeps running."""
        if self._terminal < 0:
            return
        for descriptor in (self._terminal, *self._daemons):
            os.close(descriptor)
        self._terminal, self._daemons = -1, []
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _open(self) -> None:
        self._owed = None
        if not self._router.is_alive():
            raise self._router.down()
        self._daemons = [os.pidfd_open(process) for process in self._router.processes()]
        self._terminal, theirs = pty.openpty()
        _dress(theirs)
        self._process = subprocess.Popen(  # noqa: S603 - our words
            self._router.vtysh(), stdin=theirs, stdout=theirs, stderr=theirs, env=_ENVIRONMENT, start_new_session=True
        )
        os.close(theirs)
        self._prompt = f"{self.name}#"
        try:
            self._ask("", _START_SECONDS)
        except ServiceDown:
            self.close()
            raise

    def _renew(self, timeout: float) -> None:
        """Reconnect if the router was restarted, and skip output that is still pending."""
        if self._terminal >= 0 and self._owed and not self._died():
            try:
                self._hear(self._owed, timeout)
            except ServiceDown:
                self.close()
                raise
        if self._terminal < 0 or self._died():
            self.close()
            self._open()

    def _died(self) -> bool:
        # A process descriptor becomes readable when the process has ended.
        return bool(_ready(self._daemons, 0.0)) or self._process.poll() is not None

    def _ask(self, command: str, timeout: float) -> str:
        mark = self._owed = f"~{self._token}.{next(self._marks)}~".encode()
        self._heard = bytearray()
        try:
            os.write(self._terminal, _keys(command) + mark + b"\n")
        except OSError:
            raise self._ended() from None
        return self._hear(mark, timeout)

    def _hear(self, mark: bytes, timeout: float) -> str:
        deadline = time.monotonic() + timeout
        while not (end := self._ending(mark)):
            left = max(0.0, deadline - time.monotonic())
            ready = _ready([self._terminal, *self._daemons], left)
            if not ready:
                raise self._late(timeout)
            self._heard += self._read(ready)
            # Of a very long output, only the beginning and the end are useful.
            del self._heard[_MOST:-_TAIL]
        self._owed = None
        self._prompt = end["prompt"].decode()
        return _clean(bytes(self._heard[: end.start()]))

    def _ending(self, mark: bytes) -> re.Match[bytes] | None:
        """The router's reply to the marker, once it is at the end of the output."""
        tail = max(0, len(self._heard) - _TAIL)
        return _ENDING.search(self._heard, tail) if self._heard.find(mark, tail) >= 0 else None

    def _read(self, ready: list[int]) -> bytes:
        if self._terminal not in ready:
            raise self._router.down()
        try:
            return os.read(self._terminal, 1 << 16)
        except OSError:
            raise self._ended() from None

    def _ended(self) -> ServiceDown:
        if not self._router.is_alive():
            return self._router.down()
        return ServiceDown(
            f"The conversation with {self.name} ended.", remedy="Type the command again: a new one begins."
        )

    def _late(self, timeout: float) -> ServiceDown:
        return ServiceDown(
            f"{self.name} did not answer within {timeout:g} s.",
            remedy=f"Give it more time and type the command again; if it stays silent, restart {self.name}.",
        )


def _ready(descriptors: list[int], seconds: float) -> list[int]:
    """Which descriptors can be read before the deadline; `select` does not support those above 1023."""
    waiting = select.poll()
    for descriptor in descriptors:
        waiting.register(descriptor, select.POLLIN)
    return [descriptor for descriptor, _ in waiting.poll(seconds * 1000)]


def _dress(terminal: int) -> None:
    """Turn echo off and make the terminal wide enough for any line."""
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 1000, _COLUMNS, 0, 0))
    settings = termios.tcgetattr(terminal)
    settings[3] &= ~termios.ECHO
    settings[1] &= ~termios.ONLCR
    termios.tcsetattr(terminal, termios.TCSANOW, settings)


def _keys(command: str) -> bytes:
    """The keys of a line: a `?` at the end asks for help, any other is literal."""
    line, helped = (command[:-1], True) if command.endswith("?") else (command, False)
    keys = line.replace("?", "\x16?").encode()
    # Help leaves the line in place; it is deleted before the next one is typed.
    return keys + b"?\x15" if helped else keys + b"\n"


def _clean(heard: bytes) -> str:
    return _CONTROL.sub("", heard.decode(errors="replace")).strip("\n")
