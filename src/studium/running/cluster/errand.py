"""An errand: what a worker is told, so that it can make the job anew where it stands."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from studium.running.job import Job
from studium.running.runner import Runner


@dataclass(frozen=True)
class Errand:
    """Who builds the job on a worker (`module:function`), and from what; all of it must pickle.

    The function gives an async context manager over a runner and the job. The items of that job are not asked for:
    each comes from the driver, with `start` pickled, so that a worker need not look for what it is not to work on.
    """

    build: str
    settings: Any = field(repr=False)  # there may be keys in them, and Dask logs the arguments of tasks that fail
    arguments: Any = field(repr=False)

    def open(self) -> AbstractAsyncContextManager[tuple[Runner, Job]]:
        """The runner and the job, made anew in this process."""
        module, _, name = self.build.partition(":")
        opened: AbstractAsyncContextManager[tuple[Runner, Job]] = getattr(import_module(module), name)(
            self.settings, self.arguments
        )
        return opened
