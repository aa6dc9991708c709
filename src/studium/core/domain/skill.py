"""Skills: steps that a model or rules answer, and the tools they may use."""

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
    """A tool that a model may call while it answers. `run` takes a validated `arguments` value."""

    name: str
    description: str
    arguments: type[BaseModel]
    run: Callable[[Any], ToolReply | Awaitable[ToolReply]]


@dataclass(frozen=True)
class FinalTool:
    """A tool that ends an answer (`submit_qa`), and its output."""

    name: str
    description: str
    output: type[BaseModel]


@dataclass(frozen=True)
class Skill(Generic[Output_co]):
    """One step that needs judgement: a typed input, a typed output, a prompt file and a role.

    `name` is `feature.step` and names the prompt file `prompts/feature/step.md`; `role` says whose model answers.
    A skill with several `final_tools` is answered with the output of one. Raise `version` when a change of meaning must
    not be answered from the cache. A skill that `is_text` is answered in plain text, which can be streamed.
    """

    name: str
    role: str
    given: type[BaseModel]
    final_tools: tuple[FinalTool, ...]
    version: int = 1
    max_turns: int = 12
    is_text: bool = False


Output = TypeVar("Output", bound=BaseModel)


def skill(name: str, role: str, given: type[BaseModel], output: type[Output], *, version: int = 1) -> Skill[Output]:
    """A skill with one final tool, as most have."""
    return Skill(name, role, given, (FinalTool("final_answer", "Give the final answer.", output),), version)


class TextAnswer(BaseModel):
    """An answer in plain text."""

    model_config = ConfigDict(frozen=True)

    text: str


def text_skill(name: str, role: str, given: type[BaseModel], *, version: int = 1) -> Skill[TextAnswer]:
    """A skill that is answered in plain text."""
    return Skill(name, role, given, (FinalTool("answer", "Answer.", TextAnswer),), version, is_text=True)


@dataclass(frozen=True)
class Answer(Generic[Output_co]):
    """What a model answers: the output, or `None` and the findings that say why not."""

    output: Output_co | None
    findings: tuple[Finding, ...] = ()
    cached: bool = False
