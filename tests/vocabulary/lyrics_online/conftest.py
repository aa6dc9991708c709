"""A web of one server on the loopback address, reached only through the door that the tests open."""

from typing import Any

import pytest
from tests.loopback_site import certificate, serving

from studium.core.public_web import PublicWeb, is_public_address


@pytest.fixture
async def site():
    """The server."""
    async with serving() as found:
        yield found


@pytest.fixture
async def secure_site():
    """A server with a certificate for `lyrics.example`."""
    async with serving(certificate()) as found:
        yield found


@pytest.fixture
def names():
    """What the name service says; `lyrics.example` is the server."""
    return {"lyrics.example": ["127.0.0.1"]}


@pytest.fixture
def open_web(site, names):
    """A web in which the one server counts as public."""

    async def resolver(host: str) -> list[str]:
        return names.get(host, [host])

    def door(address, port) -> bool:
        return is_public_address(address, port) or (str(address) == "127.0.0.1" and port == site.port)

    def make(**options: Any) -> PublicWeb:
        return PublicWeb(**({"resolver": resolver, "allowed": door, "timeout": 2.0} | options))

    return make
