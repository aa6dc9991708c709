"""Skills: the steps that need judgement, and the tools a model may use for them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from studium.core.domain.finding import Finding

Output_co = TypeVar("Output_co", covariant=True)


@dataclass(frozen=True)
class Image:
    """A picture for a model that can see."""

    media_type: str
    base64: str


@dataclass(frozen=True)
class ToolReply:
    """What a tool answers: text, and pictures that are shown once all replies of the turn are in."""

    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True)
class Tool:
    """Something a model may do while it answers. `run` takes a validated `arguments` value."""

    name: str
    description: str
    arguments: type[BaseModel]
    run: Callable[[Any], ToolReply | Awaitable[ToolReply]]


@dataclass(frozen=True)
class FinalTool:
    """One way an answer can end: the tool that ends it (`submit_qa`) and the value it carries."""

    name: str
    description: str
    output: type[BaseModel]


@dataclass(frozen=True)
class Skill(Generic[Output_co]):
    """One step that needs judgement: a typed input, a typed output, a prompt file and a role.

    `name` is `feature.step` and names the prompt file `prompts/feature/step.md`; `role` says whose model answers.
    A skill with several `endings` answers with one of their outputs. Raise `version` when a change of meaning must
    not be answered from the cache. One that is `prose` is answered in plain words, which can be heard as they come.
    """

    name: str
    role: str
    given: type[BaseModel]
    endings: tuple[FinalTool, ...]
    version: int = 1
    max_turns: int = 12
    prose: bool = False


Output = TypeVar("Output", bound=BaseModel)


def skill(name: str, role: str, given: type[BaseModel], output: type[Output], *, version: int = 1) -> Skill[Output]:
    """A skill that ends in one way, as most do."""
    return Skill(name, role, given, (FinalTool("final_answer", "Give the final answer.", output),), version)


class TextAnswer(BaseModel):
    """An answer in plain words."""

    model_config = ConfigDict(frozen=True)

    text: str


def text_skill(name: str, role: str, given: type[BaseModel], *, version: int = 1) -> Skill[TextAnswer]:
    """A skill whose answer is plain words."""
    return Skill(name, role, given, (FinalTool("answer", "Answer.", TextAnswer),), version, prose=True)


@dataclass(frozen=True)
class Answer(Generic[Output_co]):
    """What a model answers: the output, or `None` and the findings that say why not."""

    output: Output_co | None
    findings: tuple[Finding, ...] = ()
    cached: bool = False
