"""What can be ordered to look around, and to be rid of the samples again."""

from dataclasses import asdict
from typing import Any

from studium.core.config import Settings
from studium.faculties import demo, samples
from studium.service.kinds.kind import Errand, Kind, Request


class Fill(Request):
    """Nothing needs to be said."""


class Forget(Request):
    """Nothing needs to be said."""


async def _fill(settings: Settings, _request: Fill, _errand: Errand) -> dict[str, Any]:
    made = await demo.fill(settings, samples.samples_folder(settings))
    return {"made": [asdict(each) for each in made]}


async def _forget(settings: Settings, _request: Forget, _errand: Errand) -> dict[str, Any]:
    removed = await samples.forget(settings, samples.samples_folder(settings))
    return {"removed": asdict(removed)}


KINDS = (
    Kind("demo.fill", "Let every faculty do its work on shipped samples.", Fill, _fill),
    Kind(
        "demo.forget",
        "Remove the samples with all that was made of them, and nothing else.",
        Forget,
        _forget,
        writes=True,
    ),
)
