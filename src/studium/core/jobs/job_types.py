"""A kind of job: what is asked for, and the work it takes."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, ValidationInfo

from studium.core.config import Settings


class JobRequest(BaseModel):
    """What a job asks for; it knows no field but its own."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


def example(**example: Any) -> ConfigDict:
    """Shows what a request looks like."""
    return ConfigDict(json_schema_extra={"examples": [example]})


def _found(given: str, asked: ValidationInfo) -> str:
    """Where a place lies, if whoever takes the job says how to find it: only then may the job be carried out."""
    find = (asked.context or {}).get("find")
    return str(find(given)) if find else given


def _sink(given: str, asked: ValidationInfo) -> str:
    find = (asked.context or {}).get("find_to_write")
    return str(find(given)) if find and given not in ("anki", "package") else given


InputPath = Annotated[str, Field(min_length=1, max_length=4096), AfterValidator(_found)]
"""A file or folder, which must lie where the settings allow."""
CardTarget = Annotated[str, Field(min_length=1, max_length=4096), AfterValidator(_sink)]
"""Where cards go: `anki`, `package`, or a file that must lie where the settings allow."""
ShortText = Annotated[str, Field(min_length=1, max_length=500)]
Flag = StrictBool
TextLine = Annotated[str, Field(max_length=2000)]


@dataclass(frozen=True)
class JobContext:
    """How a job is carried out: where its files go, and whether it was begun before."""

    folder: Path
    resume: bool


JobFunction = Callable[[Settings, Any, JobContext], Coroutine[Any, Any, Any]]


@dataclass(frozen=True)
class JobType:
    """A kind of job; `told` says what it does, in one sentence for people and assistants alike.

    `writes` says whether it changes what is not Studium's own: Anki, a vault, a router.
    """

    name: str
    told: str
    request: type[JobRequest]
    work: JobFunction
    writes: bool = False
