"""The overhead of the chat model over the bare LangChain client: 400 answers of 200 ms, 32 in flight, over HTTP."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient
from pydantic import SecretStr

from studium.core.database import Database
from studium.core.domain.skill import skill
from studium.core.domain.value import Value
from studium.core.llm.chat_model import ChatModel
from studium.core.llm.providers import ModelSpec

ANSWERS = 400
IN_FLIGHT = 32
DELAY = 0.2
PROMPT = """---
variables: [note]
sources: [note]
---
# System
You turn one study note into one card.
# User
{{note}}
"""


class Note(Value):
    """The input."""

    note: str


class Card(Value):
    """The output."""

    front: str
    back: str
    tags: tuple[str, ...] = ()


MAKE = skill("cards.make", "cards.mapper", Note, Card)


@contextmanager
def wire() -> Iterator[str]:
    """A scripted server in a separate process, so that its CPU time does not count."""
    command = [sys.executable, "-m", "studium.testing", "--delay", str(DELAY)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin
        assert server.stdout
        yield server.stdout.readline().strip()
        server.stdin.close()


async def timed(ask: Callable[[int], Awaitable[object]], numbers: range) -> tuple[float, float]:
    """Wall and CPU seconds for one answer per number, with a fixed number in flight."""
    room = asyncio.Semaphore(IN_FLIGHT)

    async def one(number: int) -> None:
        async with room:
            assert await ask(number)

    wall, cpu = perf_counter(), process_time()
    await asyncio.gather(*map(one, numbers))
    return perf_counter() - wall, process_time() - cpu


async def bare(address: str) -> tuple[float, float]:
    """The LangChain client alone."""
    async with DefaultAsyncHttpxClient() as http:
        model = ChatOpenAI(model="m", base_url=address, api_key=SecretStr("made-up"), http_async_client=http)
        chain = model.with_structured_output(Card)

        def ask(number: int) -> Awaitable[object]:
            return chain.ainvoke([("system", "You turn one study note into one card."), ("user", f"note {number}")])

        await timed(ask, range(IN_FLIGHT))
        return await timed(ask, range(ANSWERS))


async def ours(address: str, folder: Path) -> tuple[tuple[float, float], tuple[float, float]]:
    """The chat model with its database: asked twice, the second time from the cache."""
    (folder / "cards").mkdir()
    (folder / "cards" / "make.md").write_text(PROMPT)
    spec = ModelSpec("openai:m", base_url=address, max_concurrency=IN_FLIGHT)
    with Database.open(f"sqlite:///{folder}/database.db") as database:
        model = ChatModel(spec, database.turns, [folder])

        async def ask(number: int) -> object:
            return (await model.answer(MAKE, Note(note=f"note {number}"))).output

        await timed(ask, range(-IN_FLIGHT, 0))
        paid = await timed(ask, range(ANSWERS))
        cached = await timed(ask, range(ANSWERS))
        await model.aclose()
    return paid, cached


def measure() -> list[tuple[str, float, str, str]]:
    """The figures: name, value, unit and target."""
    with wire() as server, TemporaryDirectory() as folder:
        address = f"{server}/v1"
        bare_wall, bare_cpu = asyncio.run(bare(address))
        (wall, cpu), (_, cached_cpu) = asyncio.run(ours(address, Path(folder)))
    return [
        (f"{ANSWERS} structured answers, wall against the bare client", wall / bare_wall, "x", "<= 1.15"),
        ("CPU of an answer on top of the bare client", (cpu - bare_cpu) / ANSWERS * 1000, "ms", "<= 3"),
        ("CPU of a cached answer", cached_cpu / ANSWERS * 1000, "ms", "<= 1"),
    ]
