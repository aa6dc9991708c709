"""An IOS command line over an FRR router."""

import re
from collections.abc import Callable, Mapping

from studium.core.text.patterns import InvalidPattern, UserPattern, compile_linear, quote
from studium.tutor.devices.ios import config_commands, show_commands, simulated_commands
from studium.tutor.devices.ios.running_config import render
from studium.tutor.devices.ios.session import GLOBAL_MODE, PRIVILEGED_MODE, USER_MODE, IosOnlyConfig, Session
from studium.tutor.devices.ios.simulated_commands import password_matches
from studium.tutor.domain import Device
from studium.tutor.ios.interface_names import InterfaceNames
from studium.tutor.ios.parser import Grammar, ParsedCommand, RefusalReason, RefusedCommand, grammars

PROBES = 5
ECHO = re.compile(r"icmp_seq=(\d{1,9}).{0,200}?time=([\d.]{1,20})")


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
    lines = [re.sub(r"(?<!\S)(\S++) \(\1\)", r"\1", hop).replace(" ms", " msec") for hop in hops]
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


FILTERS = ("begin", "exclude", "include", "section", "count")


def filter_name(written: str) -> str | None:
    """The output filter for a word, in full or abbreviated."""
    return next((name for name in FILTERS if written and name.startswith(written.lower())), None)


def apply_filter(name: str, pattern: str, text: str) -> str:
    """Apply an output filter to a text."""
    wanted = _compiled(pattern)
    lines = text.splitlines()
    hits = [bool(wanted.search(line)) for line in lines]
    if name == "begin":
        return "\n".join(lines[hits.index(True) :] if True in hits else [])
    if name == "section":
        return "\n".join(_sections(lines, hits))
    if name == "count":
        return f"Number of lines which match regexp = {sum(hits)}"
    return "\n".join(line for line, hit in zip(lines, hits, strict=True) if hit == (name == "include"))


def _compiled(pattern: str) -> UserPattern:
    """Compile a pattern; use it literally if it is invalid."""
    try:
        return compile_linear(pattern)
    except InvalidPattern:
        return compile_linear(quote(pattern))


def _sections(lines: list[str], hits: list[bool]) -> list[str]:
    kept, inside = [], False
    for line, hit in zip(lines, hits, strict=True):
        inside = hit or (inside and line.startswith(" "))
        kept += [line] if inside else []
    return kept


Handler = Callable[[Session, ParsedCommand], str]
EXEC = ("user", "priv")
STAYS = {"leave", "end"}
COMPLAINTS = ("%", "Bad mask", "Command rejected", "BGP is already")
TRIES = 3


