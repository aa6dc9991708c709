"""A site with one page that shows every shared part, for the tests of the parts: `python gallery.py PORT`."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI, Response, UploadFile
from nicegui import html, ui

from studium.app.samples import AddSamplesRequest
from studium.core.config import load_settings
from studium.core.domain.errors import BadInput
from studium.core.features import Ref
from studium.core.jobs.service import open_service
from studium.core.text.html_policy import sandboxed_document
from studium.web.components.evidence import evidence, mark_quotes, sandboxed_html
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.components.labels import chip, stat
from studium.web.components.notices import empty_state, problem_notice, show_message
from studium.web.components.table import Column, big_table
from studium.web.components.uploads import UploadedFile, upload_drop
from studium.web.frame import current_frame, page
from studium.web.mount import mount_pages
from studium.web.service import service

HOSTILE = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>"


@page("/parts", "Parts")
async def parts() -> None:
    """Every part once."""
    with current_frame().actions:
        ui.button("Fail plainly", on_click=_fail_plainly).props("outline")
        ui.button("Fail badly", on_click=_fail_badly).props("outline")
        ui.button("Say it", on_click=lambda: show_message("It was done."))
    current_frame().keys.on("j", "Next", lambda: show_message("Next one."))
    with ui.element("div").classes("s-row"):
        for each in ("create", "update", "skip", "manual_review", "error", "warning", "info", "responded"):
            chip(each)
        stat("cards", 3, note="two new")
    problem_notice(BadInput(f"The file {HOSTILE} is empty.", remedy="Choose another."))
    empty_state("Nothing here", "Bring something.")
    evidence(mark_quotes(f"It was  a dark\nnight. {HOSTILE} The end.", ["a dark night."]), where="night.md, line 1")
    style = "p { color: teal }</style><script>top.document.title='broken'</script>"
    sandboxed_html(sandboxed_document(HOSTILE + "<p>A card</p>", style))
    brought = html.p().classes("brought")

    def take(file: UploadedFile) -> None:
        with brought:
            ui.label(f"{file.name}, {file.size} bytes, {file.id}")

    upload_drop("Drop a document", [".md", ".txt"], take)


def _fail_plainly() -> None:
    raise BadInput("There is no such deck.", remedy="Choose another deck.")


async def _fail_badly() -> None:
    await asyncio.sleep(0)
    raise ZeroDivisionError


@page("/refused", "Refused")
async def refused() -> None:
    """A page that cannot be shown."""
    raise BadInput("There is no book 'Walden II'.", remedy="Look at the list of books.")


@page("/broken", "Broken")
async def broken() -> None:
    """A page that nobody foresaw."""
    raise ZeroDivisionError


@page("/table", "Table")
def table() -> None:
    """Five thousand decisions."""
    rows = [
        {"id": n, "item": f"notes/topic-{n % 70}/note-{n}.md", "action": "create", "why": f"Reason {n}: {HOSTILE}"}
        for n in range(5000)
    ]
    columns = (Column("item", "Note"), Column("action", "Action"), Column("why", "Why"), Column("id", "№", "right"))
    opened = html.p().classes("opened")

    def open_row(row: dict[str, object]) -> None:
        with opened:
            ui.label(f"opened {row['item']}")

    big_table(rows, columns, title="Decisions", on_row=open_row)


@page("/order", "Order")
async def order() -> None:
    """An order, followed."""
    place = ui.element("div").classes("s-stack")

    async def start() -> None:
        placed = await service().start_job("demo.fill", AddSamplesRequest())
        with place:
            show_job_progress(placed, title="Filling")

    ui.button("Start", on_click=start)
    with place:
        for each in await active_jobs("demo"):
            show_job_progress(each, title="Filling")


async def _pieces(file: UploadFile) -> AsyncIterator[bytes]:
    yield await file.read()


def main() -> None:
    """Serve the gallery."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_service(load_settings()) as opened:
            app.state.service = opened
            yield

    app = FastAPI(lifespan=lifespan)

    @app.post("/api/v1/uploads", status_code=201)
    async def bring(file: UploadFile, response: Response) -> dict[str, object]:
        if file.filename == "full.md":
            response.status_code = 507
            return {"detail": "The disk is full.", "remedy": "Make room."}
        kept = await service().uploads.save(file.filename or "", _pieces(file), kinds=frozenset({"md", "txt"}))
        return {"id": kept.id, "name": kept.name, "size": kept.size}

    mount_pages(app, [Ref("studium.web.home")])
    uvicorn.run(app, port=int(sys.argv[1]), log_level="warning")


if __name__ == "__main__":
    main()
