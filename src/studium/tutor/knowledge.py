"""The tutor's knowledge base: concepts, commands, error patterns, lab pages and the user's documents."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import groupby, islice
from pathlib import Path, PurePosixPath
from typing import Any

from studium.core.documents import find_files, read_document
from studium.core.documents.registry import READERS, limit_finding
from studium.core.domain.document import PASSAGE_LIMIT, Document, Passage, content_id
from studium.core.domain.errors import LimitPassed
from studium.core.domain.finding import Finding, Locator
from studium.core.domain.ports import Embedder
from studium.core.json_files import load_json
from studium.core.reader_process import outside_server
from studium.core.retrieval import HybridIndex
from studium.tutor.domain import Diagnosis, TypedCommand
from studium.tutor.rules.question import Question, main_question, read_question
from studium.tutor.rules.sentences import (
    content_words,
    correct_spelling,
    first_sentence,
    is_definition,
    shows_command,
    words_of,
)

SHELF = "FRR > "
_MODES = {
    "privileged_exec": "privileged EXEC mode",
    "global_config": "global configuration mode",
    "interface_config": "interface configuration mode",
    "router_config": "router configuration mode",
}


def command_passages(path: Path) -> Iterator[Passage]:
    """One passage per command family."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        family = json.loads(line)
        text = _text(family)
        under = "".join(f"{step} > " for step in family["way"])
        heading = f"{SHELF}{under}{family['command']}"
        yield Passage(content_id(text), text, Locator(path=path.name, line=number), heading, "command_ref")


def is_grammar(passage: Passage) -> bool:
    """Whether a passage was generated from a device's grammar."""
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
    """The passages of a folder, and findings about unreadable files."""

    passages: tuple[Passage, ...]
    findings: tuple[Finding, ...] = ()


def read_documents(folder: Path, kind: str = "user", shelf: str = "") -> DocumentsRead:
    """Read one file or all documents below a folder; paths are relative to the folder, below `shelf`."""
    found = find_files(folder, READERS)
    passages: list[Passage] = []
    findings = list(found.findings)
    for path in found.paths:
        name = path.name if path == folder else path.relative_to(folder).as_posix()
        try:
            read = _read_file(path, kind, f"{shelf}/{name}".lstrip("/"))
        except LimitPassed as passed:
            read = DocumentsRead((), (limit_finding(path, passed),))
        passages += read.passages
        findings += read.findings
    return DocumentsRead(tuple(passages), tuple(findings))


@outside_server(lambda path, _kind, _name: path.name)
def _read_file(path: Path, kind: str, name: str) -> DocumentsRead:
    reading = read_document(path)
    if reading.document is None:
        return DocumentsRead((), reading.findings)
    passages = tuple(sections(reading.document, kind, name))
    return DocumentsRead(passages, (*reading.findings, *reading.document.page_findings))


def sections(document: Document, kind: str, path: str) -> Iterator[Passage]:
    """A document's passages; those under one heading are joined up to the length limit."""
    for _, under in groupby(document.passages(), key=lambda passage: (passage.heading, passage.where.page)):
        for parts in _filled(list(under)):
            text = "\n\n".join(part.text for part in parts)
            where = parts[0].where.model_copy(update={"path": path, "end_line": parts[-1].where.end_line})
            yield replace(parts[0], id=content_id(text), text=text, where=where, kind=kind)


