"""Exec commands that are not show commands: modes, saving, ping and traceroute."""

import re

from studium.tutor.devices.ios.grammar import ParsedCommand
from studium.tutor.devices.ios.running_config import render
from studium.tutor.devices.ios.session import GLOBAL_MODE, PRIVILEGED_MODE, USER_MODE, Session

PROBES = 5
ECHO = re.compile(r"icmp_seq=(\d+).*?time=([\d.]+)")


def configure(session: Session, _: ParsedCommand) -> str:
    """Enter global configuration."""
    session.place = GLOBAL_MODE
    return "Enter configuration commands, one per line.  End with CNTL/Z."


def ask_source(session: Session, said: ParsedCommand) -> str:
    """Ask for the source after a bare `configure`; the default is the terminal."""
    return "Configuring from terminal, memory, or network [terminal]?\n" + configure(session, said)


def disable(session: Session, _: ParsedCommand) -> str:
    """Leave privileged mode."""
    session.place = USER_MODE
    return ""


def leave(session: Session, _: ParsedCommand) -> str:
    """Leave the current mode."""
    up = {"user": USER_MODE, "priv": USER_MODE, "config": PRIVILEGED_MODE}
    session.place = up.get(session.place.grammar, GLOBAL_MODE)
    return ""


def end(session: Session, _: ParsedCommand) -> str:
    """Leave configuration mode."""
    session.place = PRIVILEGED_MODE
    return ""


def nothing(_session: Session, _: ParsedCommand) -> str:
    """Accept a command without effect."""
    return ""


def say(_: Session, said: ParsedCommand) -> str:
    """Print a fixed answer."""
    return said.command.target


def save(session: Session, said: ParsedCommand) -> str:
    """Save the configuration, also on the FRR router."""
    answer = session.ask("write memory")
    if refusal := next((line for line in answer.splitlines() if line.startswith("%")), None):
        return refusal
    session.kept.startup = render(session).text()
    asked = "Destination filename [startup-config]? \n" if said.words[0] == "copy" else ""
    return f"{asked}Building configuration...\n[OK]"


def erase(session: Session, _: ParsedCommand) -> str:
    """Erase the saved configuration."""
    session.kept.startup = None
    return "[OK]\nErase of nvram: complete"


def ping(session: Session, said: ParsedCommand) -> str:
    """Send five echo requests and print a mark for each."""
    target = said.args[-1]
    answer = session.ask(f"ping {target}")
    if answer.startswith("%"):
        return "% Unrecognized host or address, or protocol not running."
    echoes = {int(number): float(time) for number, time in ECHO.findall(answer)}
    marks = "".join("!" if number in echoes else "." for number in range(1, PROBES + 1))
    times = [max(1, round(time)) for time in echoes.values()]
    trip = f", round-trip min/avg/max = {min(times)}/{sum(times) // len(times)}/{max(times)} ms" if times else ""
    return (
        f"Type escape sequence to abort.\nSending {PROBES}, 100-byte ICMP Echos to {target}, timeout is 2 seconds:\n"
        f"{marks}\nSuccess rate is {len(times) * 100 // PROBES} percent ({len(times)}/{PROBES}){trip}"
    )


def trace(session: Session, said: ParsedCommand) -> str:
    """Trace the route to an address."""
    target = said.args[-1]
    answer = session.ask(f"traceroute {target}")
    hops = [line for line in answer.splitlines() if re.match(r"\s*\d+\s", line)]
    if not hops:
        refusal = next((line for line in answer.splitlines() if line.startswith("%")), None)
        return refusal or "% Unrecognized host or address, or protocol not running."
    lines = [re.sub(r"(\S+) \(\1\)", r"\1", hop).replace(" ms", " msec") for hop in hops]
    return f"Type escape sequence to abort.\nTracing the route to {target}\n\n" + "\n".join(lines)


EXEC_HANDLERS = {
    "configure": configure,
    "ask_source": ask_source,
    "disable": disable,
    "leave": leave,
    "end": end,
    "nothing": nothing,
    "say": say,
    "save": save,
    "erase": erase,
    "ping": ping,
    "trace": trace,
}
