"""A small service behind the guard, in a process of its own: `server.py PORT '{"token": …}' FOLDER`."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request, Response, UploadFile, WebSocket, WebSocketDisconnect
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, StreamingResponse

from studium.core.domain.errors import StudiumError
from studium.core.jobs.problem_details import problem_details
from studium.core.jobs.uploads import Uploads
from studium.http.guard import Guard
from studium.http.protocols import HeaderTimeoutProtocol, RefusableWebSocketProtocol
from studium.http.sessions import Sessions

KINDS = frozenset({"md", "pdf"})

app = FastAPI()


@app.get("/")
@app.get("/cards")
async def page() -> HTMLResponse:
    return HTMLResponse("<!doctype html><title>Studium</title><h1>Inside</h1>")


@app.get("/api/v1/ping")
async def ping() -> dict[str, str]:
    return {"said": "pong"}


@app.get("/api/v1/kept")
async def kept(response: Response) -> dict[str, str]:
    response.headers["Cache-Control"] = "private, max-age=60"
    return {}


@app.post("/api/v1/echo")
async def echo(said: dict[str, str]) -> dict[str, str]:
    return said


@app.post("/api/v1/stream")
async def stream(request: Request) -> dict[str, int]:
    return {"came": sum([len(piece) async for piece in request.stream()])}


@app.post("/api/v1/uploads")
async def upload(file: UploadFile) -> dict[str, str]:
    found = await app.state.uploads.save(file.filename or "", _pieces(file), kinds=KINDS)
    return {"id": found.id, "name": found.name}


@app.post("/api/v1/uploads/raw/{name}")
async def raw_upload(name: str, request: Request) -> dict[str, str]:
    found = await app.state.uploads.save(name, request.stream(), kinds=KINDS)
    return {"id": found.id, "name": found.name}


@app.get("/open-to-all")
async def open_to_all() -> PlainTextResponse:
    return PlainTextResponse("x", headers={"Access-Control-Allow-Origin": "*"})


@app.websocket("/ws")
async def socket(connection: WebSocket) -> None:
    await connection.accept()
    await connection.send_text("welcome")
    await connection.close()


@app.websocket("/silent")
async def silent_socket(connection: WebSocket) -> None:
    await connection.accept()
    await connection.send_text(await connection.receive_text())
    await connection.close()


@app.websocket("/clock")
async def clock(connection: WebSocket) -> None:
    await connection.accept()
    with suppress(WebSocketDisconnect):
        while True:
            await connection.send_text(await connection.receive_text())


@app.get("/api/v1/ticks")
async def ticks() -> StreamingResponse:
    async def tick() -> AsyncIterator[str]:
        while True:
            yield "tick\n"
            await asyncio.sleep(0.1)

    return StreamingResponse(tick(), media_type="text/event-stream")


@app.get("/api/v1/quiet")
async def quiet() -> StreamingResponse:
    async def wait() -> AsyncIterator[str]:
        yield "begun\n"
        await asyncio.sleep(60)

    return StreamingResponse(wait(), media_type="text/event-stream")


@app.post("/api/v1/headers")
async def headers_of(request: Request) -> list[tuple[str, str]]:
    await request.body()
    return request.headers.items()


@app.exception_handler(StudiumError)
async def failed(_request: Request, error: StudiumError) -> JSONResponse:
    said = problem_details(error)
    return JSONResponse(said, status_code=said["status"])


async def _pieces(file: UploadFile) -> AsyncIterator[bytes]:
    while piece := await file.read(64_000):
        yield piece


if __name__ == "__main__":
    port, options, folder = int(sys.argv[1]), json.loads(sys.argv[2]), Path(sys.argv[3])
    app.state.uploads = Uploads(folder, options.get("max_upload", 10_000_000))
    HeaderTimeoutProtocol.timeout = options.get("timeout", HeaderTimeoutProtocol.timeout)
    most = options.pop("most_connections", None)
    if sessions := options.pop("sessions_file", None):
        options["sessions"] = Sessions(Path(sessions))
    uvicorn.run(
        Guard(app, **options),
        port=port,
        log_level="warning",
        http=HeaderTimeoutProtocol,
        ws=RefusableWebSocketProtocol,
        limit_concurrency=most,
    )
