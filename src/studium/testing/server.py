"""The scripted server: real HTTP on a local port, in a thread of its own."""

import asyncio
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import responses
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from studium.testing import anthropic, gemini, ollama, openai
from studium.testing.script import (
    Fault,
    Json,
    Outcome,
    Refusal,
    Reply,
    Script,
    WireProtocol,
    WireRequest,
    encode,
    player,
    unit_vector,
)


class BadRequestError(ValueError):
    """The request cannot be read."""


@dataclass(frozen=True)
class Incoming:
    """One HTTP request; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: Json


@dataclass(frozen=True)
class Response:
    """One HTTP response: a whole body, or the pieces of a stream."""

    body: bytes | Sequence[bytes]
    status: int = 200
    content_type: str = "application/json"
    retry_after: float = 0.0


def json_response(value: Any, status: int = 200, retry_after: float = 0.0) -> Response:
    """A whole JSON body."""
    return Response(encode(value), status, retry_after=retry_after)


async def receive(reader: asyncio.StreamReader) -> Incoming | None:
    """The next request on the connection, or None when the client has closed it."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").rstrip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        content = await reader.readexactly(int(headers.get("content-length", 0)))
    except asyncio.IncompleteReadError:
        return None
    if "transfer-encoding" in headers:
        raise BadRequestError("Send a Content-Length: chunked requests are not supported.")
    method, target, _ = first.split(" ", 2)
    try:
        body = json.loads(content) if content else {}
    except ValueError as error:
        raise BadRequestError(f"The body is not JSON: {error}") from error
    return Incoming(method, urlsplit(target).path, headers, body)


def frames(response: Response) -> list[bytes]:
    """The bytes of a response: the head, then the body in the pieces it is sent in."""
    head = [
        f"HTTP/1.1 {response.status} {responses.get(response.status, 'Unscripted')}",
        f"Content-Type: {response.content_type}",
    ]
    if response.retry_after:
        head.append(f"Retry-After: {response.retry_after}")
    if isinstance(response.body, bytes):
        head.append(f"Content-Length: {len(response.body)}")
        body = _slices(response.body)
    else:
        head.append("Transfer-Encoding: chunked")
        body = [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in response.body] + [b"0\r\n\r\n"]
    return ["\r\n".join([*head, "", ""]).encode("latin-1"), *body]


