"""Taking the accepted pairs along, as others read them."""

from nicegui import ui

from studium.service.kinds.questions import Export
from studium.web.house import service
from studium.web.parts.notices import say

_FORMATS = {
    "ragas": "RAGAS test set",
    "jsonl": "JSON lines",
    "csv": "CSV, for a spreadsheet",
    "parquet": "Parquet",
    "anki": "Anki package",
}


def export_menu(run: str) -> None:
    """A button that offers every format."""
    with ui.button("Export", icon="download") as button, ui.menu():
        for name, told in _FORMATS.items():
            ui.menu_item(told, on_click=lambda name=name: _export(run, name, button))


async def _export(run: str, name: str, button: ui.button) -> None:
    """Have the file made, and hand it over."""
    button.props(add="loading")
    try:
        order = await service().order("questions.export", Export.model_validate({"run": run, "format": name}))
        order = await service().workshop.finished(order.id)
    finally:
        button.props(remove="loading")
    if order.status != "done":
        ui.notify((order.problem or {}).get("detail", "The export failed."), type="negative", position="top")
        return
    for file in order.files:
        ui.download.from_url(f"/api/v1/orders/{order.id}/files/{file}", file)
    say("The file is on its way.")
