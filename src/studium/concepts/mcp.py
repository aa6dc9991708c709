"""What assistants can look up about concepts."""

from typing import Annotated, Any

from pydantic import Field

from studium.concepts.graph_cache import graph_cache
from studium.concepts.setup import concept_embedder
from studium.core.jobs.job_types import JobRequest
from studium.core.jobs.service import Service
from studium.mcp.tool import McpParts, McpResource, McpTool, ShowRequest, ToolResult, in_thread, show_result


class SearchConceptsRequest(JobRequest):
    """What concepts should say."""

    text: Annotated[str, Field(min_length=1, max_length=2000)]
    """What to look for."""
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    """How many."""


def _search_concepts(service: Service, asked: SearchConceptsRequest) -> ToolResult:
    found = graph_cache(service.app).search(concept_embedder(service.app), asked.text, asked.limit)
    given = [concept.model_dump(mode="json") | {"similarity": similarity} for concept, similarity in found]
    return ToolResult(f"{len(given)} concepts, the most similar first.", {"concepts": given})


def _show_concept(service: Service, asked: ShowRequest) -> ToolResult:
    found: dict[str, Any] = graph_cache(service.app).concept(asked.id).as_json()
    return show_result(asked, f"The concept “{found['title']}”.", found)


def _concept(service: Service, given: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = graph_cache(service.app).concept(given["id"]).as_json()
    return found


MCP = McpParts(
    tools=(
        McpTool(
            "search_concepts",
            "Find concepts of the learner's books by what they say.",
            SearchConceptsRequest,
            in_thread(_search_concepts),
        ),
        McpTool(
            "show_concept",
            "Show a concept (by id, title, or the beginning of one): its relations, and the quotes that carry it.",
            ShowRequest,
            in_thread(_show_concept),
        ),
    ),
    resources=(
        McpResource("studium://concepts/{id}", "concept", "One concept and its quotes.", _concept, "Use show_concept."),
    ),
)
