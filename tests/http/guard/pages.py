"""Pages behind the guard, in a process of their own, with all that ours are made of."""

import json
import sys

import uvicorn
from fastapi import FastAPI
from fastapi.responses import Response
from nicegui import events, ui
from tests.cards.rendering.hostile import SHAPES

from studium.core.text.html_policy import MEDIA_URL, SANDBOX, sandboxed_document
from studium.http.guard import Guard
from studium.http.protocols import HeaderTimeoutProtocol

PICTURE = bytes.fromhex("47494638396101000100800000ff0000ffffff2c00000000010001000002024401003b")  # a red dot

app = FastAPI()


@app.get(MEDIA_URL + "{name}")
async def media(name: str) -> Response:
    return Response(PICTURE, media_type="image/gif", headers={"X-Name": name})


@ui.page("/")
async def made_of() -> None:
    said = ui.label("not yet").mark("said")

    async def take(event: events.UploadEventArguments) -> None:
        said.text = f"{event.file.name}: {len(await event.file.read())} bytes"

    ui.button("Ask the server", on_click=lambda: said.set_text("answered"))
    ui.button("Ask the page").on("click", js_handler="() => document.title = 'evaluated'")
    ui.upload(on_upload=take, auto_upload=True)
    ui.table(rows=[{"a": 1}])
    ui.aggrid({"columnDefs": [{"field": "a"}], "rowData": [{"a": "grid cell"}]})
    ui.echart({"series": [{"type": "bar", "data": [1]}], "xAxis": {"data": ["x"]}, "yAxis": {}})
    ui.xterm()
    ui.codemirror("x = 1", language="Python")
    ui.dark_mode(value=True)
    ui.icon("check")


@ui.page("/card")
async def card() -> None:
    html = '<img src="dot.gif" alt="dot"><p>The card</p>' + "".join(SHAPES)
    frame = ui.element("iframe")
    frame.props["sandbox"] = SANDBOX
    frame.props["srcdoc"] = sandboxed_document(html, ".card { color: rgb(1, 2, 3) }")


ui.run_with(app)

if __name__ == "__main__":
    uvicorn.run(
        Guard(app, **json.loads(sys.argv[2])), port=int(sys.argv[1]), log_level="warning", http=HeaderTimeoutProtocol
    )
