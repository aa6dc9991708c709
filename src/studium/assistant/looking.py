"""How things are looked at: page by page, or one of them and its parts."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from pydantic import Field

from studium.app.service import Service
from studium.assistant.fitting import part_of
from studium.assistant.tool import Answer, Call
from studium.service.kinds.kind import Line, Name, Request

Offset = Annotated[int, Field(ge=0, le=10_000_000)]


class Page(Request):
    """A page of a list."""

    limit: Annotated[int, Field(ge=1, le=100)] = 20
    """How many."""
    offset: Offset = 0
    """How many to pass over."""


class Shown(Request):
    """One thing, or a part of it."""

    id: Name
    """Its id, or as much of it as is unique."""
    part: Line = ""
    """Only this part, as `left_out` names it: a JSON pointer like /result/documents/0."""
    offset: Offset = 0
    """How many items or signs of the part to pass over."""


def quick(work: Callable[[Service, Any], Answer]) -> Callable[[Call, Any], Coroutine[Any, Any, Answer]]:
    """An answer that is read from what is kept, in a thread."""

    async def answer(call: Call, asked: Any) -> Answer:
        return await asyncio.to_thread(work, call.service, asked)

    return answer


def shown(asked: Shown, said: str, whole: dict[str, Any]) -> Answer:
    """The thing, or the part of it that was asked for."""
    if not asked.part:
        return Answer(said, whole, more="Call again with a `part` (as in `left_out`) and an `offset`.")
    part = {"part": asked.part, "offset": asked.offset, "value": part_of(whole, asked.part, asked.offset)}
    return Answer(said, part, more="Call again with a larger `offset`, or with a part of this part.")
