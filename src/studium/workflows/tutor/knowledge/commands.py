"""FRR's own commands as pages to read, from the reference that `scripts/command_reference.py` writes."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from studium.core.domain.document import Passage, content_id
from studium.core.domain.finding import Locator

SHELF = "FRR > "
_MODES = {
    "privileged_exec": "privileged EXEC mode",
    "global_config": "global configuration mode",
    "interface_config": "interface configuration mode",
    "router_config": "router configuration mode",
}


def command_passages(path: Path) -> Iterator[Passage]:
    """One passage a family of commands."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        family = json.loads(line)
        text = _text(family)
        under = "".join(f"{step} > " for step in family["way"])
        heading = f"{SHELF}{under}{family['command']}"
        yield Passage(content_id(text), text, Locator(path=path.name, line=number), heading, "command_ref")


def is_grammar(passage: Passage) -> bool:
    """Whether a passage comes from a device's grammar and not from a writer."""
    return passage.heading.startswith(SHELF)


def _text(family: Mapping[str, Any]) -> str:
    way = f" after `{'`, `'.join(family['way'])}`" if family["way"] else ""
    words = (f"- `{word}`: {said}" for word, said in family["words"].items())
    return "\n".join(
        (
            f"`{family['command']}` is typed in {_MODES[family['mode']]}{way} on FRR: {'; '.join(family['about'])}.",
            "Forms:",
            *(f"- `{form}`" for form in family["forms"]),
            *(("What may follow:", *words) if family["words"] else ()),
        )
    )
