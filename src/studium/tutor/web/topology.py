"""The topology on the page, as a drawing and as a table, as it stands now."""

from nicegui import html, ui

from studium.tutor.web.lab_session import LabSession
from studium.tutor.web.topology_svg import (
    LEGEND,
    draw_topology,
    neighbors_text,
    planned_address,
    port_text,
    present_address,
    present_cost,
)


def topology_card(room: LabSession) -> None:
    """The lab's devices and cables."""
    with ui.element("section").classes("s-card t-network-card").props('aria-label="Topology"'):
        with ui.element("div").classes("t-drawing").props('tabindex=0 role=group aria-label="Drawing"'):
            drawing = ui.html(draw_topology(room.state))
        html.p(LEGEND).classes("s-muted s-small t-legend")
        with html.details():
            html.summary("Devices and addresses")
            table = PortTable(room)
            elsewhere = ui.label().classes("s-small")

    def show() -> None:
        drawing.set_content(draw_topology(room.state))
        table.show()
        elsewhere.set_text(_elsewhere(room))

    show()
    room.changed.subscribe(show)


class PortTable:
    """Every port in a row: its address, what it is cabled to, how it stands, and whom it sees."""

    def __init__(self, room: LabSession) -> None:
        self._room = room
        self._rows: dict[str, list[ui.label]] = {}
        lab = room.lab
        far = {cable.one: cable.other for cable in lab.cables} | {cable.other: cable.one for cable in lab.cables}
        with ui.element("div").classes("t-scroll").props("tabindex=0"), html.table().classes("t-table"):
            with html.thead(), html.tr():
                for heading in ("Device", "Port", "State", "Neighbours", "Address", "Cabled to"):
                    html.th(heading).props("scope=col")
            with html.tbody():
                for device in lab.devices:
                    for port in device.ports:
                        end = f"{device.name}:{port.name}"
                        self._row(end, far.get(end, "–"))

    def _row(self, end: str, far: str) -> None:
        device, _, port = end.partition(":")
        with html.tr():
            html.td(device)
            html.td(port)
            labels = []
            for _ in range(3):
                with html.td():
                    labels.append(ui.label())
            html.td(far.replace(":", " "))
        self._rows[end] = labels

    def show(self) -> None:
        """Say how each port stands now; the rows stay, so that whoever reads them keeps her place."""
        now = self._room.state
        for end, (state, neighbors, address) in self._rows.items():
            planned, other = planned_address(now.lab, end) or "–", present_address(now, end)
            address.set_text(f"{other}, planned: {planned}" if other else planned)
            cost = present_cost(now, end)
            state.set_text(port_text(now, end) + (f", OSPF cost {cost}" if cost is not None else ""))
            neighbors.set_text(neighbors_text(now, end) or "–")


def _elsewhere(room: LabSession) -> str:
    """The neighbours that are behind no port of the lab."""
    state = room.state
    seen = [each for each in state.live.adjacencies if state.is_up and not each.port]
    told = ", ".join(f"{each.device}: {each.protocol.upper()} {each.address} {each.state}" for each in seen)
    return f"Neighbours without a link: {told}" if told else ""
