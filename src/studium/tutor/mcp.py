"""The tutor's MCP tools, without solutions and hints."""

from typing import Annotated, Any

from pydantic import Field

from studium.core.config import Settings
from studium.core.jobs.job_types import JobRequest, TextLine
from studium.core.jobs.service import Service
from studium.core.llm.prompts import UNTRUSTED_TEXT_NOTICE, fence
from studium.mcp.tool import McpParts, McpPrompt, McpResource, McpTool, ToolResult, in_thread
from studium.tutor import lab_use_cases
from studium.tutor import use_cases as tutor
from studium.tutor.domain import Lab

_QUIZ = """\
Quiz me on this networking lab. Ask one question at a time, begin easy, and wait for my answer. Hold my answer against
tutor_ask (lab {lab}) before you say that it is right or wrong, and say what that rests on. Where I give a command with
its output, use diagnose_command. Do not give solutions away before I tried. After six questions say what I know well
and what to practise."""


class DiagnoseRequest(JobRequest):
    """A command and its output."""

    command: Annotated[str, Field(min_length=1, max_length=2000)]
    """What was typed."""
    output: Annotated[str, Field(max_length=100_000)]
    """The device's output."""
    prompt: TextLine | None = None
    """The prompt, as in `R1(config)#`."""


class ListLabsRequest(JobRequest):
    """No arguments."""


def _diagnose(service: Service, asked: DiagnoseRequest) -> ToolResult:
    found, complaint = tutor.diagnose(service.settings, asked.command, asked.output, asked.prompt)
    if found:
        return ToolResult(found.diagnosis, found.model_dump(mode="json"))
    said = f"No pattern explains “{complaint}” yet." if complaint else "This command has no mistakes."
    return ToolResult(said, {"diagnosis": None, "complaint": complaint})


def _list_labs(service: Service, _asked: ListLabsRequest) -> ToolResult:
    given = [
        {"id": lab.id, "title": lab.title, "goal": lab.goal, "topics": list(lab.topics), "up": up}
        for lab, up in lab_use_cases.list_labs(service.settings)
    ]
    return ToolResult(f"{len(given)} labs.", {"labs": given}, more="Read studium://labs/ID.")


def _lab(service: Service, given: dict[str, Any]) -> str:
    return lab_as_markdown(service.settings, given["lab"])


def _quiz(service: Service, lab: str) -> str:
    page = fence("lab", lab_as_markdown(service.settings, lab))
    return f"{_QUIZ.format(lab=lab)}\n\n{UNTRUSTED_TEXT_NOTICE}\n\n{page}"


def lab_as_markdown(settings: Settings, name: str) -> str:
    """Render a lab as Markdown."""
    state = lab_use_cases.lab_state(settings, name)
    lab = state.lab
    return "\n".join(
        (
            f"# {lab.title}",
            f"\nLab `{lab.id}` is {'up' if state.is_up else 'not up'}. Topics: {', '.join(lab.topics) or 'none'}.",
            f"\n{lab.goal}",
            "\n## Devices\n",
            *_device_lines(lab),
            "\n## Goals to check\n",
            *(f"- {check.title} (on {check.device})" for check in lab.checks),
            *(("\n## Instructions\n", lab.instructions) if lab.instructions else ()),
        )
    )


def _device_lines(lab: Lab) -> list[str]:
    ports = {
        device.name: [f"{port.name} {port.address or ''}".strip() for port in device.ports] for device in lab.devices
    }
    devices = [f"- {device.name} ({device.kind}): {', '.join(ports[device.name])}" for device in lab.devices]
    return devices + [f"- cable {cable.one} – {cable.other}" for cable in lab.cables]


MCP = McpParts(
    tools=(
        McpTool(
            "diagnose_command",
            "Say what is wrong with a router's command, and the fix.",
            DiagnoseRequest,
            in_thread(_diagnose),
        ),
        McpTool(
            "list_labs", "List the networking labs, and which of them are up.", ListLabsRequest, in_thread(_list_labs)
        ),
    ),
    resources=(
        McpResource(
            "studium://labs/{lab}",
            "lab",
            "A networking lab: goal, devices, goals to check.",
            _lab,
            mime_type="text/markdown",
        ),
    ),
    prompts=(
        McpPrompt(
            "quiz_me_on_a_lab",
            "Be asked about a networking lab, with answers that are checked.",
            _quiz,
            argument="lab",
            help="The lab's id, as list_labs shows it",
            required=True,
        ),
    ),
)
