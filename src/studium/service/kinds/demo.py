"""What can be ordered to look around."""

from dataclasses import asdict
from typing import Any

from studium.faculties import demo
from studium.service.kinds.kind import Errand, Kind, Request
from studium.settings import Settings


class Fill(Request):
    """Nothing needs to be said."""


async def _fill(settings: Settings, _request: Fill, errand: Errand) -> dict[str, Any]:
    made = await demo.fill(settings, settings.home / "demo", on_progress=errand.on_progress)
    return {"made": [asdict(each) for each in made]}


KINDS = (Kind("demo.fill", "Let every faculty do its work on shipped samples.", Fill, _fill),)
