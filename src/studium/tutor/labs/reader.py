"""Reading the folder of a lab; all that is wrong with it is said at once, with lines."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from studium.core.documents.files import display_path, read_text
from studium.core.domain.errors import NotFound
from studium.core.domain.finding import Finding, Locator, Severity
from studium.tutor.domain import Lab
from studium.tutor.labs.lab_yaml import LabMistake, YamlNode, build_lab, nearest_name, parse_yaml
from studium.tutor.labs.validation import check_goals, check_topology, index_devices

LAB_FILE = "lab.yaml"
_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class LabReadResult:
    """A lab, or none; and what was found wrong with it."""

    lab: Lab | None
    findings: tuple[Finding, ...] = ()


def read_lab(folder: Path) -> LabReadResult:
    """Read a lab; its documents are named by their paths below the folder."""
    path = folder / LAB_FILE
    file = read_text(path, max_bytes=_MAX_BYTES)
    if file.text is None:
        return LabReadResult(None, file.findings)
    tree, mistakes = parse_yaml(file.text)
    if tree is None:
        return LabReadResult(None, _findings(path, mistakes))
    lab, misshapen = build_lab(tree)
    mistakes += misshapen
    if isinstance(tree.value, dict):
        mistakes += _check_id(tree, folder)
        plan = index_devices(tree)
        mistakes += [*check_topology(tree, plan), *check_goals(tree, plan)]
    if mistakes or lab is None:
        return LabReadResult(None, _findings(path, mistakes))
    instructions = read_text(folder / "instructions.md")
    documents = tuple(sorted(found.relative_to(folder).as_posix() for found in folder.glob("docs/*.md")))
    made = lab.model_copy(update={"instructions": instructions.text or "", "documents": documents})
    return LabReadResult(made, tuple(_softened(finding) for finding in instructions.findings))


def list_lab_folders(folders: Iterable[Path]) -> dict[str, Path]:
    """The labs in these folders by id; one in a later folder takes the place of its namesake."""
    return {path.parent.name: path.parent for folder in folders for path in sorted(folder.glob(f"*/{LAB_FILE}"))}


def find_lab(name: str, folders: Iterable[Path]) -> Path:
    """The folder of a lab by its id, or by as much of it as names only one: `ospf-faults`, `05`."""
    labs = list_lab_folders(folders)
    matching = (
        [name] if name in labs else [lab for lab in labs if name and (lab.startswith(name) or lab.endswith(name))]
    )
    if len(matching) == 1:
        return labs[matching[0]]
    if matching:
        raise NotFound(f"`{name}` names several labs: {', '.join(sorted(matching))}.", remedy="Give the whole name.")
    raise NotFound(f"There is no lab `{name}`. {_near(name, labs)}", remedy="Choose one of the labs that are there.")


def _near(name: str, labs: Iterable[str]) -> str:
    """The numbers in front say nothing about what a student meant."""
    spoken = {re.sub(r"^\d+-", "", lab): lab for lab in sorted(labs)}
    told = nearest_name(re.sub(r"^\d+-", "", name), spoken)
    named = re.search(r"`(.+)`", told)
    return f"Did you mean `{spoken[named[1]]}`?" if named else f"Known: {', '.join(sorted(labs))}."


def _check_id(tree: YamlNode, folder: Path) -> list[LabMistake]:
    given = tree.at("id")
    if given.text in {"", folder.resolve().name}:
        return []
    message = f"The id `{given.text}` differs from the name of its folder, `{folder.resolve().name}`."
    return [LabMistake("id", given.line, message)]


def _findings(path: Path, mistakes: list[LabMistake]) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            code=f"lab.{mistake.code}",
            severity=Severity.ERROR,
            message=mistake.message,
            where=Locator(path=display_path(path), line=mistake.line),
        )
        for mistake in sorted(mistakes, key=lambda mistake: mistake.line)
    )


def _softened(finding: Finding) -> Finding:
    """A lab without instructions can still be done."""
    return finding.model_copy(update={"severity": Severity.WARNING})
