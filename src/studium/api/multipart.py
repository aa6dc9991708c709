"""A file in a multipart form, read as it comes: nothing is held in memory, and nothing is written twice."""

from collections import deque
from collections.abc import AsyncIterator

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from studium.core.domain.errors import BadInput

_REMEDY = "Send multipart/form-data with one field `file` that has a filename."


async def first_file(request: Request) -> tuple[str, AsyncIterator[bytes]]:
    """The name of the first file of a form, and its bytes as they come."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        raise BadInput("The request is no multipart form.", remedy=_REMEDY)
    form = _Form(boundary)
    stream = request.stream()
    async for chunk in stream:
        form.read(chunk)
        if form.name is not None:
            return form.name, _rest(form, stream)
    raise BadInput("The form holds no file.", remedy=_REMEDY)


async def _rest(form: "_Form", stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """What has come of the file, and what is still to come."""
    while True:
        while form.pieces:
            yield form.pieces.popleft()
        if form.is_whole:
            return
        chunk = await anext(stream, None)
        if not chunk:
            raise BadInput("The form ends in the middle of its file.", remedy="Send it again.")
        form.read(chunk)


class _Form:
    """Reads a form; of its parts, only the first that is a file."""

    def __init__(self, boundary: bytes) -> None:
        self.name: str | None = None
        self.is_whole = False
        self.pieces: deque[bytes] = deque()
        self._reading = False
        self._field, self._value, self._disposition = b"", b"", b""
        try:
            self._parser = MultipartParser(
                boundary,
                {
                    "on_header_field": self._on_field,
                    "on_header_value": self._on_value,
                    "on_header_end": self._on_header,
                    "on_headers_finished": self._on_headers,
                    "on_part_data": self._on_data,
                    "on_part_end": self._on_end,
                },
            )
        except FormParserError as error:
            raise BadInput(f"The form cannot be read: {error}", remedy=_REMEDY) from error

    def read(self, chunk: bytes) -> None:
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise BadInput(f"The form cannot be read: {error}", remedy=_REMEDY) from error

    def _on_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _on_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _on_header(self) -> None:
        if self._field.lower() == b"content-disposition":
            self._disposition = self._value
        self._field, self._value = b"", b""

    def _on_headers(self) -> None:
        _, options = parse_options_header(self._disposition)
        name = options.get(b"filename")
        self._disposition = b""
        if name is not None and self.name is None:
            self.name, self._reading = name.decode("utf-8", "replace"), True

    def _on_data(self, data: bytes, start: int, end: int) -> None:
        if self._reading:
            self.pieces.append(data[start:end])

    def _on_end(self) -> None:
        if self._reading:
            self._reading, self.is_whole = False, True
