"""What ships with Studium for the tutor to look up."""

from importlib.resources import files
from pathlib import Path

from studium.core.domain.document import Passage
from studium.workflows.tutor.knowledge.commands import command_passages
from studium.workflows.tutor.knowledge.documents import read_documents
from studium.workflows.tutor.knowledge.patterns import pattern_passages


def shipped_passages() -> tuple[Passage, ...]:
    """The command references, the concepts, the error patterns, and the pages of the shipped labs."""
    studium = Path(str(files("studium")))
    tutor, labs = studium / "data" / "tutor", studium / "data" / "labs"
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
