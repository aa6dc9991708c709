"""`studium mcp` as an assistant starts it: a process of its own that speaks only the protocol."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.mcp.conftest import answer, connect, raises_mcp_error, underway

from studium.core.app import open_database
from studium.core.jobs.service import open_service

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}


@contextmanager
def talking(own_process: Any, first: str = "") -> Iterator[subprocess.Popen[str]]:
    """`studium mcp`, greeted, with a line of Python run before it."""
    code = f"{first}\nfrom studium.cli.app import main\nmain({own_process.args[2:]!r})\n"
    with subprocess.Popen(
        [sys.executable, "-c", code],
        env=os.environ | (own_process.env or {}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        send(process, method="initialize", id=1, params=HELLO)
        send(process, method="notifications/initialized")
        yield process


def send(process: subprocess.Popen[str], **message: Any) -> None:
    assert process.stdin
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    assert process.stdout
    yield from map(json.loads, process.stdout)


def started_server() -> int:
    """The process that a client in this one started."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return next(int(child) for child in children if b"\0mcp\0" in Path(f"/proc/{child}/cmdline").read_bytes())


def test_stdout_carries_only_the_protocol(own_process):
    loud = (
        "import studium.tutor.lab_use_cases as labs\nquiet = labs.list_labs\n"
        "labs.list_labs = lambda settings: print('library chatter') or quiet(settings)"
    )
    with talking(own_process, loud) as process:
        process.stdin.write("this is no JSON\n")
        send(process, method="tools/call", id=2, params={"name": "list_labs", "arguments": {}})
        replies = {}
        for message in hear(process):
            replies[message.get("id")] = message
            if 2 in replies:
                break
        rest, errors = process.communicate(timeout=30)
    assert replies[1]["result"]["serverInfo"]["name"] == "studium"
    assert "8 labs." in replies[2]["result"]["content"][0]["text"]
    assert not rest
    assert "library chatter" in errors
    assert process.returncode == 0


async def test_an_assistant_works_with_a_process_of_its_own(own_process):
    async with connect(own_process) as client:
        job = await answer(client, "cards_plan", vault="vault")
        outside = await client.call_tool("cards_plan", {"vault": "/etc"})
        reviews = json.loads((await client.read_resource("studium://reviews")).contents[0].text)
    assert job["result"]["counts"]["create"] == 2
    assert outside.is_error
    assert reviews["total"] == 0


def test_when_the_client_is_gone_its_job_is_cancelled_and_the_process_ends(own_process, settings):
    plan = {"name": "cards_plan", "arguments": {"vault": "large"}, "_meta": {"progressToken": "p"}}
    with talking(own_process) as process:
        send(process, method="tools/call", id=2, params=plan)
        next(message for message in hear(process) if message.get("method") == "notifications/progress")
        process.stdin.close()
        assert process.wait(timeout=20) == 0
    with closing(open_database(settings)) as database:
        (job,) = database.jobs.newest()
    assert job.status == "cancelled"


async def test_the_client_notices_a_killed_server_and_its_job_can_be_resumed(own_process, settings):
    async with connect(own_process) as client, underway(client, "cards_plan", {"vault": "large"}) as calling:
        os.kill(started_server(), signal.SIGKILL)
        async with asyncio.timeout(20):
            with raises_mcp_error(match="Connection closed"):
                await calling
    with closing(open_database(settings)) as database:
        assert [job.kind for job in database.jobs.unfinished()] == ["cards.plan"]


async def test_an_assistants_own_process_leaves_the_jobs_of_a_server_alone(settings):
    with closing(open_database(settings)) as database:
        job = database.jobs.create("vocabulary.prepare", {})
    async with open_service(settings, go_on=False) as service, asyncio.timeout(20):
        ended = await service.jobs.wait(job.id)
    assert ended.status == "waiting", "nobody began it, so there is nothing to wait for"
