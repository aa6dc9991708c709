"""The topology on the page, as a drawing and as a table, as it stands now."""

from nicegui import html, ui

from studium.domain.lab import Lab
from studium.web.tutor.drawing import drawn
from studium.web.tutor.room import Room


def topology(room: Room) -> None:
    """The lab's devices and cables."""
    with ui.element("section").classes("s-card t-network-card").props('aria-label="Topology"'):
        with ui.element("div").classes("t-drawing").props('tabindex=0 role=group aria-label="Drawing"'):
            drawing = ui.html(drawn(room.state))
        with html.details():
            html.summary("Devices and addresses")
            _table(room.lab)
    room.changed.subscribe(lambda: drawing.set_content(drawn(room.state)))


def _table(lab: Lab) -> None:
    far = {cable.one: cable.other for cable in lab.cables} | {cable.other: cable.one for cable in lab.cables}
    with ui.element("div").classes("t-scroll").props("tabindex=0"), html.table().classes("t-table"):
        with html.thead(), html.tr():
            for heading in ("Device", "Port", "Address", "Cabled to"):
                html.th(heading).props("scope=col")
        with html.tbody():
            for device in lab.devices:
                for port in device.ports:
                    with html.tr():
                        html.td(device.name)
                        html.td(port.name)
                        html.td(port.address or "–")
                        html.td(far.get(f"{device.name}:{port.name}", "–").replace(":", " "))
