"""Read AsciiDoc block by block into a Markdown page; no other file is included, and nothing is run."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from studium.core.documents.asciidoc.inline import plain_text
from studium.core.documents.asciidoc.tables import table_lines
from studium.core.documents.encodings import read_document_text
from studium.core.documents.files import display_path, unreadable_finding
from studium.core.documents.markdown import escape_markdown
from studium.core.documents.markup.page_builder import MarkupPage, PageBuilder
from studium.core.documents.registry import ReadResult
from studium.core.domain.document import Document, content_id

_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_UNDERLINE = re.compile(r"={3,}|-{3,}|~{3,}|\^{3,}|\+{3,}")
_LEVELS = "=-~^+"
# A title may be this much longer or shorter than the line under it.
_SLACK = 3
_ATTRIBUTE = re.compile(r":(!?[A-Za-z0-9][\w-]{0,60}!?):(?:[ \t]+(.{0,2000}))?")
_BLOCK_ATTRIBUTES = re.compile(r"\[(?:[^\[\]\n]{0,500}|\[[^\[\]\n]{1,200}\])\]")
_BLOCK_TITLE = re.compile(r"\.(?=[^\s.])(.+)")
_DIRECTIVE = re.compile(r"(ifdef|ifndef|ifeval|endif)::([^\[\n]{0,200})\[(.{0,500})\]")
_SKIPPED = re.compile(r"//(?!//).*|(?:include|toc|video|audio)::[^\[\n]*\[.*\]|<<<|'{3,}|\*{3}|-{3}|\+")
_IMAGE = re.compile(r"image::([^\s\[]{1,500})\[([^\]\n]{0,500})\]")
_DELIMITER = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|--|[|,!:]={3,}|```.{0,60})")
_ITEM = re.compile(
    r"[ \t]*(?:(?P<bullet>\*{1,5}|-)|(?P<number>\.{1,5}|\d{1,4}\.|[a-z]\.)|<(?:\d{1,3}|\.)>)[ \t]+(?P<text>\S.*)"
)
_TERM = re.compile(r"[ \t]*(?P<term>[^\s/](?:[^:;\n]|[:;](?![:;])){0,200})(?P<mark>:{2,4}|;;)(?:[ \t]+(?P<text>\S.*))?")
_ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION)")
_ADMONITION_START = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+")
_HARD_BREAK = re.compile(r"[ \t]\+$")
_MOST_ATTRIBUTES = 1_000
_VERBATIM = "-.`"


@dataclass
class _OpenBlock:
    """A block whose content is read like the page: the line that ends it, and the lists around it."""

    delimiter: str
    is_quote: bool
    lists: list["_OpenList"]


@dataclass
class _OpenList:
    """A list, told by the mark of its items, and the number of its last item."""

    mark: str
    number: int = 0


@dataclass
class _Style:
    """What the lines before a block say of it."""

    attributes: str = ""
    title: str = ""

    @property
    def admonition(self) -> str:
        """`Note`, `Warning` and so on, if the block is one."""
        found = _ADMONITION.match(self.attributes.lstrip("["))
        return found[1].capitalize() if found else ""


def read(path: Path, *, max_bytes: int) -> ReadResult:
    """Read an AsciiDoc file."""
    file = read_document_text(path, max_bytes=max_bytes)
    if file.text is None:
        return ReadResult(None, file.findings)
    document = asciidoc_document(path, file.text)
    if not document.text:
        message = "The file contains no text: only attributes, comments and other files. Read those instead."
        return ReadResult(None, (unreadable_finding(path, "empty", message),))
    return ReadResult(document, file.findings)


def asciidoc_document(path: Path, text: str) -> Document:
    """The document of an AsciiDoc text."""
    page = _AsciidocWriter(text).page()
    return Document(display_path(path), "asciidoc", content_id(page.text), (page,))


_SIGNS = (
    re.compile(r"^={1,5} \S", re.MULTILINE),
    re.compile(
        r"^\[(?:source|listing|verse|quote|NOTE|TIP|WARNING|IMPORTANT|CAUTION|cols|options|%|\[\w)", re.MULTILINE
    ),
    re.compile(r"^\|={3,}$", re.MULTILINE),
    re.compile(r"^(?:include|ifn?def)::\S{0,200}\[", re.MULTILINE),
    re.compile(r"\b(?:link|linkgit|xref|image):{1,2}[^\s\[\]]{1,200}\["),
    re.compile(r"<<[\w-]{1,60}(?:,[^<>\n]{1,100})?>>"),
    re.compile(r"^:[a-z][\w-]{1,40}:(?: |$)", re.MULTILINE),
    re.compile(r"^[^\s:][^:\n]{0,100}::$", re.MULTILINE),
    re.compile(r"^(?:NOTE|TIP|WARNING|IMPORTANT|CAUTION): \S", re.MULTILINE),
)
_OTHER_MARKUP = re.compile(r"^\.\. [\w-]{2,30}::|^:[a-z]{3,12}:`|:[a-z]{3,12}:`[^`\n]{1,100}`", re.MULTILINE)
_SEEN = 30_000
_SIGNS_NEEDED = 2


def is_asciidoc(text: str) -> bool:
    """Whether a text is clearly AsciiDoc: it starts with a title, and has several of its signs and none of reST's."""
    head = text[:_SEEN]
    lines = head.lstrip().split("\n", 2)
    has_title = bool(_TITLE.fullmatch(lines[0].rstrip())) and lines[0].startswith("= ")
    has_title = has_title or (len(lines) > 1 and _is_underlined(lines[0].rstrip(), lines[1].rstrip()))
    if not has_title or _OTHER_MARKUP.search(head):
        return False
    return sum(sign.search(head) is not None for sign in _SIGNS) >= _SIGNS_NEEDED


