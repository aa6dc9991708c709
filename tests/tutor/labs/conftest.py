"""A lab that is right, for the tests to spoil, and a device that answers from a transcript."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from studium.core.domain.errors import ServiceDown
from studium.tutor.labs.reader import read_lab

SHIPPED = Path(__file__).parents[3] / "src" / "studium" / "tutor" / "labs" / "shipped"

RIGHT = """\
id: two-routers
title: Two routers
goal: R1 reaches the LAN of R2.
topics: [static_routing]
devices:
  - name: r1
    ports:
      - {name: GigabitEthernet0/0, address: 10.0.12.1/30}
  - name: r2
    ports:
      - {name: GigabitEthernet0/0, address: 10.0.12.2/30}
      - {name: GigabitEthernet0/1, address: 192.168.2.1/24}
  - name: pc2
    kind: host
    gateway: 192.168.2.1
    ports:
      - {name: eth0, address: 192.168.2.10/24}
cables:
  - {one: "r1:GigabitEthernet0/0", other: "r2:GigabitEthernet0/0"}
  - {one: "r2:GigabitEthernet0/1", other: "pc2:eth0"}
start:
  r1: |
    hostname R1
    interface GigabitEthernet0/0
     ip address 10.0.12.1 255.255.255.252
solution:
  r1: |
    ip route 192.168.2.0 255.255.255.0 10.0.12.2
checks:
  - id: command
    title: The route is configured
    kind: config
    device: r1
    expect: ip route 192.168.2.0 255.255.255.0 10.0.12.2
  - id: route
    title: The route is in use
    kind: route
    device: r1
    target: 192.168.2.0/24
    protocol: static
    via: 10.0.12.2
  - id: ping
    title: R1 reaches PC2
    kind: ping
    device: r1
    target: 192.168.2.10
hints:
  - {check: route, level: 1, text: Look at the next hop.}
"""


@pytest.fixture
def right():
    """The text of a lab without a mistake."""
    return RIGHT


@pytest.fixture
def reading_of(tmp_path):
    """What comes of reading a lab with this text."""

    def read(text, folder="two-routers"):
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        (place / "lab.yaml").write_text(text)
        (place / "instructions.md").write_text("# Two routers\n")
        return read_lab(place)

    return read


@pytest.fixture
def shipped_folder():
    return SHIPPED


def pytest_generate_tests(metafunc):
    if "shipped" in metafunc.fixturenames:
        folders = sorted(path.parent for path in SHIPPED.glob("*/lab.yaml"))
        metafunc.parametrize("shipped", folders, ids=lambda folder: folder.name)


@dataclass
class Recorded:
    """A device that was written down: each command has its outputs, of which the last one stays."""

    outputs: dict[str, list[str]]
    name: str = "r1"
    prompt: str = "R1#"
    typed: list[str] = field(default_factory=list)
    closed: int = 0

    def run(self, command, *, timeout=10.0):
        assert timeout > 0
        self.typed.append(command)
        if command in {"enable", "end"}:
            self.prompt = "R1#"
            return ""
        if command not in self.outputs:
            raise ServiceDown(f"{self.name} does not answer.")
        left = self.outputs[command]
        return left.pop(0) if len(left) > 1 else left[0]

    def close(self):
        self.closed += 1


@pytest.fixture
def recorded():
    def make(outputs, prompt="R1#"):
        several = {command: [said] if isinstance(said, str) else list(said) for command, said in outputs.items()}
        return Recorded(several, prompt=prompt)

    return make
