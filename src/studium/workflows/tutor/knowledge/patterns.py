"""The error patterns as pages to read: what the device says, what it means, how to mend it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from studium.core.domain.document import Passage, content_id
from studium.core.domain.finding import Locator

_PLACEHOLDER = re.compile(r"\{(\w+)(?::[^{}]*)?\}")
_EXAMPLES = 2


def pattern_passages(folder: Path) -> Iterator[Passage]:
    """One passage a pattern, of every pattern file under a folder."""
    for path in sorted(folder.rglob("*.json")):
        text = path.read_text("utf-8")
        lines = text.splitlines()
        for pattern in json.loads(text).get("patterns", ()):
            where = Locator(path=f"error-patterns/{path.name}", line=_line_of(pattern["id"], lines))
            yield _passage(pattern, where)


def pattern_heading(error_type: str) -> str:
    """`SUBNET_OVERLAP` as the heading of its pages: `Subnet overlap`."""
    return error_type.replace("_", " ").capitalize()


def _passage(pattern: Mapping[str, Any], where: Locator) -> Passage:
    examples = pattern.get("examples", ())[:_EXAMPLES]
    parts = [
        *_said("", pattern["diagnosis"]),
        *_said("Fix: ", pattern["fix"]),
        *(f"Example:\n{example.get('command', '')}\n{example['output'].strip()}" for example in examples),
    ]
    text = "\n\n".join(parts)
    return Passage(content_id(text), text, where, pattern_heading(pattern["error_type"]), "error_patterns")


def _said(label: str, templates: str | Sequence[str]) -> list[str]:
    """A template in words: `{first_host:address,mask}` is read as `first host`; of several, the last needs least."""
    template = templates if isinstance(templates, str) else templates[-1]
    said = _PLACEHOLDER.sub(lambda name: f"<{name[1].replace('_', ' ')}>", template)
    return [label + said.replace("{{", "{").replace("}}", "}")]


def _line_of(name: str, lines: Sequence[str]) -> int | None:
    quoted = json.dumps(name)
    return next((number for number, line in enumerate(lines, 1) if '"id"' in line and quoted in line), None)
