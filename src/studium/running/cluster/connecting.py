"""Reaching a Dask cluster: its scheduler, its workers, and whether they are ones that we can work with."""

import asyncio
import platform
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from studium.domain.errors import BadInput, MissingExtra, MissingPart, ServiceDown

if TYPE_CHECKING:
    from distributed import Client

_LONGEST_WAIT = 5.0  # seconds, for the scheduler to answer and then for a worker to be there
_GO_ON = "Then run the same command again, with --resume if the run had begun."


@asynccontextmanager
async def connected(scheduler: str, patience: float) -> "AsyncIterator[Client]":
    """A client of this scheduler, which has at least one worker, and Studium as we have it everywhere."""
    patience = min(patience, _LONGEST_WAIT)
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtra("Dask is not installed.", remedy="pip install 'studium[cluster]'") from error
    client = Client(scheduler, asynchronous=True, timeout=patience, set_as_default=False)
    try:
        await _connect(client, scheduler)
        await _wait_for_a_worker(client, scheduler, patience)
        await _check_programs(client, scheduler)
        yield client
    finally:
        await client.close()


async def _connect(client: "Client", scheduler: str) -> None:
    try:
        await client
    except (OSError, TimeoutError) as error:
        raise no_scheduler(scheduler) from error
    except ValueError as error:
        raise BadInput(f"`{scheduler}` is no address of a Dask scheduler.", remedy="Write tcp://HOST:8786.") from error


def no_scheduler(scheduler: str) -> ServiceDown:
    """Nobody answers, or not any more."""
    start = f"`dask scheduler` there, then `dask worker {scheduler}` on each machine that is to work"
    return ServiceDown(f"The Dask scheduler at {scheduler} does not answer.", remedy=f"Start it: {start}. {_GO_ON}")


def no_worker(scheduler: str) -> ServiceDown:
    """There is a scheduler, but nobody to do the work, or not any more."""
    remedy = f"Start one on each machine that is to work: `dask worker {scheduler}`. {_GO_ON}"
    return ServiceDown(f"The Dask scheduler at {scheduler} has no worker.", remedy=remedy)


async def _wait_for_a_worker(client: "Client", scheduler: str, patience: float) -> None:
    try:
        await client.wait_for_workers(1, timeout=patience)
    except (OSError, TimeoutError) as error:
        raise no_worker(scheduler) from error


async def _check_programs(client: "Client", scheduler: str) -> None:
    """Refuse a cluster whose programs are not ours: what they are sent could not be read, or would do another thing."""
    ours = _programs(version("studium"), platform.python_version())
    for who, theirs in (await _programs_of_all(client)).items():
        if theirs != ours:
            raise MissingPart(
                f"The {who} of the cluster at {scheduler} has {theirs}; here it is {ours}.",
                remedy="Install the same Studium, on the same Python, for the scheduler and every worker.",
            )


async def _programs_of_all(client: "Client") -> dict[str, str]:
    asked = (version, "studium"), (platform.python_version,)
    workers: list[dict[str, Any]] = [await client.run(*question, on_error="return") for question in asked]
    found = {f"worker {name}": [answers.get(name) for answers in workers] for name in workers[0]}
    found["scheduler"] = await asyncio.gather(
        *(client.run_on_scheduler(*question) for question in asked), return_exceptions=True
    )
    # A worker that went away between the questions answers with the broken connection; it does no work either.
    return {who: _programs(*answers) for who, answers in found.items() if not any(map(_is_gone, answers))}


def _programs(studium: object, python: object) -> str:
    """`Studium 1.0 on Python 3.12`; patch levels of Python do not matter."""
    ours = f"Studium {studium}" if isinstance(studium, str) else "no Studium"
    return f"{ours} on Python {'.'.join(str(python).split('.')[:2])}"


def _is_gone(answer: object) -> bool:
    return answer is None or isinstance(answer, OSError | TimeoutError)
