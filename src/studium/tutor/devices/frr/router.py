"""One FRR router: its daemons in a namespace and its saved configuration."""

import json
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from studium.core.domain.errors import ServiceDown
from studium.tutor.devices.frr.namespaces import NETNS, RUN, FrrInstallation, end_processes


@dataclass(frozen=True)
class RefusalRule:
    """Commands that are refused, by their first words, and why."""

    refused: re.Pattern[str]
    unless: re.Pattern[str] | None
    why: str

    def refuses(self, command: str) -> bool:
        """Whether a command, shortened or not, is one of these."""
        return bool(self.refused.match(command)) and not (self.unless and self.unless.match(command))


@dataclass(frozen=True)
class CommandPolicy:
    """The rules, the filters that may follow a `|`, and how long a line may be."""

    longest: int
    pipes: tuple[str, ...]
    rules: tuple[RefusalRule, ...]

    def refusal(self, command: str) -> str | None:
        """Why a line is refused, or None."""
        why = self._form(command) or self._content(command)
        return f"% Not allowed here: {why}." if why else None

    def permitted(self, configuration: str) -> str:
        """A configuration without the refused lines."""
        return "\n".join(line for line in configuration.splitlines() if not self._content(line)) + "\n"

    def _form(self, command: str) -> str | None:
        if len(command) > self.longest:
            return f"a line has at most {self.longest} characters"
        if not command.isprintable():
            return "one line at a time, without control characters"
        if ";" in command:
            return "`;` joins the commands of a shell, and this is a router; type one command at a time"
        if re.match(r"\s*![^\s!]", command):
            return "`!` begins a comment here, it starts no program"
        _, pipe, filters = command.partition("|")
        if pipe and (filters.split() or [""])[0] not in self.pipes:
            return f"after `|` only `{'`, `'.join(self.pipes)}` may follow"
        return None

    def _content(self, command: str) -> str | None:
        typed = re.sub(r"^(?:do\s+)+", "", " ".join(command.lower().split()))
        return next((rule.why for rule in self.rules if rule.refuses(typed)), None)


@cache
def load_policy() -> CommandPolicy:
    """Load the shipped policy."""
    written = json.loads(Path(__file__).with_name("policy.json").read_text())
    rules = tuple(_rule(rule) for rule in written["refused"])
    return CommandPolicy(written["longest"], tuple(written["pipes"]), rules)


def _rule(written: dict[str, Sequence[str]]) -> RefusalRule:
    unless = written.get("unless")
    return RefusalRule(_any_of(written["commands"]), _any_of(unless) if unless else None, str(written["why"]))


def _any_of(commands: Iterable[str]) -> re.Pattern[str]:
    """A pattern for commands typed in full or shortened."""
    return re.compile("|".join(" ".join(_shortened(word) for word in command.split()) for command in commands))


def _shortened(word: str) -> str:
    if word == "*":
        return r"\S+"
    must, _, may = word.rstrip(")").partition("(")
    if not may:
        must, may = word[0], word[1:]
    ending = ""
    for letter in reversed(may):
        ending = f"(?:{re.escape(letter)}{ending})?"
    return rf"{re.escape(must)}{ending}(?!\S)"


_DAEMON_SECONDS = 1.0
_MOST = 4_000_000
_END = b"\0\0\0"
"""The end of an answer; a status byte follows it."""


def ask_daemon(door: Path, command: str) -> str:
    """A daemon's output for a show command; empty if it does not answer."""
    heard = bytearray()
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(_DAEMON_SECONDS)
            line.connect(os.fspath(door))
            line.sendall(command.encode() + b"\0")
            while heard[-4:-1] != _END and len(heard) < _MOST:
                if not (piece := line.recv(1 << 16)):
                    break
                heard += piece
    except OSError:
        return ""
    return heard.partition(_END)[0].decode(errors="replace")


_USER = "frr"
_SECONDS = 20
_SCRIPT = Path(__file__).with_name("start_router.sh")
_HOSTNAME = re.compile(r"^hostname (\S+)", re.MULTILINE)
# As FRR's own user, without root privileges, and unable to start a process: the sandbox's last barrier.
_UNPRIVILEGED = (
    *("--reuid", _USER, "--regid", _USER, "--init-groups", "--no-new-privs"),
    *("--bounding-set", "-all", "--inh-caps", "-all"),
    *("prlimit", "--nproc=0"),
)


