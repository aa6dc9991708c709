"""FRR's grammar: a configuration is read without any router."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from studium.core.domain.errors import MissingPart, ServiceDown

_SECONDS = 30
_REFUSAL = re.compile(r"line (?P<line>\d+): *(?P<what>% [^\[\n]*)(?:\[\d+\])?:")


class Problem(NamedTuple):
    """A line that FRR does not take."""

    line: int
    text: str
    message: str


def check_grammar(lines: Iterable[str]) -> list[Problem]:
    """What FRR has against the lines of a configuration, by line number from 1."""
    vtysh = shutil.which("vtysh")
    if vtysh is None:
        raise MissingPart("`vtysh` is not installed.", remedy="Run `sudo apt install frr`.")
    # A line of the file is one command: what looks like a line break to some readers must not make two.
    texts = [" ".join(line.splitlines()).replace("\0", " ") for line in lines]
    with tempfile.TemporaryDirectory(prefix="studium-grammar-") as folder:
        file = Path(folder, "frr.conf")
        file.write_text("\n".join((*texts, "")), encoding="utf-8")
        # The folder is empty but for this file: the machine's own vtysh.conf has no say.
        command = [vtysh, "--config_dir", folder, "-C", "-f", str(file)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603 - our words
        except subprocess.TimeoutExpired as error:
            raise ServiceDown(
                "vtysh did not finish reading the configuration.", remedy="Try a shorter configuration."
            ) from error
    said = (done.stderr + done.stdout).decode(errors="replace")
    return [problem for match in _REFUSAL.finditer(said) if (problem := _problem(match, texts))]


def _problem(match: re.Match[str], texts: list[str]) -> Problem | None:
    number = int(match["line"])
    if not 1 <= number <= len(texts):
        return None
    return Problem(number, texts[number - 1].strip(), match["what"].strip())
