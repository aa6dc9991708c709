"""Files that are brought over HTTP."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel

from studium.api.asked import TheService
from studium.api.multipart import first_file
from studium.api.paging import Listing, Wanted
from studium.core.jobs.file_types import ALL_FILE_TYPES

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


class Brought(BaseModel):
    """A file that was brought; orders name it as `upload:ID`."""

    id: str
    name: str
    size: int


@router.post("", status_code=201, openapi_extra=_FORM)
async def bring_file(service: TheService, request: Request, response: Response) -> Brought:
    """Bring a file: a document, quotes, lyrics, a recording. It is kept for some days."""
    name, chunks = await first_file(request)
    upload = await service.uploads.save(name, chunks, kinds=ALL_FILE_TYPES)
    response.headers["Location"] = f"/api/v1/uploads/{upload.id}"
    return Brought(id=upload.id, name=upload.name, size=upload.size)


@router.get("")
def list_uploads(service: TheService, page: Wanted) -> Listing[Brought]:
    """The files that were brought and are still kept, newest first."""
    found = service.uploads.all()
    part = found[page.offset : page.offset + page.limit]
    return page.of([Brought(id=each.id, name=each.name, size=each.size) for each in part], len(found))


@router.get("/{upload}")
async def show_upload(service: TheService, upload: Annotated[str, Path(min_length=1, max_length=64)]) -> Brought:
    """A file that was brought."""
    found = await asyncio.to_thread(service.uploads.find, upload)
    return Brought(id=found.id, name=found.name, size=found.size)


@router.delete("/{upload}", status_code=204)
async def forget_upload(service: TheService, upload: Annotated[str, Path(min_length=1, max_length=64)]) -> None:
    """Forget a file that was brought; not while an order is working on it."""
    await asyncio.to_thread(service.uploads.remove, upload)
