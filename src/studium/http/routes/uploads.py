"""Uploads over HTTP."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from studium.core.domain.errors import BadInput
from studium.core.jobs.uploads import ALL_FILE_TYPES
from studium.http.deps import Listing, PageParams, ServiceDep

_REMEDY = "Send multipart/form-data with one field `file` that has a filename."
_MOST_PARTS = 20


async def first_file(request: Request) -> tuple[str, AsyncIterator[bytes]]:
    """The name of the first file of a form, and its bytes as they arrive."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        raise BadInput("The request is not a multipart form.", remedy=_REMEDY)
    form = _Form(boundary)
    stream = request.stream()
    async for chunk in stream:
        form.read(chunk)
        if form.name is not None:
            return form.name, _rest(form, stream)
    raise BadInput("The form has no file.", remedy=_REMEDY)


async def _rest(form: "_Form", stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The rest of the file: what has arrived, and what arrives later."""
    while True:
        if form.pieces:
            yield b"".join(form.pieces)
            form.pieces.clear()
        if form.is_complete:
            return
        chunk = await anext(stream, None)
        if not chunk:
            raise BadInput("The form ends in the middle of its file.", remedy="Send it again.")
        form.read(chunk)


class _Form:
    """Reads the first file of a form, and skips the other parts."""

    def __init__(self, boundary: bytes) -> None:
        self.name: str | None = None
        self.is_complete = False
        self.pieces: list[bytes] = []
        self._parts = 0
        self._reading = False
        self._field, self._value, self._disposition = b"", b"", b""
        try:
            self._parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._on_begin,
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

    def _on_begin(self) -> None:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise BadInput(f"The form has more than {_MOST_PARTS} parts.", remedy=_REMEDY)

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
            self._reading, self.is_complete = False, True


router = APIRouter(prefix="/uploads", tags=["uploads"])

_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}},
                }
            }
        },
    }
}


class UploadInfo(BaseModel):
    """An uploaded file; jobs name it as `upload:ID`."""

    id: str
    name: str
    size: int


@router.post("", status_code=201, openapi_extra=_FORM)
async def upload_file(service: ServiceDep, request: Request, response: Response) -> UploadInfo:
    """Upload a file: a document, quotes, lyrics, a recording. It is kept for some days."""
    name, chunks = await first_file(request)
    upload = await service.uploads.save(name, chunks, kinds=ALL_FILE_TYPES)
    response.headers["Location"] = f"/api/v1/uploads/{upload.id}"
    return UploadInfo(id=upload.id, name=upload.name, size=upload.size)


@router.get("")
def list_uploads(service: ServiceDep, page: PageParams) -> Listing[UploadInfo]:
    """List the uploaded files that are still kept, newest first."""
    found = service.uploads.all()
    part = found[page.offset : page.offset + page.limit]
    return page.of([UploadInfo(id=each.id, name=each.name, size=each.size) for each in part], len(found))


@router.get("/{upload}")
async def show_upload(service: ServiceDep, upload: Annotated[str, Path(min_length=1, max_length=64)]) -> UploadInfo:
    """Show one uploaded file."""
    found = await asyncio.to_thread(service.uploads.find, upload)
    return UploadInfo(id=found.id, name=found.name, size=found.size)


@router.delete("/{upload}", status_code=204)
async def delete_upload(service: ServiceDep, upload: Annotated[str, Path(min_length=1, max_length=64)]) -> None:
    """Delete an uploaded file, unless a job is using it."""
    await asyncio.to_thread(service.uploads.remove, upload)