@dataclass(frozen=True)
class Router:
    """A router by its name, its namespace and the daemons it runs beside zebra."""

    name: str
    namespace: str
    daemons: tuple[str, ...]
    programs: FrrInstallation

    @property
    def startup(self) -> Path:
        """The startup configuration file, which `write memory` writes."""
        return self._folder / "frr.conf"

    @property
    def hostname(self) -> str:
        """The router's hostname, kept in a file because FRR's daemons forget it."""
        file = self._folder / "hostname"
        return file.read_text() if file.exists() else self.name

    def rename(self, hostname: str) -> None:
        """Save a new hostname for later sessions."""
        (self._folder / "hostname").write_text(hostname)

    @property
    def _folder(self) -> Path:
        return RUN / self.namespace

    def start(self, configuration: str) -> None:
        """Start the daemons and load a configuration, which becomes the saved one."""
        self._prepare(configuration)
        command = ["sh", str(_SCRIPT), self.hostname, self.namespace, str(self.programs.daemons), *self.daemons]
        self._run(self._within("unshare", "--uts", *command), "did not start")
        self._run(self.vtysh("-b"), "did not load its configuration")
        if not self.is_alive():
            raise self.down()

    def stop(self) -> None:
        """End everything that runs in the router's namespace."""
        end_processes([NETNS / self.namespace])

    def vtysh(self, *arguments: str) -> list[str]:
        """The command that opens this router's vtysh."""
        options = ("-N", self.namespace, "--config_dir", str(RUN), "-H", "/dev/null")
        inner = (self.programs.setpriv, *_UNPRIVILEGED, self.programs.vtysh, *options, *arguments)
        named = ("unshare", "--uts", "sh", "-c", 'hostname "$0"; exec "$@"', self.hostname, *inner)
        return self._within(*named)

    def processes(self) -> list[int]:
        """The process ids of the router's running daemons."""
        files = (self._folder / f"{daemon}.pid" for daemon in ("zebra", *self.daemons))
        return [int(text) for file in files if file.exists() and (text := file.read_text().strip()) and _lives(text)]

    def is_alive(self) -> bool:
        """Whether every daemon runs and answers."""
        return all(_answers(self._folder / f"{daemon}.vty") for daemon in ("zebra", *self.daemons))

    def ask(self, daemon: str, command: str) -> str:
        """The output of one of its daemons for a show command; empty if it does not run."""
        return ask_daemon(self._folder / f"{daemon}.vty", command) if daemon in self.daemons else ""

    def down(self) -> ServiceDown:
        """The error that says that the router does not run."""
        return ServiceDown(
            f"{self.name} does not run.",
            remedy=f"`studium tutor lab restart LAB {self.name}`, or take the lab down and bring it up again.",
        )

    def _prepare(self, configuration: str) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        if not RUN.exists():
            RUN.mkdir()
            shutil.chown(RUN, _USER, _USER)
        self._folder.mkdir(mode=0o755)
        (self._folder / "vtysh.conf").touch()
        self.startup.write_text(load_policy().permitted(configuration))
        self.rename((_HOSTNAME.findall(configuration) or [self.name])[-1])
        for path in (self._folder, *self._folder.iterdir()):
            shutil.chown(path, _USER, _USER)

    def _within(self, *command: str) -> list[str]:
        return [self.programs.ip, "netns", "exec", self.namespace, *command]

    def _run(self, command: list[str], failed: str) -> None:
        # The daemons keep their stdout open: a pipe would never end.
        with (self._folder / "start.err").open("w+") as said:
            try:
                done = subprocess.run(  # noqa: S603 - our words
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=said,
                    timeout=_SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired as error:
                raise ServiceDown(f"{self.name} {failed} in {_SECONDS} s.", remedy="Bring the lab up again.") from error
            said.seek(0)
            # vtysh counts refused lines in its code; they are the configuration's fault, and the rest is loaded.
            if done.returncode and "-b" not in command:
                raise ServiceDown(f"{self.name} {failed}: {said.read().strip()}", remedy="Bring the lab up again.")


def strip_config_frame(lines: Iterable[str]) -> str:
    """A shown configuration without its header and footer."""
    around = ("Building config", "Current config", "end")
    kept = [text for line in lines if (text := line.rstrip()) and not text.startswith(around)]
    # The daemons and the command line each report a name; the last is the configured one.
    outdated = [text for text in kept if text.startswith("hostname ")][:-1]
    return "\n".join(text for text in kept if text not in outdated)


def _lives(process: str) -> bool:
    with suppress(OSError):
        return Path("/proc", process, "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def _answers(door: Path) -> bool:
    """Whether a daemon answers at its socket; an error message for a bare `show` counts as an answer."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as line:
        line.settimeout(1.0)
        line.connect(os.fspath(door))
        line.sendall(b"show\0")
        return bool(line.recv(64))
    return False
