"""A tree of HTML elements written as Markdown in one pass, however deep it is.

What separates blocks ends the line that is being written; all other elements only add their words to it.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studium.readers.markup.draft import Draft, MarkupPage
from studium.readers.markup.figures import figure_around, figure_in, image_name, is_formula, is_icon, whole_number
from studium.readers.markup.tables import is_layout, named_values, rows_of, table_lines
from studium.readers.markup.words import BLOCKS, BREAK, as_written, replacement, squeezed, typed, words

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# What Markdown would take for a heading, a quote, a fence or a rule, where the source has plain text.
_MARKED = re.compile(r"#{1,6}(?=\s|$)|[*+](?=\s)|>|```|~~~|(?:=+|-+|[*_]{3,})$")
_PARAGRAPH_END = re.compile(rf" *{BREAK} *(?:{BREAK} *)+")
_FEWEST_ROWS = 2
_FLOATS = frozenset({"figure", "aside"})
_DEEPEST_FLOAT = 10


def write_page(root: "Element", title: str = "") -> MarkupPage:
    """The page that a tree makes, under a title if one is given."""
    writer = _Writer()
    if title:
        writer.draft.write([f"# {title}"])
    writer.walk(root)
    return writer.draft.page()


@dataclass
class _List:
    """A list that is open: the number of its next item, if they are numbered, and the terms that wait for a meaning."""

    number: int | None
    terms: list[str]


class _Writer:
    def __init__(self) -> None:
        self.draft = Draft()
        self._line: list[str] = []
        self._lead = ""
        self._heading = ""
        self._lists: list[_List] = []
        self._figures = 0
        self._paragraphs: list[list[Element]] = []
        self._floating = 0

    def walk(self, root: "Element") -> None:
        """Write all that stands in an element."""
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
                self._line.append(typed(node.tail))
        self._end_line()

    def _enter(self, node: "Element") -> bool:
        """Begin an element; say whether to read what is in it."""
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
        self._line.append(typed(node.text))
        return True

    def _leave(self, node: "Element") -> None:
        if node.tag in BLOCKS:
            self._end_line()
        if special := _LEAVE.get(str(node.tag)):
            special(self, node)

    def _end_line(self) -> None:
        """Write the words that came together as a paragraph, or as several where the source has empty lines."""
        text, self._line = squeezed("".join(self._line)), []
        for paragraph in _PARAGRAPH_END.split(text):
            if lines := [line for part in paragraph.split(BREAK) if (line := part.strip(" "))]:
                lead, self._lead = self._lead, ""
                self.draft.write([_escaped(lead + lines[0]), *map(_escaped, lines[1:])])

    def _say(self, text: str) -> None:
        """Write words as a paragraph of their own."""
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
        text = words(node)
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
        if self._lists and (term := words(node)):
            self._lists[-1].terms.append(term)
        return not self._lists

    def enter_meaning(self, _: "Element") -> bool:
        self.draft.open_item("- ")
        if self._lists and self._lists[-1].terms:
            self._lead = _led(", ".join(self._lists[-1].terms))
            self._lists[-1].terms = []
        return True

    def leave_meaning(self, _: "Element") -> None:
        if lead := self._lead.rstrip(": "):
            self._lead = ""
            self._say(lead)
        self.draft.close()

    def _write_terms(self) -> None:
        """Write the terms that no meaning follows."""
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
        text = as_written(node).strip("\r\n")
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
        caption = next((words(child) for child in node if child.tag == "caption"), "")
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
            self._say(_led(name) + value)
            self.draft.close()
        self.draft.close_list()

    def _write_lead(self) -> None:
        """Write a term before a table or code that explains it."""
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
        """A figure's caption was written with the figure; one without a figure is a paragraph."""
        return figure_around(node) is None

    def enter_image(self, node: "Element") -> bool:
        if is_formula(node):
            self._line.append(typed(node.get("alt")))
        elif not self._figures and not is_icon(node):
            self.draft.show("image", image_name(node), node.get("src", ""))
        return False


def _escaped(line: str) -> str:
    return f"\\{line}" if _MARKED.match(line) else line


def _led(term: str) -> str:
    return f"{term} " if term.endswith((":", "?", ".", "–", "—")) else f"{term}: "


_ENTER: Mapping[str, Callable[[_Writer, "Element"], bool]] = {
    "p": _Writer.enter_paragraph,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _Writer.enter_heading),
    **dict.fromkeys(("ul", "ol", "dl", "menu", "dir"), _Writer.enter_list),
    "li": _Writer.enter_item,
    "dt": _Writer.enter_term,
    "dd": _Writer.enter_meaning,
    "blockquote": _Writer.enter_quote,
    "pre": _Writer.enter_code,
    "table": _Writer.enter_table,
    "figure": _Writer.enter_figure,
    "figcaption": _Writer.enter_caption,
    "img": _Writer.enter_image,
}
_LEAVE: Mapping[str, Callable[[_Writer, "Element"], None]] = {
    "p": _Writer.leave_paragraph,
    **dict.fromkeys(("ul", "ol", "dl", "menu", "dir"), _Writer.leave_list),
    "li": _Writer.leave_item,
    "dd": _Writer.leave_meaning,
    "blockquote": _Writer.leave_quote,
    "figure": _Writer.leave_figure,
}
