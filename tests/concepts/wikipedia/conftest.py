"""An encyclopedia on the loopback address, reached only through the door that the tests open."""

import asyncio
import time
from typing import NamedTuple

import pytest
from tests.loopback_site import Site, serving

from studium.concepts.wikipedia import Encyclopedia
from studium.core.domain.finding import Finding
from studium.core.public_web import PublicWeb, is_public_address


class Told(NamedTuple):
    pages: tuple[str, ...]
    findings: tuple[Finding, ...]
    seconds: float


@pytest.fixture
async def site():
    """The server."""
    async with serving() as found:
        yield found


@pytest.fixture
def ask(site: Site):
    """Asks the way the product does, from a thread; every name leads to the server, which counts as public."""

    async def resolver(host: str) -> list[str]:
        return ["127.0.0.1"] if host.endswith(".wiki.example") else [host]

    def door(address, port) -> bool:
        return is_public_address(address, port) or (str(address) == "127.0.0.1" and port == site.port)

    async def told(name: str, language: str = "es", within: float = 2.0) -> Told:
        web = PublicWeb(resolver=resolver, allowed=door, timeout=within, max_bytes=20_000)
        address = f"http://{{language}}.wiki.example:{site.port}"
        started = time.monotonic()
        pages, findings = await asyncio.to_thread(Encyclopedia(address, within, web=web).pages, name, language)
        return Told(pages, findings, time.monotonic() - started)

    return told
