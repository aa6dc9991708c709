"""What came of an order: cards written, a run undone."""

from typing import Any

from nicegui import html, ui

from studium.core.domain.job import Job
from studium.web.cards.plan import show_plan
from studium.web.cards.undoing import offer_undo
from studium.web.frame import here
from studium.web.parts.figures import noun, stat


async def show_applied(order: Job, card: str) -> None:
    """What was written, what was refused, the package to download, and the plan behind it."""
    result: dict[str, Any] = order.result or {}
    written = result.get("applied", result)
    here().rename("Done")
    with here().actions:
        offer_packages(order)
        if order.run:
            await offer_undo(order.run)
    with ui.element("section").classes("s-card"):
        many = written.get("done", 0)
        stat(noun(many, "card written", "cards written"), many)
        _told("Left as they were", written.get("refused", ()))
    if order.run:
        await show_plan(order.run, card)


def offer_packages(order: Job) -> bool:
    """Links to the packages that an order made; says whether there are any."""
    packages = [name for name in order.files if name.endswith(".apkg")]
    for name in packages:
        address = f"/api/v1/orders/{order.id}/files/{name}"
        html.a("Download the package", href=address).props("download").classes("s-button")
    return bool(packages)


def show_undone(order: Job) -> None:
    """What was put back, and what was left because a person edited it since."""
    result: dict[str, Any] = order.result or {}
    here().rename("Undone")
    with ui.element("section").classes("s-card"):
        with ui.element("div").classes("s-row s-figures"):
            back, removed = len(result.get("restored", ())), len(result.get("removed", ()))
            stat(noun(back, "card put back as it was", "cards put back as they were"), back)
            stat(noun(removed, "new card removed", "new cards removed"), removed)
        _told("Left, because you edited them since", result.get("left", ()))
    with ui.element("div").classes("s-row"):
        html.a("See the run", href=f"/cards?run={order.run or result.get('run', '')}").classes("s-button")
        html.a("Make a new plan", href="/cards").classes("s-button")


def show_other(order: Job) -> None:
    """What any other order came to, as it told it."""
    result = order.result if isinstance(order.result, dict) else {"result": order.result}
    with ui.element("dl").classes("s-card s-told"):
        for name, value in result.items():
            html.dt(str(name).replace("_", " "))
            html.dd(str(len(value)) if isinstance(value, list) else str(value))


def _told(title: str, lines: Any) -> None:
    if not lines:
        return
    html.h3(title)
    with ui.element("ul").classes("s-reasons"):
        for line in lines:
            html.li(str(line))
