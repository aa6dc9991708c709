"""Read Markdown notes: blocks with their headings, frontmatter, images and tables."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote

from studium.core.documents.files import display_path, read_text
from studium.core.documents.plain_text import SourceLine, split_lines
from studium.core.documents.registry import ReadResult
from studium.core.domain.document import Block, Document, Picture, content_id
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.text.locate import Span
from studium.core.yaml_files import UnreadableYaml, load_yaml

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_PLAIN_UNDERLINES = "~^"
_UNDERLINE_SLACK, _LEAST = 2, 3
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})")
_FENCE = re.compile(r"[ \t]*(?:[-*+>][ \t]+)*(`{3,}|~{3,})([^`]*)")
_MATH = re.compile(r"[ \t]*\$\$")
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_INTERRUPTS = re.compile(r"[ \t]*(?:[-*+]|1[.)])[ \t]+\S")
_QUOTE = re.compile(r" {0,3}>")
_RULED_CELL = re.compile(r"[ \t]*:?-+:?[ \t]*")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")


# What would be a heading, a list, a quote, a fence or a rule, where the source has plain text.
_MARKED = re.compile(r"#{1,6}(?=\s|$)|[*+](?=\s)|>|```|~~~|(?:=+|-+|[*_]{3,})$")


def escape_markdown(line: str) -> str:
    """A line of plain text, with a backslash before what Markdown would take for the start of another block."""
    return f"\\{line}" if _MARKED.match(line) else line


def split_blocks(lines: Sequence[SourceLine], first_line: int = 1) -> Iterator[Block]:
    """The blocks from a line on, each with its trail of headings: `OSPF > Areas`."""
    trail: list[tuple[int, str]] = []
    over = ""
    at = first_line - 1
    while at < len(lines):
        if lines[at].blank:
            at += 1
        elif heading := _heading(lines, at):
            level, title, at = heading
            trail = [*(each for each in trail if each[0] < level), (level, title)]
            over = " > ".join(title for _, title in trail if title)
        elif _RULE.fullmatch(lines[at].text):
            at += 1
        else:
            kind, end = _extent(lines, at)
            block = lines[at:end]
            whole = kind in ("code", "math", "table") or any(_FENCE.match(line.text) for line in block)
            yield Block(Span(block[0].start, block[-1].end), kind, over, whole)
            at = end


def _heading(lines: Sequence[SourceLine], at: int) -> tuple[int, str, int] | None:
    """The level and title of the heading that starts here, and the line after it."""
    text = lines[at].text
    if match := _HEADING.fullmatch(text):
        return len(match[1]), _title(match[2] or ""), at + 1
    underlined = at + 1 < len(lines) and _UNDERLINE.fullmatch(lines[at + 1].text)
    if underlined and not lines[at].blank and _kind(lines, at) == "text":
        return (1 if underlined[1][0] == "=" else 2), text.strip(), at + 2
    if at + 1 < len(lines) and lines[at + 1].text[:1] in _PLAIN_UNDERLINES and _is_plain_title(lines, at):
        return 3 + _PLAIN_UNDERLINES.index(lines[at + 1].text[0]), text.strip(), at + 2
    return None


def _is_plain_title(lines: Sequence[SourceLine], at: int) -> bool:
    """Whether a plain text has a title here: a line of tildes or carets as long as it, and blank lines around both.

    Such a line would start a block of code that nothing ends.
    """
    title, underline = lines[at].text, lines[at + 1].text.rstrip()
    is_apart = (at == 0 or lines[at - 1].blank) and (at + 2 >= len(lines) or lines[at + 2].blank)
    is_as_long = len(underline) > _LEAST and abs(len(title.rstrip()) - len(underline)) <= _UNDERLINE_SLACK
    return is_apart and is_as_long and len(set(underline)) == 1 and _kind(lines, at) == "text"


def _title(text: str) -> str:
    """The text of a heading without closing `#` characters, as in `## Areas ##` but not in `C#`."""
    words = text.strip()
    opened = words.rstrip("#")
    return opened.strip() if opened != words and opened[-1:] in ("", " ", "\t") else words


def _kind(lines: Sequence[SourceLine], at: int) -> str:
    """The kind of block that starts on this line."""
    text = lines[at].text
    if text[:1].isalpha() and "|" not in text:
        return "text"  # as most lines do; the patterns are not tried
    if _FENCE.fullmatch(text) and not _QUOTE.match(text):
        return "code"
    if _MATH.match(text):
        return "math"
    if _QUOTE.match(text):
        return "quote"
    if _BULLET.match(text):
        return "list"
    return "table" if "|" in text and at + 1 < len(lines) and _is_table_rule(lines[at + 1].text) else "text"


def _is_table_rule(text: str) -> bool:
    cells = text.strip().removeprefix("|").removesuffix("|").split("|")
    return "|" in text and all(_RULED_CELL.fullmatch(cell) for cell in cells)


def _extent(lines: Sequence[SourceLine], at: int) -> tuple[str, int]:
    """The kind of the block that starts here, and the line after its end."""
    kind = _kind(lines, at)
    if kind == "text" and _INDENTED.match(lines[at].text):
        return "code", _end_of_indented(lines, at)
    if kind == "code":
        return kind, _end_of_fence(lines, at)
    if kind == "math":
        return kind, _end_of_math(lines, at)
    if kind == "list":
        return kind, _end_of_list(lines, at)
    return kind, _end_of_run(lines, at, kind)


def _end_of_fence(lines: Sequence[SourceLine], at: int) -> int:
    opening = _FENCE.match(lines[at].text)
    fence = opening[1] if opening else ""
    for index in range(at + 1, len(lines)):
        closing = lines[index].text.strip()
        if closing.startswith(fence) and not closing.strip(fence[0]):
            return index + 1
    return len(lines)


def _end_of_math(lines: Sequence[SourceLine], at: int) -> int:
    if lines[at].text.count("$$") > 1:
        return at + 1
    return next((index + 1 for index in range(at + 1, len(lines)) if "$$" in lines[index].text), at + 1)


def _end_of_indented(lines: Sequence[SourceLine], at: int) -> int:
    end = at + 1
    for index in range(at + 1, len(lines)):
        if _INDENTED.match(lines[index].text):
            end = index + 1
        elif not lines[index].blank:
            break
    return end


def _end_of_list(lines: Sequence[SourceLine], at: int) -> int:
    """The end of a list: it continues over blank lines before items or indented lines; code is a separate block."""
    end = at + 1
    for index in range(at + 1, len(lines)):
        line = lines[index]
        if line.blank:
            continue
        belongs = _BULLET.match(line.text) or line.text[0] in " \t" or not lines[index - 1].blank
        if not belongs or _RULE.fullmatch(line.text) or _HEADING.fullmatch(line.text) or _FENCE.fullmatch(line.text):
            break
        end = index + 1
    return end


def _end_of_run(lines: Sequence[SourceLine], at: int, kind: str) -> int:
    """The end of a paragraph, quote or table: a blank line, or the start of another block."""
    for index in range(at + 1, len(lines)):
        text = lines[index].text
        if lines[index].blank or _HEADING.fullmatch(text) or _RULE.fullmatch(text):
            return index
        found = _kind(lines, index)
        # A wrapped line may start with `1994. `: only a list that starts at 1 interrupts a paragraph.
        wrapped = kind == "text" and found == "list" and not _INTERRUPTS.match(text)
        if found not in (kind, "text") and not wrapped:
            return index
    return len(lines)


IMAGES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif"})

# Every part has a limit, so that a line full of half-written references is not slow.
_IMAGE = re.compile(
    r"!\[\[(?P<embed>[^\]|\n]{1,500})(?:\|(?P<label>[^\]\n]{0,500}))?\]\]"
    r"|!\[(?P<alt>[^\]\n]{0,500})\]"
    r"\((?:<(?P<angled>[^>\n]{1,2000})>|(?P<target>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*))(?:\s[^)\n]{0,500})?\)"
)
_SIZE = re.compile(r"\d+(x\d+)?")


class Frontmatter(NamedTuple):
    """The fields at the top of a note, the first line of its body, and problems with the fields."""

    values: dict[str, Any]
    body_line: int
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class MarkdownPage:
    """A Markdown text as one page without a number."""

    text: str
    body_line: int = 1
    number: None = None

    def blocks(self) -> Sequence[Block]:
        """Paragraphs, lists, quotes, code blocks and tables with their headings, without the frontmatter."""
        return self._blocks

    def pictures(self) -> Sequence[Picture]:
        """The images and tables of the text."""
        return sorted((picture for block in self._blocks for picture in self._shown(block)), key=lambda shown: shown.at)

    @cached_property
    def _blocks(self) -> list[Block]:
        return list(split_blocks(split_lines(self.text), self.body_line))

    def _shown(self, block: Block) -> Iterator[Picture]:
        start, end = block.span
        if block.kind == "table":
            yield Picture("table", block.heading, start)
        if block.kind not in ("code", "math"):
            for match in _IMAGE.finditer(self.text, start, end):
                if picture := _picture(match):
                    yield picture


def read(path: Path, *, max_bytes: int) -> ReadResult:
    """Read a Markdown note; a broken frontmatter becomes a finding, and the body is still read."""
    # Only UTF-8: a note is written back, and a guessed encoding could spoil it.
    file = read_text(path, max_bytes=max_bytes)
    if file.text is None:
        return ReadResult(None, file.findings)
    frontmatter = split_frontmatter(file.text, display_path(path))
    page = MarkdownPage(file.text, frontmatter.body_line)
    document = Document(display_path(path), "markdown", content_id(file.text), (page,))
    return ReadResult(document, (*file.findings, *frontmatter.findings))


def split_frontmatter(text: str, path: str = "") -> Frontmatter:
    """The YAML between the `---` lines at the top of a note; a problem becomes a finding with its line."""
    lines = split_lines(text)
    closing = _closing_line(lines)
    if closing is None:
        return Frontmatter({}, 1)
    values, finding = _load("\n".join(line.text for line in lines[1:closing]), path)
    return Frontmatter(values, closing + 2, (finding,) if finding else ())


def _closing_line(lines: Sequence[SourceLine]) -> int | None:
    if not lines or lines[0].text.rstrip() != "---":
        return None
    return next((index for index, line in enumerate(lines) if index and line.text.rstrip() in ("---", "...")), None)


@lru_cache(maxsize=1)
def _load(source: str, path: str) -> tuple[dict[str, Any], Finding | None]:
    """Parse the fields of a frontmatter; cached, since a note and its cards are read one after the other."""
    try:
        values = load_yaml(source)
    except UnreadableYaml as error:
        return {}, _invalid_frontmatter(path, error.reason, 1 + error.line)
    if values is None or isinstance(values, dict):
        return {str(key): value for key, value in (values or {}).items()}, None
    return {}, _invalid_frontmatter(path, "it is not a list of `key: value` lines", 2)


def _invalid_frontmatter(path: str, reason: str, line: int) -> Finding:
    message = f"The frontmatter cannot be read: {reason}. Correct the YAML between the `---` lines."
    where = Locator(path=path, line=line)
    return Finding(code="frontmatter.broken", severity=Severity.WARNING, message=message, where=where)


def _picture(match: re.Match[str]) -> Picture | None:
    """The image that a reference shows; None for embedded notes and sounds."""
    target = match["embed"] or match["angled"] or match["target"]
    source = target.strip() if match["embed"] else unquote(target)
    name = PurePosixPath(source.partition("?")[0])
    if name.suffix.lower() not in IMAGES and not (match["alt"] is not None and source.startswith(("http:", "https:"))):
        return None
    label = (match["label"] or match["alt"] or "").rpartition("|")
    said = next(
        (part.strip() for part in (label[0], label[2]) if part.strip() and not _SIZE.fullmatch(part.strip())), ""
    )
    return Picture("image", said or name.name, match.start(), source)
