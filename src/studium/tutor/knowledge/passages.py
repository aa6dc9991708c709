"""What ships with Studium for the tutor to look up."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

from studium.core.documents import find_files, read_document
from studium.core.documents.registry import READERS
from studium.core.domain.document import PASSAGE_LIMIT, Document, Passage, content_id
from studium.core.domain.finding import Finding, Locator

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


@dataclass(frozen=True)
class DocumentsRead:
    """The passages of a folder, and what in it could not be read."""

    passages: tuple[Passage, ...]
    findings: tuple[Finding, ...] = ()


def read_documents(folder: Path, kind: str = "user", shelf: str = "") -> DocumentsRead:
    """Read every document under a folder, or one file; a passage's path is told from the folder, under its shelf."""
    found = find_files(folder, READERS)
    passages: list[Passage] = []
    findings = list(found.findings)
    for path in found.paths:
        reading = read_document(path)
        findings += reading.findings
        if reading.document:
            name = path.name if path == folder else path.relative_to(folder).as_posix()
            passages += sections(reading.document, kind, f"{shelf}/{name}".lstrip("/"))
    return DocumentsRead(tuple(passages), tuple(findings))


def sections(document: Document, kind: str, path: str) -> Iterator[Passage]:
    """A document's passages, those under one heading joined as far as the limit on a passage's length allows."""
    for _, under in groupby(document.passages(), key=lambda passage: (passage.heading, passage.where.page)):
        for parts in _filled(list(under)):
            text = "\n\n".join(part.text for part in parts)
            where = parts[0].where.model_copy(update={"path": path, "end_line": parts[-1].where.end_line})
            yield replace(parts[0], id=content_id(text), text=text, where=where, kind=kind)


def _filled(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    """Neighbours together until the next would be too much."""
    parts: list[Passage] = []
    for passage in passages:
        if parts and sum(len(part.text) for part in parts) + len(passage.text) > PASSAGE_LIMIT:
            yield parts
            parts = []
        parts.append(passage)
    if parts:
        yield parts


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


def shipped_passages() -> tuple[Passage, ...]:
    """The command references, the concepts, the error patterns, and the pages of the shipped labs."""
    studium = Path(str(files("studium")))
    tutor, labs = studium / "tutor" / "data", studium / "tutor" / "labs" / "shipped"
    return (
        *read_documents(tutor / "ios", "command_ref", "ios").passages,
        *read_documents(tutor / "concepts", "concept", "concepts").passages,
        *lab_passages(labs),
        *pattern_passages(studium / "workflows/tutor/error_detection/patterns"),
        *command_passages(tutor / "commands.jsonl"),
    )


def lab_passages(labs: Path) -> tuple[Passage, ...]:
    """The pages of every lab in a folder of labs: what explains is a concept, the instructions are the lab's alone."""
    return tuple(
        passage
        for lab in sorted(path for path in labs.glob("*") if path.is_dir())
        for page, shelf, kind in (
            (lab / "docs", f"labs/{lab.name}/docs", "concept"),
            (lab / "instructions.md", f"labs/{lab.name}", "lab_specific"),
        )
        if page.exists()
        for passage in read_documents(page, kind, shelf).passages
    )
