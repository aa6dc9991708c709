"""The lab's topology with its current state, and the controls of the whole lab."""

import asyncio
from functools import partial

from nicegui import html, ui

from studium.core.domain.errors import MissingPart
from studium.core.domain.job import Job
from studium.tutor import use_cases as tutor
from studium.tutor.jobs import FaultRequest, LabRequest, PrepareRequest
from studium.tutor.web.lab_session import LAB_JOB_TITLES, LabSession
from studium.tutor.web.topology_svg import (
    LEGEND,
    draw_topology,
    neighbors_text,
    planned_address,
    port_text,
    present_address,
    present_cost,
)
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.service import service


def topology_card(session: LabSession) -> None:
    """The lab's devices and cables."""
    with ui.element("section").classes("s-card t-network-card").props('aria-label="Topology"'):
        with ui.element("div").classes("t-drawing").props('tabindex=0 role=group aria-label="Drawing"'):
            drawing = ui.html(draw_topology(session.state))
        html.p(LEGEND).classes("s-muted s-small t-legend")
        with html.details():
            html.summary("Devices and addresses")
            table = PortTable(session)
            elsewhere = ui.label().classes("s-small")

    def show() -> None:
        drawing.set_content(draw_topology(session.state))
        table.show()
        elsewhere.set_text(_elsewhere(session))

    show()
    session.changed.subscribe(show)


class PortTable:
    """A table of the ports: address, cable, state and neighbours."""

    def __init__(self, session: LabSession) -> None:
        self._session = session
        self._rows: dict[str, list[ui.label]] = {}
        lab = session.lab
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
        """Update the states in place, so that readers keep their position."""
        now = self._session.state
        for end, (state, neighbors, address) in self._rows.items():
            planned, other = planned_address(now.lab, end) or "–", present_address(now, end)
            address.set_text(f"{other}, planned: {planned}" if other else planned)
            cost = present_cost(now, end)
            state.set_text(port_text(now, end) + (f", OSPF cost {cost}" if cost is not None else ""))
            neighbors.set_text(neighbors_text(now, end) or "–")


def _elsewhere(session: LabSession) -> str:
    """The neighbours that belong to no port of the lab."""
    state = session.state
    seen = [each for each in state.live.adjacencies if state.is_up and not each.port]
    told = ", ".join(f"{each.device}: {each.protocol.upper()} {each.address} {each.state}" for each in seen)
    return f"Neighbours without a link: {told}" if told else ""


class LabControls:
    """Controls of the whole lab; shows the running job until it ends."""

    def __init__(self, session: LabSession, actions: ui.element, obstacle: MissingPart | None) -> None:
        self._session, self._obstacle = session, obstacle
        self._actions = actions
        self._under_way = False
        self._followed = ""
        self._shown: tuple[bool, bool] | None = None
        self._place = ui.element("div").classes("s-stack t-steering")
        self._show()
        session.changed.subscribe(self._show)

    def _show(self) -> None:
        job = self._session.under_way
        if job and job.id != self._followed:
            self._follow(job)
        self._buttons()

    def _buttons(self) -> None:
        state = self._session.state
        # The state changes every few seconds; a button must not be replaced while the user clicks it.
        if (state.is_up, self._under_way) == self._shown or not state.is_ours:
            return
        self._shown = (state.is_up, self._under_way)
        self._actions.clear()
        with self._actions:
            if state.is_up:
                self._button("Break something", "bug_report", "tutor.break")
                self._button("I give up", "flag", "tutor.break", give_up=True)
                self._button("Reset", "restart_alt", "tutor.reset")
                self._button("Stop", "power_settings_new", "tutor.down")
            else:
                self._button("Start", "play_arrow", "tutor.up").props(remove="outline")

    def _button(self, label: str, icon: str, kind: str, **more: bool) -> ui.button:
        button = ui.button(label, icon=icon, on_click=partial(self._start_job, kind, **more)).props("outline")
        button.set_enabled(not self._under_way and self._obstacle is None)
        return button

    async def _start_job(self, kind: str, **more: bool) -> None:
        lab = self._session.lab.id
        request = FaultRequest(lab=lab, **more) if kind == "tutor.break" else LabRequest(lab=lab)
        self._session.begin(await service().start_job(kind, request))

    def _follow(self, job: Job) -> None:
        self._under_way, self._followed = True, job.id
        self._place.clear()
        with self._place:
            show_job_progress(job, title=LAB_JOB_TITLES[job.kind], on_end=self._over)

    async def _over(self, job: Job) -> None:
        if job.id != self._followed:
            return  # something else was started meanwhile, from elsewhere
        self._under_way = False
        if job.status == "done":
            self._place.clear()
            with self._place:
                _fault_result(job)
        await self._session.look(now=True)
        self._buttons()
        self._session.check_soon()


def _fault_result(job: Job) -> None:
    """Show the result of breaking a lab or giving up."""
    result = job.result or {}
    if question := result.get("question"):
        _note("Something is broken now", [question, "Find and fix it; the goals turn green when you did."])
    elif cause := result.get("cause"):
        _note(f"The fault was on {result['device']}", [cause], "\n".join(result["mending"]))


def _note(title: str, lines: list[str], code: str = "") -> None:
    with ui.element("div").classes("s-card t-note").props("role=status"):
        html.h2(title)
        for line in lines:
            html.p(line)
        if code:
            with ui.element("pre").classes("t-code").props("tabindex=0"):
                html.code(code)


def missing_requirement_note(missing: MissingPart) -> None:
    """Show what is missing to run labs, and what works without it."""
    with ui.element("div").classes("s-card t-note").props("role=note"):
        html.strong("Labs cannot run on this machine")
        html.p(f"{missing.what} {missing.remedy}")
        html.p("Everything else works: the tutor, the quiz and the diagnosis of pasted output.").classes("s-muted")


async def prepare_search_card(place: ui.element) -> None:
    """Offer to embed the passages; until then the tutor searches by words."""
    if await asyncio.to_thread(tutor.is_search_ready, service().app):
        return
    jobs = await active_jobs("tutor.prepare")
    job = jobs[0] if jobs else await service().start_job("tutor.prepare", PrepareRequest())
    with place:
        progress = show_job_progress(job, title="Preparing the search (once)", on_end=_search_ready)
        progress.card.classes("t-preparing")


def _search_ready(job: Job) -> None:
    if job.status == "done":
        ui.notify("The tutor now also searches by meaning.", type="positive", position="bottom")
