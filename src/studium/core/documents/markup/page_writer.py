"""Write a parsed tree as a Markdown page: headings, paragraphs, lists, tables, figures and images."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal

from studium.core.documents.markdown import escape_markdown
from studium.core.documents.markup.inline_text import (
    BLOCKS,
    BREAK,
    collapse_spaces,
    inline_text,
    replacement,
    verbatim_text,
    without_break_marks,
)
from studium.core.documents.markup.page_builder import MarkupPage, PageBuilder
from studium.core.documents.markup.tables import is_layout, named_values, rows_of, table_lines

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_FORMULA_CLASS = re.compile(r"math|tex|formula|equation", re.IGNORECASE)
_ICON_SIZE = 32


@dataclass(frozen=True)
class Figure:
    """A figure on a page; `name` is its caption, or the name of its image."""

    kind: Literal["figure", "table"]
    caption: str
    name: str
    source: str
    is_shown: bool


def figure_in(node: "Element") -> Figure:
    """The figure of a `figure` element; None if it has only text or other figures."""
    caption = next((inline_text(each) for each in node.iter("figcaption") if figure_around(each) is node), "")
    images = [image for image in node.iter("img") if figure_around(image) is node]
    is_table = node.get("role") == "table" or next(node.iter("table"), None) is not None
    is_text = next(node.iterdescendants("pre", "blockquote", "figure"), None) is not None
    return Figure(
        kind="table" if is_table else "figure",
        caption=caption,
        name=caption or next((name for image in images if (name := image_name(image))), ""),
        source=images[0].get("src", "") if images else "",
        is_shown=is_table or bool(images) or (bool(caption) and not is_text),
    )


def figure_around(node: "Element") -> "Element | None":
    """The figure element around an element."""
    return next(node.iterancestors("figure"), None)


def image_name(image: "Element") -> str:
    """The description of an image, else its file name."""
    said = collapse_spaces(image.get("alt") or image.get("title") or "").strip()
    source = image.get("src") or ""
    return said or ("" if source.startswith("data:") else PurePosixPath(source.partition("?")[0]).name)


def is_formula(image: "Element") -> bool:
    """Whether an image shows a formula, whose text it has."""
    return bool(_FORMULA_CLASS.search(image.get("class", "")))


def is_icon(image: "Element") -> bool:
    """Whether an image is tiny or decorative."""
    sizes = [whole_number(image.get(side), _ICON_SIZE + 1) for side in ("width", "height")]
    return min(sizes) <= _ICON_SIZE or image.get("role") in ("presentation", "none")


def whole_number(text: str | None, default: int) -> int:
    """The number in an attribute, if it is plausible."""
    found = re.fullmatch(r"\s*(\d{1,8})\s*", text or "")
    return int(found[1]) if found else default


_PARAGRAPH_END = re.compile(rf"(?<! ) *{BREAK} *(?:{BREAK} *)+")
_FEWEST_ROWS = 2
_FLOATS = frozenset({"figure", "aside"})
_DEEPEST_FLOAT = 10


def write_page(root: "Element", title: str = "") -> MarkupPage:
    """The page of a tree, under a title if one is given."""
    writer = _PageWriter()
    if title:
        writer.draft.write([f"# {title}"])
    writer.walk(root)
    return writer.draft.page()


@dataclass
class _List:
    """An open list: the number of its next item, if numbered, and terms without a definition so far."""

    number: int | None
    terms: list[str]


class _PageWriter:
    def __init__(self) -> None:
        self.draft = PageBuilder()
        self._line: list[str] = []
        self._lead = ""
        self._heading = ""
        self._lists: list[_List] = []
        self._figures = 0
        self._paragraphs: list[list[Element]] = []
        self._floating = 0

    def walk(self, root: "Element") -> None:
        """Write the content of an element."""
        from lxml import etree

        walk = etree.iterwalk(root, events=("start", "end"))
        entered: list[Element] = []
        for event, node in walk:
            if event == "start":
                if self._enter(node):
                    entered.append(node)
                else:
                    walk.skip_subtree()
                continue
            if entered and entered[-1] is node:
                entered.pop()
                self._leave(node)
            if node is not root:
                self._line.append(without_break_marks(node.tail))
        self._end_line()

    def _enter(self, node: "Element") -> bool:
        """Start an element; returns whether to read its content."""
        if node.tag in _FLOATS and self._paragraphs and self._floating < _DEEPEST_FLOAT:
            self._paragraphs[-1].append(node)  # it must not cut a sentence in two, so the paragraph comes first
            return False
        if node.tag in BLOCKS:
            self._end_line()
        if (special := _ENTER.get(str(node.tag))) and not special(self, node):
            return False
        if not special and (instead := replacement(node)) is not None:
            self._line.append(instead)
            return False
        self._line.append(without_break_marks(node.text))
        return True

    def _leave(self, node: "Element") -> None:
        if node.tag in BLOCKS:
            self._end_line()
        if special := _LEAVE.get(str(node.tag)):
            special(self, node)

    def _end_line(self) -> None:
        """Write the collected text as a paragraph, or as several if the source has blank lines."""
        collected, self._line = "".join(self._line), []
        if not collected:
            return
        text = collapse_spaces(collected)
        if BREAK not in text:
            if line := text.strip(" "):
                lead, self._lead = self._lead, ""
                self.draft.write([escape_markdown(lead + line)])
            return
        for paragraph in _PARAGRAPH_END.split(text):
            if lines := [line for part in paragraph.split(BREAK) if (line := part.strip(" "))]:
                lead, self._lead = self._lead, ""
                self.draft.write([escape_markdown(lead + lines[0]), *map(escape_markdown, lines[1:])])

    def _say(self, text: str) -> None:
        """Write a text as a paragraph."""
        self._line.append(text)
        self._end_line()

    def enter_paragraph(self, _: "Element") -> bool:
        self._paragraphs.append([])
        return True

    def leave_paragraph(self, _: "Element") -> None:
        self._floating += 1
        for put_off in self._paragraphs.pop():
            self.walk(put_off)
        self._floating -= 1

    def enter_heading(self, node: "Element") -> bool:
        text = inline_text(node)
        if text and self.draft.nested:
            self._say(text)
        elif text:
            self._heading = text
            self.draft.write([f"{'#' * int(str(node.tag)[1:])} {text}"])
        return False

    def enter_list(self, node: "Element") -> bool:
        self._lists.append(_List(whole_number(node.get("start"), 1) if node.tag == "ol" else None, []))
        self.draft.open_list()
        return True

    def leave_list(self, _: "Element") -> None:
        self._write_terms()
        self._lists.pop()
        self.draft.close_list()

    def enter_item(self, node: "Element") -> bool:
        inside = self._lists[-1] if self._lists else _List(None, [])
        if inside.number is None:
            self.draft.open_item("- ")
        else:
            number = whole_number(node.get("value"), inside.number)
            inside.number = number + 1
            self.draft.open_item(f"{number}. ")
        return True

    def leave_item(self, _: "Element") -> None:
        self.draft.close()

    def enter_term(self, node: "Element") -> bool:
        if self._lists and (term := inline_text(node)):
            self._lists[-1].terms.append(term)
        return not self._lists

    def enter_meaning(self, _: "Element") -> bool:
        self.draft.open_item("- ")
        if self._lists and self._lists[-1].terms:
            self._lead = _term_prefix(", ".join(self._lists[-1].terms))
            self._lists[-1].terms = []
        return True

    def leave_meaning(self, _: "Element") -> None:
        if lead := self._lead.rstrip(": "):
            self._lead = ""
            self._say(lead)
        self.draft.close()

    def _write_terms(self) -> None:
        """Write the terms without a definition."""
        for term in self._lists[-1].terms:
            self.draft.open_item("- ")
            self._say(term)
            self.draft.close()

    def enter_quote(self, _: "Element") -> bool:
        self.draft.open_quote()
        return True

    def leave_quote(self, _: "Element") -> None:
        self.draft.close()

    def enter_code(self, node: "Element") -> bool:
        text = verbatim_text(node).strip("\r\n")
        if text.strip():
            self._write_lead()
            longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
            fence = "`" * max(3, longest + 1)
            self.draft.write_at_margin([fence, *text.splitlines(), fence])
        return False

    def enter_table(self, node: "Element") -> bool:
        rows = [] if is_layout(node) else rows_of(node)
        if len(rows) < _FEWEST_ROWS:
            return True
        caption = next((inline_text(child) for child in node if child.tag == "caption"), "")
        if not self._figures:
            self.draft.show("table", caption or self._heading)
        self._write_lead()
        self._say(caption)
        if pairs := named_values(rows):
            self._write_pairs(pairs)
        else:
            self.draft.write_at_margin(table_lines(rows))
        return False

    def _write_pairs(self, pairs: list[tuple[str, str]]) -> None:
        self.draft.open_list()
        for name, value in pairs:
            self.draft.open_item("- ")
            self._say(_term_prefix(name) + value)
            self.draft.close()
        self.draft.close_list()

    def _write_lead(self) -> None:
        """Write a term before the table or code that defines it."""
        lead, self._lead = self._lead, ""
        self._say(lead)

    def enter_figure(self, node: "Element") -> bool:
        self._figures += 1
        if self._figures > _DEEPEST_FLOAT:
            return True
        figure = figure_in(node)
        if figure.is_shown:
            self.draft.show(figure.kind, figure.name, figure.source)
        self._say(figure.caption)
        return True

    def leave_figure(self, _: "Element") -> None:
        self._figures -= 1

    def enter_caption(self, node: "Element") -> bool:
        """Write a caption without a figure as a paragraph; others were written with their figure."""
        return figure_around(node) is None

    def enter_image(self, node: "Element") -> bool:
        if is_formula(node):
            self._line.append(without_break_marks(node.get("alt")))
        elif not self._figures and not is_icon(node):
            self.draft.show("image", image_name(node), node.get("src", ""))
        return False


def _term_prefix(term: str) -> str:
    return f"{term} " if term.endswith((":", "?", ".", "–", "—")) else f"{term}: "


_ENTER: Mapping[str, Callable[[_PageWriter, "Element"], bool]] = {
    "p": _PageWriter.enter_paragraph,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _PageWriter.enter_heading),
    **dict.fromkeys(("ul", "ol", "dl", "menu", "dir"), _PageWriter.enter_list),
    "li": _PageWriter.enter_item,
    "dt": _PageWriter.enter_term,
    "dd": _PageWriter.enter_meaning,
    "blockquote": _PageWriter.enter_quote,
    "pre": _PageWriter.enter_code,
    "table": _PageWriter.enter_table,
    "figure": _PageWriter.enter_figure,
    "figcaption": _PageWriter.enter_caption,
    "img": _PageWriter.enter_image,
}
_LEAVE: Mapping[str, Callable[[_PageWriter, "Element"], None]] = {
    "p": _PageWriter.leave_paragraph,
    **dict.fromkeys(("ul", "ol", "dl", "menu", "dir"), _PageWriter.leave_list),
    "li": _PageWriter.leave_item,
    "dd": _PageWriter.leave_meaning,
    "blockquote": _PageWriter.leave_quote,
    "figure": _PageWriter.leave_figure,
}
