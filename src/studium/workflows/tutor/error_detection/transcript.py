"""Transcripts: a recorded console read back into the commands that were typed and what was answered."""

import re
from typing import Final

from studium.domain.lab import Typed
from studium.workflows.tutor.error_detection.exchange import shown

_LINE: Final = re.compile(r"(?P<prompt>(?P<device>[A-Za-z][\w.-]{0,62})(?:\([\w.+-]+\))?[>#]) ?(?P<command>.*)")


def read_transcript(text: str) -> list[Typed]:
    """The commands of a transcript in order with prompt and output; what a device says unasked has an empty command."""
    typed: list[tuple[re.Match[str], list[str]]] = []
    for line in shown(text).split("\n"):
        prompt = _LINE.fullmatch(line)
        if prompt:
            typed.append((prompt, []))
        elif typed:
            typed[-1][1].append(line)
    return [
        Typed(
            command=prompt["command"].strip(),
            output="\n".join(output).rstrip(),
            prompt=prompt["prompt"],
            device=prompt["device"],
        )
        for prompt, output in typed
        if prompt["command"].strip() or any(output)
    ]
