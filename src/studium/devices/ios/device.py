"""A router that speaks IOS to the student, over one that speaks FRR."""

from collections.abc import Callable, Mapping

from studium.devices.ios import exec_commands, interfaces, routing, showing, simulation
from studium.devices.ios.filters import apply_filter, filter_name
from studium.devices.ios.grammar import Grammar, Refused, Understood, Why, grammars
from studium.devices.ios.kept import Kept
from studium.devices.ios.names import InterfaceNames
from studium.devices.ios.secrets import opens
from studium.devices.ios.session import GLOBAL, PRIVILEGED, USER, Session
from studium.domain.lab import Device

Handler = Callable[[Session, Understood], str]
EXEC = ("user", "priv")
STAYS = {"leave", "end"}
COMPLAINTS = ("%", "Bad mask", "Command rejected", "BGP is already")
TRIES = 3


class IosDevice:
    """A device at an IOS command line. `interfaces` maps IOS names to Linux names.

    What IOS has and the device beneath has not is in `kept`: give the same to every conversation with a device.
    """

    def __init__(self, device: Device, interfaces: Mapping[str, str], *, kept: Kept | None = None) -> None:
        self.name = device.name
        self.kept = kept or Kept(hostname=device.name)
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
        """The prompt that waits now, as in `R1(config-if)#`; empty inside a banner."""
        if self._asks_password:
            return "Password: "
        if self._banner_so_far:
            return ""
        place = self._session.place
        return f"{self.kept.hostname}{place.shown}{'>' if place is USER else '#'}"

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        """Type one line; what IOS says to it."""
        self._session.timeout = timeout
        line = command.replace("\t", " ").rstrip("\r\n")
        if self._asks_password:
            return self._password(line)
        if self._banner_so_far:
            return self._more_banner(line)
        if not line.strip() or line.lstrip().startswith("!"):
            return ""
        if not line.isprintable():
            return self._complaint(Refused(Why.INVALID, 0, 0), line)
        self._session.typed.append(line.strip())
        return self._help(line) if line.endswith("?") else self._typed(line)

    def load(self, configuration: str) -> list[str]:
        """Type a configuration in global mode; what IOS had against its lines, each after the line it is about."""
        self._session.place = GLOBAL
        complaints = []
        for line in configuration.splitlines():
            if line.startswith(("version ", "Building conf", "Current conf")) or line == "end":
                continue
            said = self.run(line)
            if said.startswith(COMPLAINTS) and not said.startswith(routing.NO_GATEWAY):
                complaints.append(f"{line.strip()}: {said.splitlines()[-1]}")
            elif "Invalid input detected" in said:
                complaints.append(f"{line.strip()}: % Invalid input detected at '^' marker.")
        self._session.place = PRIVILEGED
        return complaints

    def close(self) -> None:
        """Leave the device as it is and let go of it."""
        self._session.inner.close()

    def _typed(self, line: str) -> str:
        place = self._session.place
        do, offset = self._do(line)
        if place.grammar in EXEC or do:
            return self._exec(line, offset, grammars()["priv" if do else place.grammar])
        read = grammars()[place.grammar].read(line)
        if isinstance(read, Refused) and place.grammar != "config":
            wider = grammars()["config"].read(line)
            if isinstance(wider, Understood):
                return self._from_global(wider, line)
            read = wider if wider.depth > read.depth else read
        return self._carry_out(read, line)

    def _do(self, line: str) -> tuple[bool, int]:
        """Whether an exec command is typed in a configuration mode, and where it starts."""
        start = len(line) - len(line.lstrip())
        is_do = self._session.place.grammar not in EXEC and line.lstrip().lower().startswith("do ")
        return is_do, start + 3 if is_do else 0

    def _exec(self, line: str, offset: int, grammar: Grammar) -> str:
        body, pipe, rest = line.partition("|")
        read = grammar.read(" " * offset + body[offset:])
        if isinstance(read, Refused) or not pipe:
            return self._carry_out(read, line)
        words = rest.split(maxsplit=1)
        name = filter_name(words[0]) if words else None
        if read.words[0] != "show" or (words and name is None):
            column = len(body) + (1 + len(rest) - len(rest.lstrip()) if read.words[0] == "show" else 0)
            return self._complaint(Refused(Why.INVALID, column, 0), line)
        if name is None or len(words) == 1:
            return "% Incomplete command."
        return apply_filter(name, words[1].strip(), self._carry_out(read, line))

    def _from_global(self, read: Understood, line: str) -> str:
        if read.command.action not in STAYS:
            self._session.place = GLOBAL
        return self._carry_out(read, line)

    def _carry_out(self, read: Understood | Refused, line: str) -> str:
        if isinstance(read, Refused):
            return self._complaint(read, line)
        foreign = min((at for sign in "|;" if (at := line.find(sign)) >= 0), default=None)
        if foreign is not None and read.command.action.startswith("frr"):
            return self._complaint(Refused(Why.INVALID, foreign, 0), line)
        said = self._handlers[read.command.action](self._session, read)
        return self._complaint(Refused(Why.INVALID, 0, 0), line) if said.startswith("% Unknown command:") else said

    def _complaint(self, refused: Refused, line: str) -> str:
        if refused.why is Why.INCOMPLETE:
            return "% Incomplete command."
        if refused.why is Why.AMBIGUOUS:
            return f'% Ambiguous command:  "{line.strip()}"'
        if self._session.place.grammar in EXEC and len(line.split()) == 1 and line.isprintable():
            return self._translating(line.strip())
        return f"{' ' * (len(self.prompt) + refused.column)}^\n% Invalid input detected at '^' marker."

    def _translating(self, word: str) -> str:
        """An unknown word is taken for the name of a computer."""
        asks = self.kept.value("", "no ip domain-lookup") is None
        server = "...domain server (255.255.255.255)" if asks else ""
        return f'Translating "{word}"{server}\n% Unknown command or computer name, or unable to find computer address'

    def _help(self, line: str) -> str:
        do, offset = self._do(line)
        place = self._session.place.grammar
        begun = line[offset:-1]
        found = grammars()["priv" if do else place].continuations(begun)
        if not found and place not in EXEC and not do:
            found = grammars()["config"].continuations(begun)
        if not found:
            return "% Unrecognized command"
        return "  ".join(found) if begun and not begun.endswith(" ") else "\n".join(f"  {each}" for each in found)

    def _enable(self, session: Session, _: Understood) -> str:
        if self._enable_secret() is None:
            session.place = PRIVILEGED
        else:
            self._asks_password, self._wrong_passwords = True, 0
        return ""

    def _enable_secret(self) -> str | None:
        secret = self.kept.value("", "enable secret")
        return self.kept.value("", "enable password") if secret is None else secret

    def _password(self, given: str) -> str:
        if opens(given, self._enable_secret() or ""):
            self._asks_password = False
            self._session.place = PRIVILEGED
            return ""
        self._wrong_passwords += 1
        if self._wrong_passwords < TRIES:
            return ""
        self._asks_password = False
        return "% Bad secrets"

    def _banner(self, _: Session, said: Understood) -> str:
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


def _frr(session: Session, said: Understood) -> str:
    """A command that the router beneath has too, but for the names of interfaces."""
    linux = [session.names.linux(word) or word for word in said.words]
    under = session.place.frr
    if under is None and session.place is not GLOBAL:
        return simulation.keep_as_typed(session, said)
    return session.configure(" ".join(linux), under=under)


def _frr_short(session: Session, said: Understood) -> str:
    """A `no` of which the router beneath wants only the first words."""
    return session.configure(" ".join(said.words[: int(said.command.target)]), under=session.place.frr)


def _handlers() -> dict[str, Handler]:
    return {
        **exec_commands.HANDLERS,
        **interfaces.HANDLERS,
        **routing.HANDLERS,
        **simulation.HANDLERS,
        **showing.HANDLERS,
        "frr": _frr,
        "frr_short": _frr_short,
    }
