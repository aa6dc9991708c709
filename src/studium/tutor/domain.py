"""Labs, their devices, typed commands, diagnoses and check results."""

from enum import StrEnum
from typing import Literal, Protocol

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from studium.core.domain.value import Value


class Mode(StrEnum):
    """The mode of a command line, as its prompt shows it."""

    USER_EXEC = "user_exec"
    PRIVILEGED_EXEC = "privileged_exec"
    GLOBAL_CONFIG = "global_config"
    INTERFACE_CONFIG = "interface_config"
    SUBINTERFACE_CONFIG = "subinterface_config"
    ROUTER_CONFIG = "router_config"
    LINE_CONFIG = "line_config"
    VLAN_CONFIG = "vlan_config"
    ACL_CONFIG = "acl_config"
    DHCP_CONFIG = "dhcp_config"
    UNKNOWN = "unknown"


class TypedCommand(Value):
    """A typed command with its prompt, output and device."""

    command: str
    output: str = ""
    prompt: str = ""
    device: str = ""


DiagnosisSeverity = Literal["error", "warning", "notice"]


@with_config(ConfigDict(extra="allow"))
class DiagnosisMetadata(TypedDict, total=False):
    """More about a diagnosis: what found it, where, and the commands that fix it, to be typed as they are.

    A silent mistake has a `device` and no `command`; `fuzzy_match_info` says how a refused line was understood.
    """

    pattern_id: str
    severity: DiagnosisSeverity
    device: str
    command: str
    commands: list[str]
    fuzzy_match_info: dict[str, str]


class Diagnosis(Value):
    """What is wrong with a command or a configuration, and how to fix it; `fix` is for people."""

    error_type: str
    diagnosis: str
    fix: str
    metadata: DiagnosisMetadata = Field(default_factory=DiagnosisMetadata)

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands that fix it, if known."""
        return tuple(self.metadata.get("commands", ()))


class Port(Value):
    """An interface of a device: its name and the address that the lab assigns to it, if any."""

    name: str
    address: str | None = None


class LabDevice(Value):
    """A job on a device of a lab."""

    name: str
    kind: Literal["router", "host"] = "router"
    ports: tuple[Port, ...] = ()
    gateway: str | None = None


class Cable(Value):
    """A link between two ports, each written `r1:GigabitEthernet0/0`."""

    one: str
    other: str


class LabCheck(Value):
    """A condition that must hold when the lab is done.

    - config: the lines of `expect` are in the running configuration of `device`.
    - ping: `device` reaches `target`.
    - route: `device` has a route to `target` (by `protocol`, through `via`, if they are given).
    - neighbor: `device` has a neighbour `target` (a router id or address) in `protocol`, fully up.
    """

    id: str
    title: str
    kind: Literal["config", "ping", "route", "neighbor"]
    device: str
    target: str = ""
    protocol: str = ""
    via: str = ""
    expect: str = ""
    topic: str = ""


class Hint(Value):
    """A hint: level 1 points in a direction, 2 names the command, 3 gives the answer."""

    level: Literal[1, 2, 3]
    text: str
    check: str = ""


class Lab(Value):
    """A lab as it is shipped or written by a teacher."""

    id: str
    title: str
    goal: str
    topics: tuple[str, ...] = ()
    devices: tuple[LabDevice, ...] = ()
    cables: tuple[Cable, ...] = ()
    start: dict[str, str] = Field(default_factory=dict)
    solution: dict[str, str] = Field(default_factory=dict)
    checks: tuple[LabCheck, ...] = ()
    hints: tuple[Hint, ...] = ()
    instructions: str = ""
    documents: tuple[str, ...] = ()


class CheckResult(Value):
    """The result of one check: whether it holds, what was seen and what is missing."""

    check: LabCheck
    holds: bool
    seen: str = ""
    missing: tuple[str, ...] = ()


class PortState(Value):
    """The state of a port: `up`, `shut` (administratively down), or `down` (no signal).

    `cost` is its OSPF cost; None if OSPF does not run there.
    """

    state: Literal["up", "down", "shut"]
    addresses: tuple[str, ...] = ()
    cost: int | None = None


class Adjacency(Value):
    """A neighbour with its state as the router prints it (`Full/DR`, `Active`); `port` is empty if unknown."""

    device: str
    port: str = ""
    protocol: Literal["ospf", "bgp", "rip"]
    neighbor: str
    address: str
    state: str
    is_up: bool


class NetworkState(Value):
    """The current state of a lab's ports (`r1:GigabitEthernet0/0`) and neighbours."""

    ports: dict[str, PortState] = Field(default_factory=dict)
    adjacencies: tuple[Adjacency, ...] = ()

    def neighbors_at(self, end: str) -> tuple[Adjacency, ...]:
        """The neighbours seen through a port."""
        return tuple(each for each in self.adjacencies if f"{each.device}:{each.port}" == end)


class Device(Protocol):
    """A session on a device's command line, which keeps its mode; calls may block."""

    name: str

    @property
    def prompt(self) -> str:
        """The current prompt, such as `R1(config-if)#`."""
        ...

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        """Run one line and return the output without echo, prompt and control codes."""
        ...

    def close(self) -> None:
        """Close the session; the device keeps running."""
        ...


class Testbed(Protocol):
    """Where the devices of a lab run."""

    def up(self, lab: Lab) -> None:
        """Start the lab with its starting configuration, after cleaning up what a killed run left behind."""
        ...

    def down(self) -> None:
        """Stop the lab."""
        ...

    def reset(self) -> None:
        """Reset every device to its starting configuration."""
        ...

    def device(self, name: str) -> Device:
        """Open a new session on a device."""
        ...

    def is_alive(self, name: str) -> bool:
        """Whether a device answers."""
        ...

    def restart(self, name: str) -> None:
        """Restart a device that crashed, with its last saved configuration."""
        ...

    def ping(self, device: str, target: str, *, timeout: float = 2.0) -> bool:
        """Whether a device reaches an address."""
        ...


Intent = Literal["teaching", "troubleshooting", "ambiguous"]
Strategy = Literal["socratic", "direct", "hint", "challenge"]
MasteryLevel = Literal["novice", "intermediate", "advanced"]
HintLevel = Literal[1, 2, 3]
