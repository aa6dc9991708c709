"""What assistants can look up about questions."""

from typing import Any

from studium.core.jobs.service import Service
from studium.mcp.tool import McpParts, McpResource, McpTool, ShowRequest, ToolResult, in_thread, show_result
from studium.questions import use_cases


def _show_questions(service: Service, asked: ShowRequest) -> ToolResult:
    found = _questions_json(service, asked.id)
    return show_result(asked, f"{found['accepted']} questions were accepted in run {found['run']}.", found)


def _questions(service: Service, given: dict[str, Any]) -> dict[str, Any]:
    return _questions_json(service, given["run"])


def _questions_json(service: Service, run: str) -> dict[str, Any]:
    """The outcome of a run, with every question."""
    asked = use_cases.load_outcome(service.database, run)
    return use_cases.outcome_json(asked, whole=True)


MCP = McpParts(
    tools=(
        McpTool(
            "show_questions",
            "Show the questions of a run, with their evidence.",
            ShowRequest,
            in_thread(_show_questions),
        ),
    ),
    resources=(
        McpResource(
            "studium://questions/{run}", "questions", "The questions of a run.", _questions, "Use show_questions."
        ),
    ),
)
