"""What a model may do with the devices of a lab: look, and change only what the student allows."""

import asyncio
from collections.abc import Callable

from pydantic import BaseModel, ConfigDict, Field

from studium.core.domain.errors import StudiumError
from studium.core.domain.skill import Tool, ToolReply
from studium.workflows.tutor.desk import LiveLab

_MOST = 12_000
_EXECUTE = "What a device says to a command; one that may change something is run only if the student allows it."


class DeviceNamed(BaseModel):
    """Which device."""

    model_config = ConfigDict(extra="ignore")

    device_name: str = Field(description="The device's name, as in r1.")


class CommandGiven(DeviceNamed):
    """Which command, on which device."""

    command: str = Field(description="A command, as in `show ip route`.")


class TopicGiven(BaseModel):
    """What it should be about."""

    model_config = ConfigDict(extra="ignore")

    topic: str = Field(default="", description="A topic such as ospf; empty for any.")


class Nothing(BaseModel):
    """Nothing is needed."""

    model_config = ConfigDict(extra="ignore")


def lab_tools(live: LiveLab) -> tuple[Tool, ...]:
    """The tools over a lab that runs."""

    def said(ask: Callable[[], str]) -> ToolReply:
        try:
            return ToolReply(ask()[:_MOST])
        except StudiumError as error:
            return ToolReply(f"{error.what} {error.remedy}")

    async def config(given: DeviceNamed) -> ToolReply:
        return await asyncio.to_thread(said, lambda: live.running_config(given.device_name))

    async def execute(given: CommandGiven) -> ToolReply:
        return await asyncio.to_thread(said, lambda: live.look(given.device_name, given.command))

    async def topology(_given: Nothing) -> ToolReply:
        return ToolReply(topology_of(live))

    async def goal(_given: Nothing) -> ToolReply:
        return await asyncio.to_thread(said, lambda: told_checks(live))

    async def fault(given: TopicGiven) -> ToolReply:
        return await asyncio.to_thread(said, lambda: live.inject_fault(given.topic))

    return (
        Tool("get_device_running_config", "The running configuration of a device.", DeviceNamed, config),
        Tool(
            "execute_command",
            "What a device says to a command; one that may change something is run only if the student allows it.",
            CommandGiven,
            execute,
        ),
        Tool("show_topology", "The devices of the lab and how they are cabled.", Nothing, topology),
        Tool("check_goal", "Which goals of the lab are reached, and what is missing.", Nothing, goal),
        Tool("inject_fault", "Break one thing for the student to find, if she wants to be quizzed.", TopicGiven, fault),
    )


def topology_of(live: LiveLab) -> str:
    """The devices and cables of a lab, in words."""
    lab = live.lab
    devices = [
        f"{device.name} ({device.kind}): "
        + ", ".join(f"{port.name} {port.address or 'without address'}" for port in device.ports)
        for device in lab.devices
    ]
    return "\n".join([*devices, *(f"{cable.one} — {cable.other}" for cable in lab.cables)])


def told_checks(live: LiveLab) -> str:
    """Which goals are reached, in words."""
    return "\n".join(
        f"{'reached' if each.holds else 'not reached'}: {each.check.title}"
        + (f" (missing: {'; '.join(each.missing)})" if each.missing else "")
        for each in live.check()
    )