def _slices(body: bytes, count: int = 4) -> list[bytes]:
    step = -(-len(body) // count) or 1
    return [body[start : start + step] for start in range(0, len(body), step)]


_PROTOCOLS: tuple[WireProtocol, ...] = (ollama, openai, gemini, anthropic)
_EMBEDDINGS = {"ollama": ollama.embeddings, "openai": openai.embeddings, "gemini": gemini.embeddings}
_LARGEST_LINE = 1 << 20


class WireServer:
    """Speaks Ollama, OpenAI, Gemini and Anthropic on one address, and answers as its script says.

        with WireServer([Reply("hello"), Fault.too_many()]) as server:
            ChatOllama(model="any", base_url=server.address).invoke("hi")
            ChatOpenAI(model="any", base_url=f"{server.address}/v1", api_key="any").invoke("hi")

    A script is a function of the request, or a sequence that is used up in order, or None: then everything is answered
    validly. A reply to a request for embeddings is its vectors; where it has none, directions drawn from the texts.
    An error in the script is raised again when the server closes.
    """

    def __init__(
        self, script: Script = None, *, dimensions: int = 1024, models: Sequence[str] = ("scripted:latest",)
    ) -> None:
        self.requests: list[WireRequest] = []
        self.address = ""
        self._play = player(script)
        self._dimensions = dimensions
        self._models = tuple(models)
        self._connections: set[asyncio.Task[None]] = set()
        self._error: BaseException | None = None

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="wire", daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        if self._error and not error:
            raise self._error

    async def _open(self) -> None:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=_LARGEST_LINE)
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def _close(self) -> None:
        self._server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        # The transports tell their protocols about the end in the next turn of the loop.
        await asyncio.sleep(0)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = self._loop.create_task(self._serve(reader, writer))
        self._connections.add(connection)
        connection.add_done_callback(self._disconnected)

    def _disconnected(self, connection: asyncio.Task[None]) -> None:
        self._connections.discard(connection)
        if not connection.cancelled():
            self._error = connection.exception() or self._error

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (incoming := await receive(reader)) and await self._answer(incoming, writer):
                pass
            writer.close()
        except BadRequestError as error:
            writer.writelines(frames(json_response({"error": str(error)}, 400)))
            writer.close()
        except ConnectionError:
            pass  # The client went away, as clients that time out do.
        finally:
            if not writer.is_closing():
                writer.transport.abort()

    async def _answer(self, incoming: Incoming, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; returns whether the connection stays open."""
        for protocol in _PROTOCOLS:
            if request := protocol.read(incoming.path, incoming.headers, incoming.body):
                self.requests.append(request)
                return await self._perform(protocol, request, self._decide(request), writer)
        writer.writelines(frames(self._catalogue(incoming)))
        return True

    def _decide(self, request: WireRequest) -> Outcome:
        try:
            return self._play(request)
        except Exception as error:  # noqa: BLE001 - a script is the test's own code: answer, and raise it at the end
            self._error = error
            return Fault.unscripted(f"The script failed: {error!r}")

    async def _perform(
        self, protocol: WireProtocol, request: WireRequest, outcome: Outcome, writer: asyncio.StreamWriter
    ) -> bool:
        """Send the reply or simulate the fault; returns whether the connection stays open."""
        if isinstance(outcome, Reply):
            await asyncio.sleep(outcome.delay)
            writer.write(b"".join(frames(self._response(protocol, request, outcome))))
            await writer.drain()
            return True
        if outcome.kind in ("hang", "drop"):
            await asyncio.sleep(outcome.seconds)
            return False
        response = self._refused(protocol, request, outcome) or self._response(
            protocol, request, outcome.reply_to(request)
        )
        head, *body = frames(response)
        if outcome.kind == "cut_body":
            whole = b"".join(body)
            writer.write(head + whole[: len(whole) // 2])
            return False
        writer.write(head)
        for piece in body:
            await asyncio.sleep(outcome.seconds if outcome.kind == "slow_stream" else 0)
            writer.write(piece)
            await writer.drain()
        return True

    def _response(self, protocol: WireProtocol, request: WireRequest, reply: Reply) -> Response:
        if request.kind == "embed":
            dimensions = request.dimensions or self._dimensions
            vectors = list(reply.vectors) or [unit_vector(text, dimensions) for text in request.texts]
            return json_response(_EMBEDDINGS[request.protocol](request, vectors))
        if request.stream:
            return Response(protocol.stream(request, reply), content_type=protocol.STREAM_TYPE)
        return json_response(protocol.whole(request, reply))

    def _refused(self, protocol: WireProtocol, request: WireRequest, fault: Fault) -> Response | None:
        unscripted = Refusal(599, "unscripted", fault.message) if fault.kind == "unscripted" else None
        refusal = unscripted or protocol.REFUSALS.get(fault.kind)
        if not refusal:
            return None
        message = refusal.message.replace("{model}", request.model)
        refusal = refusal._replace(message=message, retry_after=fault.seconds)
        return json_response(protocol.error_body(refusal), refusal.status, refusal.retry_after)

    def _catalogue(self, incoming: Incoming) -> Response:
        """The model lists and versions of the servers, or 404."""
        if found := ollama.catalogue(incoming.path, incoming.body, self._models):
            status, body = found
            return json_response(body, status)
        if listed := openai.catalogue(incoming.path, self._models):
            return json_response(listed)
        return json_response({"error": f"The scripted server has no {incoming.method} {incoming.path}."}, 404)
