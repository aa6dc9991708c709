"""A server on the loopback address that answers by path, well or badly."""

import asyncio
import json
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any


@cache
def certificate() -> Path:
    """The key and the certificate of lyrics.example in one file, made for these tests alone."""
    path = Path(mkdtemp()) / "lyrics.example.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=lyrics.example"]
    made += ["-addext", "subjectAltName=DNS:lyrics.example", "-keyout", str(path), "-out", str(path) + ".crt"]
    subprocess.run(made, check=True, capture_output=True)
    path.write_text(path.read_text() + Path(f"{path}.crt").read_text())
    return path


Answer = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]


def reply(body: bytes | str, *, status: int = 200, kind: str = "text/html; charset=utf-8", **headers: str) -> bytes:
    data = body if isinstance(body, bytes) else body.encode()
    named = {"Content-Type": kind, "Content-Length": str(len(data)), "Connection": "close"}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items() if value)
    return f"HTTP/1.1 {status} .\r\n{head}\r\n".encode() + data


def reply_json(value: Any, status: int = 200) -> bytes:
    return reply(json.dumps(value), status=status, kind="application/json")


def redirect(url: str, status: int = 302) -> bytes:
    return reply(b"", status=status, Location=url)


async def silence(_writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def endless(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        writer.write(b"x" * 65536)
        await writer.drain()


async def trickle(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


@dataclass
class Site:
    """What the server answers by path, and what it was asked."""

    port: int = 0
    answers: dict[str, Answer] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://lyrics.example:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            target = first.split()[1]
            headers = dict(line.lower().split(": ", 1) for line in lines if line)
            self.requests.append((target, headers))
            answer = self.answers.get(target.partition("?")[0], reply(b"", status=404))
            if isinstance(answer, bytes):
                writer.write(answer)
                await writer.drain()
            else:
                await answer(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(certificate: Path | None = None) -> AsyncIterator[Site]:
    """A site while it is up, over TLS if there is a certificate."""
    site = Site()
    tasks: set[asyncio.Task[None]] = set()
    secure = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH) if certificate else None
    if secure:
        secure.load_cert_chain(certificate)

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.get_running_loop().create_task(site.serve(reader, writer)))

    server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=secure)
    site.port = server.sockets[0].getsockname()[1]
    yield site
    server.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
