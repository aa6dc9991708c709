"""Labs: the devices of a small network, what is typed on them, what went wrong, and what is to be reached."""

from enum import StrEnum
from typing import Any, Literal, Protocol

from pydantic import Field

from studium.core.domain.value import Value


class Mode(StrEnum):
    """Where a command line stands, as its prompt shows it."""

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
    """One command as it was typed, the prompt it was typed at, and what the device said."""

    command: str
    output: str = ""
    prompt: str = ""
    device: str = ""


class Diagnosis(Value):
    """What is wrong with a command or a configuration, and how to mend it.

    `fix` is for people; `metadata["commands"]` are the corrected commands for this very line, in order, to be typed as
    they stand; `metadata["pattern_id"]` names what found it; `metadata["severity"]` is `error`, `warning` or `notice`.
    """

    error_type: str
    diagnosis: str
    fix: str
    metadata: dict[str, Any] = Field(default_factory=dict)

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands that mend it, if such are known."""
        return tuple(self.metadata.get("commands", ()))


class Port(Value):
    """An interface of a device: its name as a student types it, and the address it is to have, if the lab says so."""

    name: str
    address: str | None = None


class LabDevice(Value):
    """A device of a lab."""

    name: str
    kind: Literal["router", "host"] = "router"
    ports: tuple[Port, ...] = ()
    gateway: str | None = None


class Cable(Value):
    """A link between two ports, each written `r1:GigabitEthernet0/0`."""

    one: str
    other: str


class LabCheck(Value):
    """Something that must hold when the lab is done.

    - config: the lines of `expect` stand in the running configuration of `device`.
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
    """Help that may be given: 1 points the way, 2 names the command, 3 gives it away."""

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
    """What came of one check: whether it holds, what was seen, and what is missing."""

    check: LabCheck
    holds: bool
    seen: str = ""
    missing: tuple[str, ...] = ()


class PortState(Value):
    """How a port stands now: `up`, `shut` on purpose, or `down`, since nothing comes from its far end.

    `cost` is what OSPF reckons for the way through it; without one, OSPF does not run there.
    """

    state: Literal["up", "down", "shut"]
    addresses: tuple[str, ...] = ()
    cost: int | None = None


class Adjacency(Value):
    """A neighbour as a router sees it now, in its own words (`Full/DR`, `Active`); `port` is where, if it is known."""

    device: str
    port: str = ""
    protocol: Literal["ospf", "bgp", "rip"]
    neighbor: str
    address: str
    state: str
    is_up: bool


class NetworkState(Value):
    """How a lab's network stands now: its ports (`r1:GigabitEthernet0/0`), and who is whose neighbour."""

    ports: dict[str, PortState] = Field(default_factory=dict)
    adjacencies: tuple[Adjacency, ...] = ()

    def neighbors_at(self, end: str) -> tuple[Adjacency, ...]:
        """The neighbours seen through a port."""
        return tuple(each for each in self.adjacencies if f"{each.device}:{each.port}" == end)


class Device(Protocol):
    """A device at its command line; one conversation, which remembers its mode. Calls may wait for the device."""

    name: str

    @property
    def prompt(self) -> str:
        """The prompt that waits now, as in `R1(config-if)#`."""
        ...

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        """Type one line; what the device says, without echo, prompt and control codes."""
        ...

    def close(self) -> None:
        """Leave the device as it is and let go of it."""
        ...


class Testbed(Protocol):
    """Where the devices of a lab run."""

    def up(self, lab: Lab) -> None:
        """Bring the lab up with its starting configuration; what a killed run left behind is cleaned up first."""
        ...

    def down(self) -> None:
        """Take the lab down; only what is ours goes."""
        ...

    def reset(self) -> None:
        """Every device as it was at the start."""
        ...

    def device(self, name: str) -> Device:
        """A new conversation with a device."""
        ...

    def is_alive(self, name: str) -> bool:
        """Whether a device answers."""
        ...

    def restart(self, name: str) -> None:
        """Start a device that died anew, with the configuration it had last saved."""
        ...

    def ping(self, device: str, target: str, *, timeout: float = 2.0) -> bool:
        """Whether a device reaches an address."""
        ...


Intent = Literal["teaching", "troubleshooting", "ambiguous"]
Strategy = Literal["socratic", "direct", "hint", "challenge"]
MasteryLevel = Literal["novice", "intermediate", "advanced"]
HintLevel = Literal[1, 2, 3]
