"""Networks written as data: the devices' configurations, the cables between them, the addresses a lab wants."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from studium.tutor.domain import Cable, Lab, LabDevice, Port

FOLDER = Path(__file__).parent


def networks(name: str) -> list[dict[str, Any]]:
    written: list[dict[str, Any]] = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    return written


def lab_of(network: dict[str, Any]) -> Lab | None:
    if "cables" not in network and "ports" not in network:
        return None
    ports: dict[str, list[Port]] = {}
    for end, address in network.get("ports", {}).items():
        device, _, port = end.partition(":")
        ports.setdefault(device, []).append(Port(name=port, address=address))
    cables = tuple(Cable(one=one, other=other) for one, other in network.get("cables", ()))
    devices = tuple(
        LabDevice(name=device, ports=tuple(listed), kind="router" if device in network["devices"] else "host")
        for device, listed in ports.items()
    )
    return Lab(id="lab", title="A lab", goal="It works.", devices=devices, cables=cables)


@pytest.fixture
def mistaken_networks():
    return networks("mistakes.yaml")


@pytest.fixture
def healthy_networks():
    return networks("healthy.yaml")


@pytest.fixture
def lab():
    return lab_of