def _filled(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    """Group neighbouring passages up to the length limit."""
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
    """One passage per pattern of every pattern file below a folder."""
    for path in sorted(folder.rglob("*.json")):
        text = path.read_text("utf-8")
        lines = text.splitlines()
        for pattern in load_json(text, name=str(path)).get("patterns", ()):
            where = Locator(path=f"error-patterns/{path.name}", line=_line_of(pattern["id"], lines))
            yield _passage(pattern, where)


def pattern_heading(error_type: str) -> str:
    """The heading of an error's pages: `Subnet overlap` for `SUBNET_OVERLAP`."""
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
    """A template as text: `{first_host:address,mask}` becomes `first host`; uses the last, simplest one."""
    template = templates if isinstance(templates, str) else templates[-1]
    said = _PLACEHOLDER.sub(lambda name: f"<{name[1].replace('_', ' ')}>", template)
    return [label + said.replace("{{", "{").replace("}}", "}")]


def _line_of(name: str, lines: Sequence[str]) -> int | None:
    quoted = json.dumps(name)
    return next((number for number, line in enumerate(lines, 1) if '"id"' in line and quoted in line), None)


def shipped_passages() -> tuple[Passage, ...]:
    """The command references, the concepts, the error patterns, and the pages of the shipped labs."""
    tutor = Path(str(files("studium.tutor")))
    data = tutor / "data"
    return (
        *read_documents(data / "ios", "command_ref", "ios").passages,
        *read_documents(data / "concepts", "concept", "concepts").passages,
        *lab_passages(tutor / "labs" / "shipped"),
        *pattern_passages(tutor / "error_detection" / "patterns"),
        *command_passages(data / "commands.jsonl"),
    )


def lab_passages(labs: Path) -> tuple[Passage, ...]:
    """The pages of every lab in a folder: documents are concepts, instructions belong to their lab only."""
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


_CARET = re.compile(r"invalid input detected|^[^\S\n]*\^[^\S\n]*$", re.IGNORECASE | re.MULTILINE)
_ERROR = re.compile(
    r"^[^\S\n]*%\s?(?!SYS-5|LINK-[35]|LINEPROTO-5)|overlaps with|mismatch|err-?disabled"
    r"|\b(?:incomplete|ambiguous) command|\bbad mask\b|command rejected|duplicate address|not allowed"
    r"|^\S* ?(?:already|cannot|failed)\b",
    re.IGNORECASE | re.MULTILINE,
)
_KEYWORD = re.compile(r"[a-z][a-z-]*", re.IGNORECASE)
_SEEN = 2000  # a message is at the beginning or at the end of a device's output


def teaching_query(question: str) -> str:
    """The search query for a question about a concept."""
    return f"Explain the concept: {question}"


def troubleshooting_query(question: str, cli_history: Sequence[TypedCommand], error: Diagnosis | None = None) -> str:
    """The search query for a question about a problem."""
    keywords = command_keywords(cli_history, error)
    if any(_CARET.search(_seen(typed)) for typed in cli_history[-1:]):
        kind = f"{_spoken(error)} " if error else ""
        return f"Invalid input detected {kind}{keywords} error pattern. {question}"
    if error or error_marked(cli_history):
        said = f"{_spoken(error)}: {error.diagnosis}" if error else _message(cli_history[-1])
        return f"{said} {keywords} Cisco IOS. {question}"
    return f"Cisco IOS {keywords} command syntax. {question}"


def error_marked(cli_history: Sequence[TypedCommand]) -> bool:
    """Whether the device reported an error for the last command."""
    return any(_CARET.search(_seen(typed)) or _ERROR.search(_seen(typed)) for typed in cli_history[-1:])


def command_keywords(cli_history: Sequence[TypedCommand], error: Diagnosis | None = None) -> str:
    """The keywords of the last command (as corrected, if it was), without addresses and numbers."""
    typed = " ".join(typed.command for typed in cli_history[-1:])
    command = error.commands[-1] if error and error.commands else typed
    return " ".join(word for word in command.removeprefix("do ").split() if _KEYWORD.fullmatch(word))


def _spoken(error: Diagnosis) -> str:
    return error.error_type.replace("_", " ").lower()


def _message(typed: TypedCommand) -> str:
    """The device's error line."""
    return next((line.strip() for line in _seen(typed).splitlines() if _ERROR.search(line)), "")


def _seen(typed: TypedCommand) -> str:
    output = typed.output
    return output if len(output) <= 2 * _SEEN else f"{output[:_SEEN]}\n{output[-_SEEN:]}"


MOST_PAGES = 2
_ASIDE = re.compile(r"(?<!\s)\s*\([^()]*\)$")


class CommandIndex:
    """Finds command reference pages by the command in their headings."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        # Written explanations come before a device's grammar.
        self._pages = sorted(
            ((_command(passage), passage) for passage in passages if passage.kind == "command_ref"),
            key=lambda page: is_grammar(page[1]),
        )

    def on(self, keywords: str) -> list[Passage]:
        """The pages of the longest matching command: `sh ip int br` is `show ip interface brief`."""
        typed = keywords.casefold().split()
        lengths = [(len(command), page) for command, page in self._pages if _stands_for(typed, command)]
        longest = max((length for length, _ in lengths), default=0)
        return [page for length, page in lengths if length == longest][:MOST_PAGES]


def _command(passage: Passage) -> list[str]:
    """The command that a page describes: `network` for `network (OSPF)`."""
    return _ASIDE.sub("", passage.heading.rpartition(" > ")[2]).casefold().split()


def _stands_for(typed: Sequence[str], command: Sequence[str]) -> bool:
    return 0 < len(command) <= len(typed) and all(
        word.startswith(short) for short, word in zip(typed, command, strict=False)
    )


TEACHING_K = 3
TROUBLESHOOTING_K = 12
SEARCHED = 60  # enough to skip the pages of other labs

_AHEAD = 3

# What explains, as opposed to what lists errors.
TEACHING_KINDS = frozenset({"concept", "command_ref", "lab_specific", "user"})
# How many of each kind are kept, in this order; concepts and the user's pages count among the lab's.
WITH_ERRORS: Mapping[str, int] = {"error_patterns": 2, "command_ref": 2, "lab_specific": 1}
WITHOUT_ERRORS: Mapping[str, int] = {"command_ref": 3, "lab_specific": 2}
_COUNTS_AS = {"concept": "lab_specific", "user": "lab_specific"}


class Knowledge:
    """The searchable passages. They are data to cite, never instructions."""

    def __init__(self, passages: Sequence[Passage], embedder: Embedder | None = None) -> None:
        self._index = HybridIndex(passages, embedder)
        self._pages = CommandIndex(passages)
        self._words = frozenset().union(*(words_of(passage.text) for passage in passages))

    def teaching(self, question: str, lab: str = "") -> list[Passage]:
        """Passages that explain the concept in a question, best first."""
        spelled = correct_spelling(question, self._words)
        asked = main_question(spelled)
        found = list(self._found(teaching_query(spelled), lab, TEACHING_KINDS))
        if (
            asked
            and asked.kind == "definition"
            and content_words(" ".join(asked.about))
            and len(read_question(spelled)) > 1
        ):
            # `what is NAT and why …`: what it is comes first.
            named = teaching_query(f"What is {asked.about[0]}?")
            found = list(dict.fromkeys((*self._found(named, lab, TEACHING_KINDS), *found)))
        explaining = [passage for passage in found if _explains(passage, question)]
        places = sorted(range(len(explaining)), key=lambda place: place - _places_ahead(explaining[place], asked))
        return [explaining[place] for place in places[:TEACHING_K]]

    def troubleshooting(
        self, question: str, cli_history: Sequence[TypedCommand] = (), lab: str = "", error: Diagnosis | None = None
    ) -> list[Passage]:
        """Passages about a problem: error patterns first, then commands, then the lab's pages."""
        found = list(self._found(troubleshooting_query(question, cli_history, error), lab))
        on_error = [page for page in found if error and page.heading == pattern_heading(error.error_type)]
        on_command = self._pages.on(command_keywords(cli_history, error))
        best = list(islice(dict.fromkeys((*on_error[:MOST_PAGES], *on_command, *found)), TROUBLESHOOTING_K))
        return prioritize(best, WITH_ERRORS if error or error_marked(cli_history) else WITHOUT_ERRORS)

    def _found(self, query: str, lab: str, kinds: Collection[str] | None = None) -> Iterator[Passage]:
        ranked = self._index.search(query, SEARCHED, kinds)
        return (found.passage for found in ranked if not _of_another_lab(found.passage, lab))


def prioritize(best: Sequence[Passage], wanted: Mapping[str, int]) -> list[Passage]:
    """Take the wanted number of each kind in order, and fill gaps with the next best."""
    kept = [
        passage
        for kind, count in wanted.items()
        for passage in islice((each for each in best if _COUNTS_AS.get(each.kind, each.kind) == kind), count)
    ]
    others = (passage for passage in best if passage not in kept)
    return [*kept, *islice(others, sum(wanted.values()) - len(kept))]


def _explains(passage: Passage, question: str) -> bool:
    """Whether a passage explains; generated grammar does only if the question spells out its command."""
    command = passage.heading.rpartition(" > ")[2]
    return not is_grammar(passage) or (" " in command and command in question.casefold())


def _places_ahead(passage: Passage, asked: Question | None) -> int:
    """How many places ahead of its rank a passage comes because it answers this kind of question."""
    thing = set(content_words(asked.about[0])) if asked and asked.about else set()
    if asked is None or not thing:
        return 0
    if asked.kind == "definition" and is_definition(first_sentence(passage.text), thing):
        return SEARCHED  # before one that says much about it
    heading = passage.heading.rpartition(" > ")[2]
    ahead = _AHEAD * (set(content_words(heading)) == thing)
    if asked.kind == "procedure" and shows_command(passage.text):
        # `ip ospf dead-interval` is the command for the dead interval.
        ahead += _AHEAD * (1 + (set(content_words(heading.replace("-", " "))) >= thing))
    return ahead


def _of_another_lab(passage: Passage, lab: str) -> bool:
    """Whether this is the instructions page of another lab."""
    return passage.kind == "lab_specific" and lab not in PurePosixPath(passage.where.path).parts
