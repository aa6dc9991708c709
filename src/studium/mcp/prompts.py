"""Prompts: what a person may start an assistant with."""

from collections.abc import Callable
from dataclasses import dataclass

from mcp_types import GetPromptResult, PromptArgument, PromptMessage, TextContent
from mcp_types import Prompt as Described

from studium.app.service import Service
from studium.core.domain.errors import BadInput, NotFound
from studium.core.llm.prompts import UNTRUSTED_TEXT_NOTICE, fence
from studium.tutor.mcp import lab_as_markdown

_REVIEW = """\
Go through my inbox with me{of}. List what waits with list_reviews and take one at a time: show_review, then tell me in
a few lines what is proposed, which evidence it rests on (quote it), and what was found against it. Say what you would
do and why, and ask me. The decision is mine: if answer_review is offered, call it only with what I said; if not, tell
me where in the app I answer. Go on until nothing waits or I stop."""

_QUIZ = """\
Quiz me on this networking lab. Ask one question at a time, begin easy, and wait for my answer. Hold my answer against
tutor_ask (lab {lab}) before you say that it is right or wrong, and say what that rests on. Where I give a command with
its output, use diagnose_command. Do not give solutions away before I tried. After six questions say what I know well
and what to practise."""


@dataclass(frozen=True)
class McpPrompt:
    """A prompt: what it is for, what must be said with it, and how it reads then."""

    name: str
    told: str
    argument: PromptArgument
    read: Callable[[Service, str], str]

    def described(self) -> Described:
        """The prompt as an assistant is shown it."""
        return Described(name=self.name, description=self.told, arguments=[self.argument])


def render_prompt(service: Service, name: str, arguments: dict[str, str]) -> GetPromptResult:
    """The prompt of this name, ready to be sent."""
    found = next((each for each in PROMPTS if each.name == name), None)
    if found is None:
        raise NotFound(f"There is no prompt '{name}'.", remedy=f"There are {', '.join(each.name for each in PROMPTS)}.")
    given = arguments.get(found.argument.name, "")
    if found.argument.required and not given:
        raise BadInput(f"The prompt '{name}' needs `{found.argument.name}`.", remedy=f"{found.argument.description}.")
    text = TextContent(type="text", text=found.read(service, given))
    return GetPromptResult(description=found.told, messages=[PromptMessage(role="user", content=text)])


def _review(_service: Service, feature: str) -> str:
    return _REVIEW.format(of=f", the feature {feature} only" if feature else "")


def _quiz(service: Service, lab: str) -> str:
    return (
        f"{_QUIZ.format(lab=lab)}\n\n{UNTRUSTED_TEXT_NOTICE}\n\n{fence('lab', lab_as_markdown(service.settings, lab))}"
    )


PROMPTS = (
    McpPrompt(
        "review_what_waits",
        "Go through the inbox together, one review at a time.",
        PromptArgument(name="feature", description="Only this feature, as in cards", required=False),
        _review,
    ),
    McpPrompt(
        "quiz_me_on_a_lab",
        "Be asked about a networking lab, with answers that are checked.",
        PromptArgument(name="lab", description="The lab's id, as list_labs shows it", required=True),
        _quiz,
    ),
)
