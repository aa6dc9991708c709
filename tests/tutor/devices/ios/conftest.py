"""A router at an IOS command line, over one on paper."""

import pytest
from tests.tutor.devices.ios.offline_router import OfflineRouter

from studium.tutor.devices.ios.device import IosDevice


class ListeningRouter(OfflineRouter):
    """A router on paper that remembers every line it was asked."""

    def __init__(self, name: str = "R1") -> None:
        super().__init__(name)
        self.asked: list[str] = []

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        self.asked.append(command)
        return super().run(command, timeout=timeout)


@pytest.fixture
def ports():
    return {"GigabitEthernet0/0": "eth0", "GigabitEthernet0/1": "eth1"}


@pytest.fixture
def beneath():
    return ListeningRouter()


@pytest.fixture
def r1(beneath, ports):
    return IosDevice(beneath, ports)


@pytest.fixture
def type_lines(r1):
    """Type lines, one after the other; what was said to the last."""

    def type_all(*lines: str) -> str:
        said = ""
        for line in lines:
            said = r1.run(line)
        return said

    return type_all


@pytest.fixture
def configure(type_lines):
    """The same, in global configuration."""
    return lambda *lines: type_lines("enable", "configure terminal", *lines)
