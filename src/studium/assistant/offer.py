"""What is offered to assistants, as the settings allow."""

from studium.assistant import inbox, lookups, records
from studium.assistant.ordering import order_tools
from studium.assistant.tool import Tool
from studium.core.config import Settings
from studium.core.domain.errors import NotFound


def every_tool() -> dict[str, Tool]:
    """All tools by name."""
    return {tool.name: tool for tool in (*inbox.TOOLS, *records.TOOLS, *lookups.TOOLS, *order_tools())}


def offered_tools(settings: Settings) -> dict[str, Tool]:
    """The tools that assistants may use: those that write only where the settings say so."""
    return {name: tool for name, tool in every_tool().items() if settings.serve.assistants_may_write or not tool.writes}


def tool_named(settings: Settings, name: str) -> Tool:
    """The tool of this name, if it is offered."""
    if found := offered_tools(settings).get(name):
        return found
    if name in every_tool():
        raise NotFound(
            f"The tool '{name}' writes to what is not Studium's own, and assistants may not here.",
            remedy="The person can do it in the app, or set `serve.assistants_may_write`.",
        )
    raise NotFound(f"There is no tool '{name}'.", remedy="List the tools.")
