"""Markdown as learners write it, Obsidian's ways included: frontmatter, headings, blocks and images."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote

from studium.domain.document import Block, Document, Picture, content_id
from studium.domain.finding import Finding, Locator, Severity
from studium.readers.files import read_text, shown
from studium.readers.lines import SourceLine, source_lines
from studium.readers.markdown_blocks import markdown_blocks
from studium.readers.reading import Reading

IMAGES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif"})

# Every part is bounded, so that a line full of half-written references costs no more than any other.
_IMAGE = re.compile(
    r"!\[\[(?P<embed>[^\]|\n]{1,500})(?:\|(?P<label>[^\]\n]{0,500}))?\]\]"
    r"|!\[(?P<alt>[^\]\n]{0,500})\]"
    r"\((?:<(?P<angled>[^>\n]{1,2000})>|(?P<target>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*))(?:\s[^)\n]{0,500})?\)"
)
_SIZE = re.compile(r"\d+(x\d+)?")


class Frontmatter(NamedTuple):
    """The fields at the top of a note, the line its body begins on, and what is wrong with the fields."""

    values: dict[str, Any]
    body_line: int
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class MarkdownPage:
    """A Markdown text, which has no pages: one page without a number."""

    text: str
    body_line: int = 1
    number: None = None

    def blocks(self) -> Sequence[Block]:
        """Paragraphs, lists, quotes, code blocks and tables under their headings; the frontmatter is none of them."""
        return self._blocks

    def pictures(self) -> Sequence[Picture]:
        """The images that the text refers to, and its tables."""
        return sorted((picture for block in self._blocks for picture in self._shown(block)), key=lambda shown: shown.at)

    @cached_property
    def _blocks(self) -> list[Block]:
        return list(markdown_blocks(source_lines(self.text), self.body_line))

    def _shown(self, block: Block) -> Iterator[Picture]:
        start, end = block.span
        if block.kind == "table":
            yield Picture("table", block.heading, start)
        if block.kind not in ("code", "math"):
            for match in _IMAGE.finditer(self.text, start, end):
                if picture := _picture(match):
                    yield picture


def read(path: Path, *, max_bytes: int) -> Reading:
    """Read a Markdown note; a broken frontmatter is said, and the body read all the same."""
    file = read_text(path, max_bytes=max_bytes)
    if file.text is None:
        return Reading(None, file.findings)
    frontmatter = split_frontmatter(file.text, shown(path))
    page = MarkdownPage(file.text, frontmatter.body_line)
    return Reading(Document(shown(path), "markdown", content_id(file.text), (page,)), frontmatter.findings)


def split_frontmatter(text: str, path: str = "") -> Frontmatter:
    """The YAML between the `---` lines at the top of a note; what cannot be read is said with its line."""
    lines = source_lines(text)
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
    """The fields of a frontmatter; whoever reads a note and then its cards asks for the same one twice."""
    import yaml

    try:
        values = yaml.load(source, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return {}, _broken(path, error.problem or "it is no YAML", 2 + (mark.line if mark else 0))
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # a control character, `2024-13-45`, `[[[[…`
        return {}, _broken(path, str(error).splitlines()[0], 2)
    if values is None or isinstance(values, dict):
        return {str(key): value for key, value in (values or {}).items()}, None
    return {}, _broken(path, "it is not a list of `key: value` lines", 2)


def _broken(path: str, reason: str, line: int) -> Finding:
    message = f"The frontmatter cannot be read: {reason}. Correct the YAML between the `---` lines."
    where = Locator(path=path, line=line)
    return Finding(code="frontmatter.broken", severity=Severity.WARNING, message=message, where=where)


def _picture(match: re.Match[str]) -> Picture | None:
    """An image reference; embeds of notes and sounds are no images."""
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