class IosDevice:
    """A device with an IOS command line; `interfaces` maps IOS names to Linux names.

    `kept` holds what FRR cannot store; share it between the sessions of a device.
    """

    def __init__(self, device: Device, interfaces: Mapping[str, str], *, kept: IosOnlyConfig | None = None) -> None:
        self.name = device.name
        self.kept = kept or IosOnlyConfig(hostname=device.name)
        self._session = Session(device, InterfaceNames(interfaces), self.kept)
        self._handlers = _handlers() | {
            "enable": self._enable,
            "banner": self._banner,
        }
        self._wrong_passwords = 0
        self._asks_password = False
        self._banner_so_far: tuple[str, str, list[str]] | None = None
        if "(config" in device.prompt:
            device.run("end")

    @property
    def prompt(self) -> str:
        """The current prompt, such as `R1(config-if)#`; empty inside a banner."""
        if self._asks_password:
            return "Password: "
        if self._banner_so_far:
            return ""
        place = self._session.place
        return f"{self.kept.hostname}{place.shown}{'>' if place is USER_MODE else '#'}"

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        """Run one line and return what IOS would print."""
        self._session.timeout = timeout
        line = command.replace("\t", " ").rstrip("\r\n")
        if self._asks_password:
            return self._password(line)
        if self._banner_so_far:
            return self._more_banner(line)
        if not line.strip() or line.lstrip().startswith("!"):
            return ""
        if not line.isprintable():
            return self._complaint(RefusedCommand(RefusalReason.INVALID, 0, 0), line)
        self._session.typed.append(line.strip())
        return self._help(line) if line.endswith("?") else self._typed(line)

    def load(self, configuration: str) -> list[str]:
        """Enter a configuration in global mode; return IOS's errors, each after its line."""
        self._session.place = GLOBAL_MODE
        complaints = []
        for line in configuration.splitlines():
            if line.startswith(("version ", "Building conf", "Current conf")) or line == "end":
                continue
            said = self.run(line)
            if said.startswith(COMPLAINTS) and not said.startswith(config_commands.NO_GATEWAY):
                complaints.append(f"{line.strip()}: {said.splitlines()[-1]}")
            elif "Invalid input detected" in said:
                complaints.append(f"{line.strip()}: % Invalid input detected at '^' marker.")
        self._session.place = PRIVILEGED_MODE
        return complaints

    def close(self) -> None:
        """Close the session; the device keeps running."""
        self._session.inner.close()

    def _typed(self, line: str) -> str:
        place = self._session.place
        do, offset = self._do(line)
        if place.grammar in EXEC or do:
            return self._exec(line, offset, grammars()["priv" if do else place.grammar])
        read = grammars()[place.grammar].read(line)
        if isinstance(read, RefusedCommand) and place.grammar != "config":
            wider = grammars()["config"].read(line)
            if isinstance(wider, ParsedCommand):
                return self._from_global(wider, line)
            read = wider if wider.depth > read.depth else read
        return self._carry_out(read, line)

    def _do(self, line: str) -> tuple[bool, int]:
        """Whether a line is a `do` command in a configuration mode, and where the command starts."""
        start = len(line) - len(line.lstrip())
        is_do = self._session.place.grammar not in EXEC and line.lstrip().lower().startswith("do ")
        return is_do, start + 3 if is_do else 0

    def _exec(self, line: str, offset: int, grammar: Grammar) -> str:
        body, pipe, rest = line.partition("|")
        read = grammar.read(" " * offset + body[offset:])
        if isinstance(read, RefusedCommand) or not pipe:
            return self._carry_out(read, line)
        words = rest.split(maxsplit=1)
        name = filter_name(words[0]) if words else None
        if read.words[0] != "show" or (words and name is None):
            column = len(body) + (1 + len(rest) - len(rest.lstrip()) if read.words[0] == "show" else 0)
            return self._complaint(RefusedCommand(RefusalReason.INVALID, column, 0), line)
        if name is None or len(words) == 1:
            return "% Incomplete command."
        return apply_filter(name, words[1].strip(), self._carry_out(read, line))

    def _from_global(self, read: ParsedCommand, line: str) -> str:
        if read.command.action not in STAYS:
            self._session.place = GLOBAL_MODE
        return self._carry_out(read, line)

    def _carry_out(self, read: ParsedCommand | RefusedCommand, line: str) -> str:
        if isinstance(read, RefusedCommand):
            return self._complaint(read, line)
        foreign = min((at for sign in "|;" if (at := line.find(sign)) >= 0), default=None)
        if foreign is not None and read.command.action.startswith("frr"):
            return self._complaint(RefusedCommand(RefusalReason.INVALID, foreign, 0), line)
        said = self._handlers[read.command.action](self._session, read)
        return (
            self._complaint(RefusedCommand(RefusalReason.INVALID, 0, 0), line)
            if said.startswith("% Unknown command:")
            else said
        )

    def _complaint(self, refused: RefusedCommand, line: str) -> str:
        if refused.why is RefusalReason.INCOMPLETE:
            return "% Incomplete command."
        if refused.why is RefusalReason.AMBIGUOUS:
            return f'% Ambiguous command:  "{line.strip()}"'
        if self._session.place.grammar in EXEC and len(line.split()) == 1 and line.isprintable():
            return self._translating(line.strip())
        return f"{' ' * (len(self.prompt) + refused.column)}^\n% Invalid input detected at '^' marker."

    def _translating(self, word: str) -> str:
        """IOS treats an unknown word in exec mode as a host name to resolve."""
        asks = self.kept.value("", "no ip domain-lookup") is None
        server = "...domain server (255.255.255.255)" if asks else ""
        return f'Translating "{word}"{server}\n% Unknown command or computer name, or unable to find computer address'

    def _help(self, line: str) -> str:
        do, offset = self._do(line)
        place = self._session.place.grammar
        typed = line[offset:-1]
        found = grammars()["priv" if do else place].continuations(typed)
        if not found and place not in EXEC and not do:
            found = grammars()["config"].continuations(typed)
        if not found:
            return "% Unrecognized command"
        return "  ".join(found) if typed and not typed.endswith(" ") else "\n".join(f"  {each}" for each in found)

    def _enable(self, session: Session, _: ParsedCommand) -> str:
        if self._enable_secret() is None:
            session.place = PRIVILEGED_MODE
        else:
            self._asks_password, self._wrong_passwords = True, 0
        return ""

    def _enable_secret(self) -> str | None:
        secret = self.kept.value("", "enable secret")
        return self.kept.value("", "enable password") if secret is None else secret

    def _password(self, given: str) -> str:
        if password_matches(given, self._enable_secret() or ""):
            self._asks_password = False
            self._session.place = PRIVILEGED_MODE
            return ""
        self._wrong_passwords += 1
        if self._wrong_passwords < TRIES:
            return ""
        self._asks_password = False
        return "% Bad secrets"

    def _banner(self, _: Session, said: ParsedCommand) -> str:
        kind, text = said.words[1], said.args[0]
        delimiter = "^C" if text.startswith("^C") else text[0]
        self._banner_so_far = (kind, delimiter, [])
        opened = f"Enter TEXT message.  End with the character '{delimiter}'."
        return self._more_banner(text[len(delimiter) :]) or (opened if self._banner_so_far else "")

    def _more_banner(self, line: str) -> str:
        if self._banner_so_far is None:
            return ""
        kind, delimiter, lines = self._banner_so_far
        text, closed, _ = "".join(filter(str.isprintable, line)).partition(delimiter)
        lines.append(text)
        if closed:
            whole = "\n".join(lines)
            self.kept.drop("", f"banner {kind}")
            self.kept.sections[""].append(f"banner {kind} ^C{whole}^C")
            self._banner_so_far = None
        return ""


def _frr(session: Session, said: ParsedCommand) -> str:
    """Pass a command on to FRR with the interface names translated."""
    linux = [session.names.linux(word) or word for word in said.words]
    under = session.place.frr
    if under is None and session.place is not GLOBAL_MODE:
        return simulated_commands.keep_as_typed(session, said)
    return session.configure(" ".join(linux), under=under)


def _frr_short(session: Session, said: ParsedCommand) -> str:
    """Pass a `no` command on to FRR, which needs only its first words."""
    return session.configure(" ".join(said.words[: int(said.command.target)]), under=session.place.frr)


def _handlers() -> dict[str, Handler]:
    return {
        **EXEC_HANDLERS,
        **config_commands.INTERFACE_HANDLERS,
        **config_commands.ROUTING_HANDLERS,
        **simulated_commands.SIMULATED_HANDLERS,
        **show_commands.SHOW_HANDLERS,
        "frr": _frr,
        "frr_short": _frr_short,
    }
