"""A lab as Markdown, without its solution and hints."""

from typing import TYPE_CHECKING

from studium.tutor.lab_use_cases import lab_state

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.tutor.domain import Lab


def lab_as_markdown(settings: "Settings", name: str) -> str:
    """Render a lab as Markdown."""
    state = lab_state(settings, name)
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


def _device_lines(lab: "Lab") -> list[str]:
    ports = {
        device.name: [f"{port.name} {port.address or ''}".strip() for port in device.ports] for device in lab.devices
    }
    devices = [f"- {device.name} ({device.kind}): {', '.join(ports[device.name])}" for device in lab.devices]
    return devices + [f"- cable {cable.one} – {cable.other}" for cable in lab.cables]
