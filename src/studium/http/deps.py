"""What routes depend on: the service, and the page of a list that was asked for."""

from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Query, Request, Response
from pydantic import BaseModel

from studium.core.jobs.service import Service


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


ServiceDep = Annotated[Service, Depends(_service)]


Item = TypeVar("Item")


class Listing(BaseModel, Generic[Item]):
    """One page of a list, and the length of the whole list."""

    items: list[Item]
    total: int
    limit: int
    offset: int


class PageQuery:
    """Which page of a list is requested."""

    def __init__(
        self,
        request: Request,
        response: Response,
        limit: Annotated[int, Query(ge=1, le=500, description="At most this many items.")] = 50,
        offset: Annotated[int, Query(ge=0, le=10_000_000, description="Skip this many items.")] = 0,
    ) -> None:
        self.limit, self.offset = limit, offset
        self._url, self._response = request.url, response

    def of(self, items: list[Item], total: int) -> Listing[Item]:
        """Return this page; links lead to the previous and the next one."""
        links = []
        if self.offset + self.limit < total:
            links.append(self._link(self.offset + self.limit, "next"))
        if self.offset:
            links.append(self._link(max(0, self.offset - self.limit), "prev"))
        if links:
            self._response.headers["Link"] = ", ".join(links)
        return Listing(items=items, total=total, limit=self.limit, offset=self.offset)

    def _link(self, offset: int, relation: str) -> str:
        url = self._url.include_query_params(limit=self.limit, offset=offset)
        return f'<{url.path}?{url.query}>; rel="{relation}"'


PageParams = Annotated[PageQuery, Depends()]
