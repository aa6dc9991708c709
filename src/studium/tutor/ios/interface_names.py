"""Interface names: IOS spellings, short forms and Linux names."""

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

from studium.core.domain.value import Value

WRITTEN = re.compile(r"([A-Za-z-]+)\s*(\d+(?:/\d+)*(?:\.\d+)?)")
LINUX_WORD = re.compile(r"(?<![\w.:/-])[a-z][\w.-]*(?![\w.:/-])")
_NUMBERED = re.compile(r"(?i)([a-z][a-z-]*?)(\d+(?:[/.:]\d+)*)")
_LINUX_NAME = re.compile(r"lo|(?:eth|ens|enp|eno|veth|br|wlan|bond|dummy|vrf|gre)[\w.@-]*\d|[\w-]+-eth\d+")
_COMPARED = re.compile(r"([a-z-]+)\s*([\d/.:]+)", re.IGNORECASE)
_SLOT = re.compile(r"\d+(?:/\d+){0,3}(?:\.\d+)?")


class InterfaceType(Value):
    """A type of interface with its short name and irregular abbreviations; `in_labs` if our routers have it."""

    name: str
    short: str
    abbreviations: tuple[str, ...] = ()
    in_labs: bool = True


@cache
def interface_types() -> dict[str, InterfaceType]:
    """All types of interfaces by name."""
    entries = json.loads(files(__package__).joinpath("interfaces.json").read_text("utf-8"))
    return {entry["name"]: InterfaceType.model_validate(entry) for entry in entries}


def is_interface(text: str) -> bool:
    """Whether this is the name of an interface, such as `gi0/0`, `Serial0/0/0.10` or `eth1`."""
    if _LINUX_NAME.fullmatch(text.lower()):
        return True
    numbered = _NUMBERED.fullmatch(text)
    return numbered is not None and is_interface_type(numbered[1])


def is_interface_type(text: str) -> bool:
    """Whether this is the start of an interface type: `gi`, `fa`, `Serial`."""
    return any(name.lower().startswith(text.lower()) for name in interface_types())


def is_slot(text: str) -> bool:
    """Whether this is the number of an interface: `0/0/1`."""
    return _SLOT.fullmatch(text) is not None


def full_interface_type(written: str) -> str | None:
    """`GigabitEthernet` for `g`, `gi`, `Gig` or `gigabiteth`; None if unknown in labs or ambiguous."""
    lower = written.lower()
    types = [each for each in interface_types().values() if each.in_labs]
    listed = next((each.name for each in types if lower in each.abbreviations), None)
    fitting = [each.name for each in types if each.name.lower().startswith(lower)]
    return listed or (fitting[0] if len(fitting) == 1 else None)


def full_interface_name(written: str) -> str | None:
    """`GigabitEthernet0/0` for `g0/0`, `Gi0/0` or `gig 0/0`."""
    match = WRITTEN.fullmatch(written.strip())
    name = full_interface_type(match[1]) if match else None
    return f"{name}{match[2]}" if match and name else None


def short_interface_name(full: str) -> str:
    """`Gi0/0` for `GigabitEthernet0/0`, as in narrow tables."""
    match = WRITTEN.fullmatch(full)
    kind = interface_types().get(match[1]) if match else None
    return f"{kind.short}{match[2]}" if match and kind else full


@lru_cache(maxsize=4096)
def interface_key(written: str) -> str:
    """`gi0/0` for `GigabitEthernet0/0`, `Gig 0/0` and `g0/0`, so that spellings can be compared."""
    match = _COMPARED.fullmatch(written.strip())
    if not match:
        return written.strip().lower()
    lower = match[1].lower()
    types = interface_types().values()
    fitting = [each for each in types if lower in each.abbreviations] or [
        each for each in types if each.name.lower().startswith(lower)
    ]
    return (fitting[0].short if len(fitting) == 1 else lower)[:2].lower() + match[2]


class InterfaceNames:
    """Maps the interfaces of one device between IOS and Linux; loopbacks are created on first use."""

    def __init__(self, interfaces: Mapping[str, str]) -> None:
        self._linux = {full_interface_name(ios) or ios: linux for ios, linux in interfaces.items()}
        self._ios = {linux: ios for ios, linux in self._linux.items()}

    @property
    def all(self) -> tuple[str, ...]:
        """The IOS names of the interfaces the device was built with."""
        return tuple(self._linux)

    def linux(self, ios: str) -> str | None:
        """The Linux name of an interface; None if the device does not have it."""
        if ios in self._linux:
            return self._linux[ios]
        if ios == "Null0":
            return ios
        number = ios.removeprefix("Loopback")
        if number == ios:
            return None
        return "lo" if number == "0" and "lo" not in self._ios else f"lo{number}"

    def ios(self, linux: str) -> str | None:
        """The IOS name of an interface; None for one that students should not see."""
        if linux in self._ios:
            return self._ios[linux]
        match = re.fullmatch(r"lo(\d*)", linux)
        return f"Loopback{match[1] or 0}" if match else None

    def to_ios(self, text: str) -> str:
        """Replace Linux interface names in a text by IOS names."""
        return LINUX_WORD.sub(lambda word: self._ios.get(word[0], word[0]), text)