def _is_underlined(title: str, line: str) -> bool:
    return (
        _UNDERLINE.fullmatch(line) is not None
        and abs(len(title) - len(line)) <= _SLACK
        and any(map(str.isalnum, title))
        and not title[0].isspace()
    )


@dataclass
class _AsciidocWriter:
    source: str
    attributes: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lines = [line.rstrip() for line in self.source.splitlines()]
        self._at = 0
        self._draft = PageBuilder()
        self._lists: list[_OpenList] = []
        self._blocks: list[_OpenBlock] = []
        self._style = _Style()
        self._is_continued = False
        self._lead = ""

    def page(self) -> MarkupPage:
        """The page as Markdown."""
        if self._lines and self._lines[0].startswith("\ufeff"):
            self._lines[0] = self._lines[0][1:]
        steps: tuple[Callable[[str], bool], ...] = (
            *(self._directive, self._attribute, self._title, self._delimited, self._block_style, self._skipped),
            *(self._item, self._indented, self._term),
        )
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.strip():
                self._skip_blank()
            elif not any(step(line) for step in steps):
                self._paragraph()
        while self._blocks:
            self._close_block()
        self._close_lists()
        return self._draft.page()

    def _text(self, line: str) -> str:
        return plain_text(line, self.attributes)

    def _say(self, text: str) -> None:
        """Write a paragraph, one line a line."""
        lead, self._lead = self._lead, ""
        lines = [escape_markdown(line) for line in f"{lead}{text}".split("\n") if line.strip()]
        if lines:
            self._draft.write(lines)

    def _say_title(self) -> None:
        """Write the title of the next block."""
        if self._style.title:
            self._say(self._style.title)
        self._style.title = ""

    def _skip_blank(self) -> None:
        """A blank line ends the lists unless an item, an indented line or a continuation follows."""
        while self._at < len(self._lines) and not self._lines[self._at].strip():
            self._at += 1
        if not self._lists or self._at >= len(self._lines):
            return
        line = self._lines[self._at]
        belongs = line == "+" or line[0] in " \t" or _ITEM.fullmatch(line) or _TERM.fullmatch(line)
        is_attributes = _BLOCK_ATTRIBUTES.fullmatch(line) or line.startswith("//") or _DIRECTIVE.fullmatch(line)
        if not belongs and not self._is_continued and not is_attributes:
            self._close_lists()

    def _close_lists(self, down_to: int = 0) -> None:
        self._flush_lead()
        while len(self._lists) > down_to:
            self._lists.pop()
            self._draft.close()
            self._draft.close_list()

    def _flush_lead(self) -> None:
        """Write a term that nothing follows."""
        if self._lead:
            lead, self._lead = self._lead.rstrip(": "), ""
            self._say(lead)

    # Each step returns whether the line was its own, and then has moved on.

    def _directive(self, line: str) -> bool:
        """Leave out what is for other documents: `ifdef::other[]` … `endif::[]`."""
        found = _DIRECTIVE.fullmatch(line)
        if not found:
            return False
        self._at += 1
        kind, names, content = found.groups()
        is_set = any(name.strip().lower() in self.attributes for name in re.split("[,+]", names))
        if kind == "endif" or (kind == "ifndef" and not is_set) or (kind == "ifdef" and is_set):
            return True
        if content and kind != "ifeval":
            return True
        depth = 1
        while depth and self._at < len(self._lines):
            inner = _DIRECTIVE.fullmatch(self._lines[self._at])
            if inner and (inner[1] == "endif" or inner[1] == "ifeval" or not inner[3]):
                depth += -1 if inner[1] == "endif" else 1
            self._at += 1
        return True

    def _attribute(self, line: str) -> bool:
        found = _ATTRIBUTE.fullmatch(line)
        if not found or (self._lists and not self._is_at_start()):
            return False
        self._at += 1
        name = found[1].lower().strip("!")
        if "!" in found[1]:
            self.attributes.pop(name, None)
        elif len(self.attributes) < _MOST_ATTRIBUTES:
            self.attributes[name] = self._text(found[2] or "")
        return True

    def _is_at_start(self) -> bool:
        return self._at == 0 or not self._lines[self._at - 1].strip()

    def _title(self, line: str) -> bool:
        found = _TITLE.fullmatch(line)
        after = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""
        if found:
            level, title, lines = len(found[1]), found[2], 1
        elif _is_underlined(line, after) and not _BLOCK_ATTRIBUTES.fullmatch(line) and not _DELIMITER.fullmatch(line):
            level, title, lines = 1 + _LEVELS.index(after[0]), line, 2
        else:
            return False
        is_document = level == 1 and not self._at
        self._close_lists()
        self._at += lines
        self._style = _Style()
        if text := self._text(title.rstrip("= ") or title):
            self._draft.write([f"{'#' * level} {text}"])
        if is_document:
            self._skip_header()
        return True

    def _skip_header(self) -> None:
        """Skip the authors and the version under the title; attributes there count."""
        while self._at < len(self._lines) and (line := self._lines[self._at]).strip():
            if _TITLE.fullmatch(line):
                return
            if not self._attribute(line):
                self._at += 1

    def _block_style(self, line: str) -> bool:
        if found := _BLOCK_TITLE.fullmatch(line):
            if _ITEM.fullmatch(line) or _DELIMITER.fullmatch(line):
                return False
            self._style.title = self._text(found[1])
        elif _BLOCK_ATTRIBUTES.fullmatch(line):
            if not line.startswith("[["):
                self._style.attributes = line
        else:
            return False
        self._at += 1
        return True

    def _skipped(self, line: str) -> bool:
        if found := _IMAGE.fullmatch(line):
            alt = self._text(found[2].split(",", 1)[0].strip('"'))
            self._draft.show("figure", self._style.title or alt, found[1])
            self._say_title()
        elif not _SKIPPED.fullmatch(line):
            return False
        if line.startswith("//") and self._is_at_start():
            self._close_lists()
        self._is_continued = line == "+"
        self._at += 1
        return True

    def _delimited(self, line: str) -> bool:
        if not _DELIMITER.fullmatch(line):
            return False
        if self._blocks and self._blocks[-1].delimiter == line:
            self._close_block()
            self._at += 1
        elif line[0] in _VERBATIM and line != "--":
            self._verbatim("```" if line.startswith("```") else line)
        elif line[0] in "+/":
            self._inside(line)
            self._style = _Style()
        elif line[1:4] == "===" and line[0] in "|,!:":
            self._table(line)
        else:
            self._open_block(line)
        self._is_continued = False
        return True

    def _inside(self, delimiter: str) -> list[str]:
        """The lines up to the end of the block that starts here."""
        start = self._at + 1
        end = next((at for at in range(start, len(self._lines)) if self._lines[at] == delimiter), len(self._lines))
        self._at = end + 1
        return self._lines[start:end]

    def _verbatim(self, delimiter: str) -> None:
        lines = self._inside(delimiter)
        if self._style.attributes.startswith(("[quote", "[stem", "[latexmath")):
            self._style.attributes = ""
        self._fence(lines)

    def _fence(self, lines: list[str]) -> None:
        self._flush_lead()
        self._say_title()
        self._style = _Style()
        if any(line.strip() for line in lines):
            longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
            fence = "`" * max(3, longest + 1)
            self._draft.write_at_margin([fence, *lines, fence])

    def _table(self, delimiter: str) -> None:
        lines = self._inside(delimiter)
        self._flush_lead()
        caption, attributes = self._style.title, self._style.attributes
        if written := table_lines(lines, attributes, delimiter, self._text):
            self._draft.show("table", caption)
            self._say_title()
            self._draft.write_at_margin(written)
        self._style = _Style()

    def _open_block(self, delimiter: str) -> None:
        is_quote = delimiter[0] == "_" or self._style.attributes.startswith("[quote")
        self._say_title()
        if admonition := self._style.admonition:
            self._flush_lead()
            self._lead = f"{admonition}: "
        self._style = _Style()
        self._blocks.append(_OpenBlock(delimiter, is_quote, self._lists))
        self._lists = []
        if is_quote:
            self._draft.open_quote()
        self._at += 1

    def _close_block(self) -> None:
        self._close_lists()
        block = self._blocks.pop()
        if block.is_quote:
            self._draft.close()
        self._lists = block.lists
        self._style = _Style()

    def _item(self, line: str) -> bool:
        found = _ITEM.fullmatch(line)
        if not found:
            return False
        mark = found["bullet"] or re.sub(r"\w+", "1", found["number"] or "<1>")
        self._open_item(mark, is_numbered=not found["bullet"])
        self._at += 1
        self._say(self._text(" ".join([found["text"], *self._following()])))
        return True

    def _term(self, line: str) -> bool:
        found = _TERM.fullmatch(line)
        if not found or not self._text(found["term"]):
            return False
        term = self._text(found["term"])
        if self._lead and self._lists and self._lists[-1].mark == found["mark"]:
            self._lead = f"{self._lead.rstrip(': ')}, {term}: "  # two terms with one meaning
        else:
            self._open_item(found["mark"])
            self._lead = f"{term} " if term.endswith((":", "?", ".")) else f"{term}: "
        self._at += 1
        if found["text"]:
            self._say(self._text(" ".join([found["text"], *self._following()])))
        return True

    def _open_item(self, mark: str, *, is_numbered: bool = False) -> None:
        self._style = _Style()
        place = next((place for place, each in enumerate(self._lists) if each.mark == mark), None)
        if place is not None:
            self._close_lists(place + 1)
            self._draft.close()
        else:
            self._flush_lead()
            self._lists.append(_OpenList(mark))
            self._draft.open_list()
        self._lists[-1].number += 1
        self._draft.open_item(f"{self._lists[-1].number}. " if is_numbered else "- ")

    def _following(self) -> list[str]:
        """The lines that go on with this one: up to a blank line or the start of something else."""
        start = self._at
        while self._at < len(self._lines) and self._goes_on(self._lines[self._at]):
            self._at += 1
        return [_HARD_BREAK.sub("", line.strip()) for line in self._lines[start : self._at]]

    def _goes_on(self, line: str) -> bool:
        if not line.strip() or line == "+" or line.startswith("//"):
            return False
        if self._lists and (_ITEM.fullmatch(line) or _TERM.fullmatch(line)):
            return False
        return not (_DELIMITER.fullmatch(line) or _BLOCK_ATTRIBUTES.fullmatch(line) or _DIRECTIVE.fullmatch(line))

    def _indented(self, line: str) -> bool:
        """Indented lines are verbatim, unless they are the text of a term."""
        if line[0] not in " \t" or self._lead or (self._lists and not self._is_at_start()):
            return False
        start = self._at
        while self._at < len(self._lines) and self._lines[self._at].strip() and self._lines[self._at] != "+":
            self._at += 1
        if self._lists and not self._is_continued:
            self._say(self._text(" ".join(line.strip() for line in self._lines[start : self._at])))
        else:
            self._fence(self._lines[start : self._at])
        self._is_continued = False
        return True

    def _paragraph(self) -> None:
        start = self._at
        self._at += 1
        lines = [_HARD_BREAK.sub("", self._lines[start].strip()), *self._following()]
        self._is_continued = False
        if self._style.attributes.startswith(("[verse", "[source", "[listing", "[literal")):
            self._fence([self._text(line) for line in lines])
            return
        self._say_title()
        admonition, self._style = self._style.admonition, _Style()
        text = " ".join(lines)
        if found := _ADMONITION_START.match(text):
            admonition, text = found[1].capitalize(), text[found.end() :]
        self._say((f"{admonition}: " if admonition else "") + self._text(text))
