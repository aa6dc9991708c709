"""Guarded servers in processes of their own, on loopback."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import httpx
import pytest
from tests.real.process import free_port

_ROOT = Path(__file__).parents[3]

TOKEN = "correct horse battery"
_ADDRESSES = count()


@dataclass(frozen=True)
class Server:
    """A running server."""

    port: int
    process: subprocess.Popen[bytes]
    uploads: Path
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def most_memory(self) -> int:
        """The most memory that it ever held, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) // 1000


@contextmanager
def served(folder: Path, script: str, **options: object) -> Iterator[Server]:
    """A server of `tests/http/guard/<script>.py` with these options of the guard."""
    port = free_port()
    uploads, log = folder / "uploads", folder / "log"
    command = [sys.executable, "-m", f"tests.http.guard.{script}", str(port), json.dumps(options), uploads]
    with log.open("w") as written, subprocess.Popen(command, stderr=written, stdout=written, cwd=_ROOT) as process:
        server = Server(port, process, uploads, log)
        try:
            _wait_for(server)
            yield server
        finally:
            process.terminate()


def _wait_for(server: Server) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        assert server.process.poll() is None, server.log.read_text()
        try:
            httpx.get(server.url, timeout=20)
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    pytest.fail("the server did not start")


@pytest.fixture(scope="session")
def open_server(tmp_path_factory) -> Iterator[Server]:
    """One without a token, for small things: 1 MB, 2 MB for uploads, two seconds of silence."""
    limits = {"max_body": 1_000_000, "max_upload": 2_000_000, "timeout": 2.0}
    with served(tmp_path_factory.mktemp("open"), "server", allowed_hosts=["studium.example"], **limits) as server:
        yield server


@pytest.fixture(scope="session")
def closed_server(tmp_path_factory) -> Iterator[Server]:
    """One with a token."""
    with served(tmp_path_factory.mktemp("closed"), "server", token=TOKEN) as server:
        yield server


@pytest.fixture
def anyone(open_server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=open_server.url, timeout=30) as client:
        yield client


@pytest.fixture
def stranger(closed_server) -> Iterator[httpx.Client]:
    """Somebody at an address of their own, behind a proxy on the server's machine."""
    address = f"198.51.{next(_ADDRESSES) % 256}.{next(_ADDRESSES) % 256}"
    headers = {"X-Forwarded-For": address}
    with httpx.Client(base_url=closed_server.url, timeout=30, headers=headers) as client:
        yield client
