"""A job type: its request model and the function that does the work."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, ValidationInfo

from studium.core.config import Settings

CANCEL = "cancel"
"""What the process of a cancelled job is told before the signal to stop."""


class JobRequest(BaseModel):
    """The base of every job's request; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


def example(**example: Any) -> ConfigDict:
    """An example of a request, for the API documentation."""
    return ConfigDict(json_schema_extra={"examples": [example]})


def _found(given: str, asked: ValidationInfo) -> str:
    """Resolve a path, if the service passes `find`: only such a request may be run."""
    find = (asked.context or {}).get("find")
    return str(find(given)) if find else given


def _sink(given: str, asked: ValidationInfo) -> str:
    find = (asked.context or {}).get("find_to_write")
    return str(find(given)) if find and given not in ("anki", "package") else given


InputPath = Annotated[str, Field(min_length=1, max_length=4096), AfterValidator(_found)]
"""A file or folder that the settings allow."""
CardTarget = Annotated[str, Field(min_length=1, max_length=4096), AfterValidator(_sink)]
"""Where cards go: `anki`, `package`, or a file that the settings allow."""
ShortText = Annotated[str, Field(min_length=1, max_length=500)]
Flag = StrictBool
TextLine = Annotated[str, Field(max_length=2000)]


@dataclass(frozen=True)
class JobContext:
    """How a job runs: the folder for its files, and whether it resumes."""

    folder: Path
    resume: bool


JobResult = dict[str, Any]
"""What a job returns: the JSON that its command prints with `--json`."""
JobFunction = Callable[[Settings, Any, JobContext], Coroutine[Any, Any, Any]]


@dataclass(frozen=True)
class JobType:
    """A job type; `description` says what it does, in one sentence for people and assistants.

    `writes` says whether it changes what is not Studium's own (Anki, a vault, a router) or what a person decides.
    """

    name: str
    description: str
    request: type[JobRequest]
    work: JobFunction
    writes: bool = False
