"""The MCP resources of vocabulary."""

from typing import Any

from studium.core.jobs.service import Service
from studium.mcp.tool import McpParts, McpResource
from studium.vocabulary.song_repository import saved_songs


def _songs(service: Service, _given: dict[str, Any]) -> dict[str, Any]:
    saved = saved_songs(service.database)
    return {"songs": [{"id": id_} | song.model_dump(mode="json", exclude={"lyrics"}) for id_, song in saved.items()]}


MCP = McpParts(resources=(McpResource("studium://songs", "songs", "The saved songs, with their words.", _songs),))
