"""The server under load: read requests while a job generates questions, visitors of the inbox, and its memory."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any
from uuid import uuid4

import aiohttp
import socketio

from studium.core.database import Database
from studium.core.domain.decision import Action, Decision

RATE, SECONDS = 200, 20
VISITORS = 50
MANY = 10_000
DOCUMENTS = 3_000
REVIEWS = 500
_SENTENCES = "Lamp {n} of tower {t} burns for {h} hours. Its keeper is called Keeper {n} and lives in house {h}.\n\n"


def measure() -> Iterator[tuple[str, float, str, str]]:
    with TemporaryDirectory() as folder, server(Path(folder)) as (address, pid):
        yield from asyncio.run(_under_load(Path(folder), address, pid))


@contextmanager
def server(folder: Path) -> Iterator[tuple[str, int]]:
    """`studium serve` with a filled database and a corpus."""
    _fill(folder)
    port = 8799
    environment = {**os.environ, "STUDIUM_HOME": str(folder / "home"), "STUDIUM_EMBEDDER": "none"}
    command = [sys.executable, "-m", "studium", "serve", "--port", str(port), "--root", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout
        process.stdout.readline()
        try:
            yield f"http://127.0.0.1:{port}", process.pid
        finally:
            process.terminate()


async def _under_load(folder: Path, address: str, pid: int) -> list[tuple[str, float, str, str]]:
    async with aiohttp.ClientSession(f"{address}/api/v1/") as session:
        paths = await _paths(session)
        await _many(session, paths, 500)
        async with session.post("questions/generate", json={"document": str(folder / "corpus"), "count": 20}) as reply:
            job = (await reply.json())["id"]
        await _running(session, job)
        # The server has one core; the clients and the job share the other.
        _stay_on(pid, 0)
        _stay_on(os.getpid(), 1)
        times = await _at_rate(session, paths)
        busy = (await _job(session, job))["status"] == "running"
        await session.post(f"jobs/{job}/cancel")
        seen, together = await _visitors(address, session, folder)
        before = _memory(pid)
        await _many(session, paths, MANY)
        after = _memory(pid)
    cuts = quantiles(times, n=1000)
    return [
        (
            "read requests answered a second on one core, while questions are generated",
            len(times) / SECONDS,
            "/s",
            ">= 200",
        ),
        ("… the median", cuts[499] * 1000, "ms", ""),
        ("… the 99th percentile", cuts[989] * 1000, "ms", "<= 100"),
        ("… and the job was still running (1: yes)", float(busy), "", "1"),
        (f"{VISITORS} visitors of the inbox: the last sees an answer after", seen, "s", ""),
        ("… 99th percentile of read requests beside them", together * 1000, "ms", "<= 100"),
        ("memory before 10,000 requests", before, "MB", ""),
        ("… more after them", after - before, "MB", "<= 5"),
    ]


async def _paths(session: aiohttp.ClientSession) -> list[str]:
    run = (await _json(session, "runs?limit=1"))["items"][0]["id"]
    review = (await _json(session, "reviews?limit=1"))["items"][0]["id"]
    listed = ("runs", "reviews?status=open&limit=50", "jobs", "reviews/counts", "health", "kinds")
    return [*listed, f"runs/{run}", f"runs/{run}/metrics", f"runs/{run}/decisions?limit=50", f"reviews/{review}"]


async def _at_rate(session: aiohttp.ClientSession, paths: list[str], seconds: float = SECONDS) -> list[float]:
    """Send requests at a fixed rate, without waiting for earlier replies, and time each."""
    start = perf_counter()

    async def one(path: str, due: float) -> float:
        await asyncio.sleep(max(0, due - perf_counter()))
        async with session.get(path) as reply:
            await reply.read()
            assert reply.status == 200
        return perf_counter() - due  # from when it was due: a server that falls behind does not hide it

    wanted = islice(cycle(paths), int(RATE * seconds))
    return list(await asyncio.gather(*(one(path, start + n / RATE) for n, path in enumerate(wanted))))


async def _many(session: aiohttp.ClientSession, paths: list[str], count: int) -> None:
    todo = iter(islice(cycle(paths), count))

    async def ask() -> None:
        for path in todo:
            async with session.get(path) as reply:
                await reply.read()

    await asyncio.gather(*(ask() for _ in range(8)))


async def _visitors(address: str, session: aiohttp.ClientSession, folder: Path) -> tuple[float, float]:
    """Open the inbox many times; returns when the last visitor sees an answer, and the time of concurrent reads."""
    heard = [asyncio.Event() for _ in range(VISITORS)]
    clients = [await _visitor(address, event) for event in heard]
    await asyncio.sleep(6)
    for event in heard:
        event.clear()
    with Database.open(f"sqlite:///{folder / 'home' / 'database.sqlite'}") as database:
        database.reviews.answer(database.reviews.select("open", limit=1)[0].id, "approved")
    start = perf_counter()
    await asyncio.wait_for(asyncio.gather(*(event.wait() for event in heard)), 30)
    seen = perf_counter() - start
    times = await _at_rate(session, await _paths(session), 5)
    await asyncio.gather(*(client.disconnect() for client in clients))
    return seen, quantiles(times, n=100)[98]


async def _visitor(address: str, heard: asyncio.Event) -> Any:
    """The browser's side of the inbox: the page and its socket."""
    async with aiohttp.ClientSession() as session, session.get(f"{address}/inbox") as reply:
        page = await reply.text()
    found = re.search(r"client_id[\"']?\s*:\s*[\"']([\w-]+)", page)
    assert found, page[:2000]
    about = f"client_id={found[1]}&document_id={uuid4()}&tab_id={uuid4()}&next_message_id=0&implicit_handshake=true"
    client = socketio.AsyncClient()
    client.on("update", lambda _data: heard.set())
    client.on("run_javascript", lambda _data: heard.set())
    await client.connect(f"{address}/?{about}", transports=["websocket"], socketio_path="/_nicegui_ws/socket.io")
    return client


async def _running(session: aiohttp.ClientSession, job: str) -> None:
    while (await _job(session, job))["done"] == 0:  # noqa: ASYNC110 - it waits for another process
        await asyncio.sleep(0.2)


async def _job(session: aiohttp.ClientSession, job: str) -> Any:
    return await _json(session, f"jobs/{job}")


async def _json(session: aiohttp.ClientSession, path: str) -> Any:
    async with session.get(path) as reply:
        return await reply.json()


def _fill(folder: Path) -> None:
    """A database with decisions and reviews, and a corpus that takes minutes."""
    (folder / "home").mkdir()
    (folder / "corpus").mkdir()
    for number in range(DOCUMENTS):
        lines = [_SENTENCES.format(n=n, t=number, h=n + 2) for n in range(60)]
        (folder / "corpus" / f"towers-{number:03}.md").write_text(f"# Towers of {number}\n\n" + "".join(lines))
    with Database.open(f"sqlite:///{folder / 'home' / 'database.sqlite'}") as database:
        run = database.runs.start("cards", {"vault": "notes", "to": "package"})
        for number in range(REVIEWS):
            item = f"note-{number}.md"
            made = Decision(item=f"{item}#1", action=Action.CREATE, proposal={"front": item}, score=0.9)
            doubt = made.model_copy(update={"item": f"{item}#2", "action": Action.MANUAL_REVIEW})
            database.items.save(run.id, item, [made, doubt])
        database.runs.finish(run.id, "done")


def _stay_on(pid: int, core: int) -> None:
    """Restrict all threads of a process to one core."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), {core})


def _memory(pid: int) -> float:
    sleep(1)
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1000
