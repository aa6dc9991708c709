"""Tools for a model on a lab's devices: read-only unless the student allows a change."""

import asyncio
import re
from collections.abc import Callable

from pydantic import BaseModel, ConfigDict, Field

from studium.core.domain.errors import StudiumError
from studium.core.domain.skill import Tool, ToolReply
from studium.tutor.dependencies import LiveLab

_MOST = 12_000
_EXECUTE = "Run a command on a device; one that may change something runs only if the student allows it."


class DeviceArgs(BaseModel):
    """Arguments: a device."""

    model_config = ConfigDict(extra="ignore")

    device_name: str = Field(description="The device's name, as in r1.")


class CommandArgs(DeviceArgs):
    """Arguments: a command on a device."""

    command: str = Field(description="A command, as in `show ip route`.")


class TopicArgs(BaseModel):
    """Arguments: a topic."""

    model_config = ConfigDict(extra="ignore")

    topic: str = Field(default="", description="A topic such as ospf; empty for any.")


class NoArgs(BaseModel):
    """No arguments."""

    model_config = ConfigDict(extra="ignore")


def lab_tools(live: LiveLab) -> tuple[Tool, ...]:
    """The tools for a running lab."""

    def said(ask: Callable[[], str]) -> ToolReply:
        try:
            return ToolReply(ask()[:_MOST])
        except StudiumError as error:
            return ToolReply(f"{error.what} {error.remedy}")

    async def config(given: DeviceArgs) -> ToolReply:
        return await asyncio.to_thread(said, lambda: live.running_config(given.device_name))

    async def execute(given: CommandArgs) -> ToolReply:
        return await asyncio.to_thread(said, lambda: live.look(given.device_name, given.command))

    async def topology(_given: NoArgs) -> ToolReply:
        return ToolReply(topology_text(live))

    async def goal(_given: NoArgs) -> ToolReply:
        return await asyncio.to_thread(said, lambda: checks_text(live))

    async def fault(given: TopicArgs) -> ToolReply:
        return await asyncio.to_thread(said, lambda: live.inject_fault(given.topic))

    return (
        Tool("get_device_running_config", "The running configuration of a device.", DeviceArgs, config),
        Tool(
            "execute_command",
            "Run a command on a device; one that may change something runs only if the student allows it.",
            CommandArgs,
            execute,
        ),
        Tool("show_topology", "The devices of the lab and how they are cabled.", NoArgs, topology),
        Tool("check_goal", "Which goals of the lab are reached, and what is missing.", NoArgs, goal),
        Tool("inject_fault", "Break one thing for the student to find, if she wants to be quizzed.", TopicArgs, fault),
    )


def topology_text(live: LiveLab) -> str:
    """The devices and cables of a lab as text."""
    lab = live.lab
    devices = [
        f"{device.name} ({device.kind}): "
        + ", ".join(f"{port.name} {port.address or 'without address'}" for port in device.ports)
        for device in lab.devices
    ]
    return "\n".join([*devices, *(f"{cable.one} — {cable.other}" for cable in lab.cables)])


def checks_text(live: LiveLab) -> str:
    """Which goals are reached, as text."""
    return "\n".join(
        f"{'reached' if each.holds else 'not reached'}: {each.check.title}"
        + (f" (missing: {'; '.join(each.missing)})" if each.missing else "")
        for each in live.check()
    )


Permission = Callable[[str, str], bool]
"""Whether the student allows a command, which may change something, on a device."""

_LOOKS = ("show", "ping", "traceroute")
_LONGEST = 200
_BEYOND = re.compile(r"[;&`$><\r\n\x00-\x1f]|\|\s*(?!include|exclude|begin|section|i\b|e\b|b\b|s\b)")


def deny_all(_device: str, _command: str) -> bool:
    """Deny every request."""
    return False


def refusal_reason(device: str, command: str, allowed: Permission = deny_all) -> str | None:
    """Why a command is refused; None if it is read-only or the student allows it."""
    words = command.split()
    if not words or len(command) > _LONGEST:
        return "That is not a command."
    if _BEYOND.search(command):
        return f"`{command}` has characters that are not allowed in a command."
    first = words[0].lower()
    if any(len(first) > 1 and known.startswith(first) for known in _LOOKS) or allowed(device, command):
        return None
    return f"`{command}` may change something, and the student has not allowed it. show, ping and traceroute only look."
