"""The overhead of a question over its model calls: 100 questions of 4 calls of 200 ms, 32 in flight, over HTTP."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from bench.chat import timed
from studium.testing import Reply, WireRequest, WireServer

DOCUMENTS, CALLS, IN_FLIGHT, DELAY = 100, 4, 32, 0.2
_SERVE = "from bench.questions import serve; serve()"


def answer(request: WireRequest) -> Reply:
    """Reads, then asks about the lamp of the document; as validator reads, then answers."""
    seen = "\n".join(message.text for message in request.messages if message.role == "tool")
    if not seen:
        return Reply(tool_calls=(("read_lines", {"start_line": 1}),), delay=DELAY)
    lamp, hours = re.findall(r"Lamp (\w+) burns for (\d+) hours", seen)[0]
    if request.model == "checker":
        said = {"answerable": True, "answer": f"{hours} hours"}
        return Reply(tool_calls=(("final_answer", said),), delay=DELAY)
    pair = {
        "question": f"How long does lamp {lamp} burn?",
        "answer": f"{hours} hours",
        "quotes": [f"Lamp {lamp} burns for {hours} hours."],
    }
    return Reply(tool_calls=(("submit_qa", pair),), delay=DELAY)


def serve() -> None:
    """A scripted server that runs until stdin is closed."""
    with WireServer(answer) as server:
        print(server.address, flush=True)
        sys.stdin.read()


@contextmanager
def wire() -> Iterator[str]:
    """The server in a separate process, so that its CPU time does not count."""
    command = [sys.executable, "-c", _SERVE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin
        assert server.stdout
        yield server.stdout.readline().strip()
        server.stdin.close()


async def bare(address: str, bodies: list[dict[str, Any]]) -> tuple[float, float]:
    """The LangChain client alone, with the same calls as the loop."""
    from langchain_openai import ChatOpenAI
    from openai import DefaultAsyncHttpxClient
    from pydantic import SecretStr

    async with DefaultAsyncHttpxClient() as http:
        model = ChatOpenAI(model="asker", base_url=f"{address}/v1", api_key=SecretStr("x"), http_async_client=http)
        chains = [(model.bind(tools=body["tools"]), body["messages"]) for body in bodies]

        def ask(number: int) -> Awaitable[object]:
            chain, messages = chains[number % len(chains)]
            return chain.ainvoke(messages)

        await timed(ask, range(IN_FLIGHT))
        return await timed(ask, range(DOCUMENTS * CALLS))


async def ours(address: str, folder: Path, count: int = DOCUMENTS) -> tuple[float, float]:
    """The whole loop: read documents, validate questions, save every step."""
    from studium.core.config import Settings
    from studium.questions.use_cases import GenerationRequest, generate_questions

    documents = folder / "documents"
    documents.mkdir(parents=True)
    for number in range(count):
        (documents / f"lamp{number}.txt").write_text(f"Lamp L{number} burns for {100 + number} hours.\n")
    roles = {"generator": "openai:asker", "validator": "openai:checker"}
    models = {name: {"base_url": f"{address}/v1", "max_concurrency": IN_FLIGHT} for name in roles.values()}
    settings = Settings.model_validate(
        {
            "home": folder / "home",
            "roles": {"questions": roles},
            "models": models,
            "running": {"concurrency": IN_FLIGHT},
        }
    )
    wall, cpu = perf_counter(), process_time()
    asked = await generate_questions(settings, GenerationRequest(documents, 1))
    assert len(asked.pairs) == count
    return perf_counter() - wall, process_time() - cpu


def measure() -> list[tuple[str, float, str, str]]:
    """The figures: name, value, unit and target."""
    import studium.app.graphs

    studium.app.graphs.graphs_to_draw()  # imports are not part of a question's cost
    with TemporaryDirectory() as folder:
        with WireServer(answer) as server:
            asyncio.run(ours(server.address, Path(folder) / "one", 1))
            bodies = [request.body for request in server.requests]
        assert len(bodies) == CALLS
        with wire() as address:
            bare_wall, bare_cpu = asyncio.run(bare(address, bodies))
            wall, cpu = asyncio.run(ours(address, Path(folder) / "all"))
    return [
        (f"{DOCUMENTS} questions of {CALLS} calls, wall against the bare client", wall / bare_wall, "x", "<= 1.3"),
        ("CPU of a question on top of the bare client", (cpu - bare_cpu) / DOCUMENTS * 1000, "ms", "<= 15"),
    ]
