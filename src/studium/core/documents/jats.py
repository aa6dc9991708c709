"""Read JATS articles: rewrite the XML as HTML elements, with the metadata in front, and write it as a page."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from studium.core.documents.html import html_page
from studium.core.documents.markup.inline_text import BLOCKS, IGNORED_TAG, inline_text, strip_tex
from studium.core.documents.markup.page_builder import DocumentContents, ReadRemark, read_markup_document
from studium.core.documents.markup.page_writer import write_page
from studium.core.documents.markup.parsing import parse_xml
from studium.core.documents.registry import ReadResult
from studium.core.domain.finding import Severity

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_WRITERS = ("author", None)
_ELECTRONIC = ("epub", "electronic", "pub")
_DATE_PARTS = ("year", "month", "day")


def rewrite_front_matter(front: "Element") -> None:
    """Reduce an article's metadata to the title, one line for each field, and the abstracts."""
    from lxml import etree

    title, lines = _title(front), list(_facts(front))
    abstracts = list(front.iter("abstract", "trans-abstract"))
    for child in front:
        child.tag = IGNORED_TAG
    if title and (article := front.getparent()) is not None:
        heading = etree.Element("title")
        heading.text = title
        article.insert(article.index(front), heading)
    for line in lines:
        etree.SubElement(front, "p").text = line
    for abstract in abstracts:
        abstract.tail = None
        front.append(abstract)
        if not any(child.tag == "title" for child in abstract):
            heading = etree.Element("title")
            heading.text = "Abstract"
            abstract.insert(0, heading)


def _title(front: "Element") -> str:
    group = next(front.iter("title-group"), front)
    title = next((inline_text(each) for each in group.iter("article-title")), "")
    subtitle = next((inline_text(each) for each in group.iter("subtitle")), "")
    return f"{title}: {subtitle}" if title and subtitle else title


def _facts(front: "Element") -> Iterator[str]:
    if authors := [name for each in front.iter("contrib") if (name := _name(each))]:
        yield f"Authors: {', '.join(dict.fromkeys(authors))}"
    if journal := next((inline_text(each) for each in front.iter("journal-title", "abbrev-journal-title")), ""):
        yield f"Journal: {journal}"
    if published := _published(front):
        yield f"Published: {published}"
    group = next(front.iter("kwd-group"), front)
    if keywords := [said for each in group.iter("kwd") if (said := inline_text(each))]:
        yield f"Keywords: {', '.join(keywords)}"


def _name(contributor: "Element") -> str:
    """An author's full name; empty for editors and others."""
    if contributor.get("contrib-type") not in _WRITERS:
        return ""
    found = next(contributor.iter("name", "string-name", "collab"), None)
    if found is None:
        return ""
    parts = {child.tag: inline_text(child) for child in found}
    if found.tag == "collab" or "surname" not in parts:
        return inline_text(found)
    order = ["prefix", "given-names", "surname", "suffix"]
    if found.get("name-style") == "eastern":
        order = ["surname", "given-names"]
    return " ".join(parts[part] for part in order if parts.get(part))


def _published(front: "Element") -> str:
    """The publication date: the most complete one, preferably electronic."""
    dates = [
        (len(parts), any(each.get(name) in _ELECTRONIC for name in ("pub-type", "date-type")), parts)
        for each in front.iter("pub-date")
        if (parts := [inline_text(part) for name in _DATE_PARTS for part in each.findall(name)])
    ]
    if not dates:
        return next((inline_text(each) for each in front.iter("string-date")), "")
    _, _, parts = max(dates, key=lambda date: date[:2])
    if all(re.fullmatch(r"\d+", part) for part in parts):
        return "-".join(part.zfill(2) for part in parts)
    return " ".join(reversed(parts))


_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("sec", "abstract", "trans-abstract", "ack", "app", "front", "front-stub", "statement"), "section"),
    **dict.fromkeys(("disp-formula", "supplementary-material", "media", "verse-line", "attrib", "def-item"), "div"),
    **dict.fromkeys(("fn", "boxed-text"), "aside"),
    **dict.fromkeys(("fig", "fig-group", "table-wrap", "table-wrap-group"), "figure"),
    **dict.fromkeys(("ref-list", "inline-graphic", "object-id", "permissions", "alt-text", "long-desc"), IGNORED_TAG),
    **dict.fromkeys(("processing-meta", "related-article", "related-object", "sec-meta"), IGNORED_TAG),
    "itemizedlist": "ul",
    **dict.fromkeys(("list-item", "listitem"), "li"),
    **dict.fromkeys(("preformat", "programlisting", "screen"), "pre"),
    **dict.fromkeys(("para", "simpara", "subtitle"), "p"),
    "orderedlist": "ol",
    "def-list": "dl",
    "term": "dt",
    "def": "dd",
    "disp-quote": "blockquote",
    "break": "br",
    "row": "tr",
    "entry": "td",
}
# These stay inline even without text beside them.
_INLINE = frozenset(
    {"a", "abbrev", "b", "bold", "br", "chem-struct", "code", "em", "email", "ext-link", "fixed-case", "i", "img"}
    | {"inline-formula", "italic", "label", "math", "monospace", "named-content", "overline", "roman", "sans-serif"}
    | {"sc", "small", "span", "strike", "strong", "styled-content", "sub", "sup", "tt", "u", "underline", "uri", "xref"}
)
_LINES = frozenset(
    {
        "p",
        "para",
        "title",
        "label",
        "dt",
        "td",
        "th",
        "term",
        "entry",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "pre",
        "math",
    }
)
_FIGURES = ("fig", "fig-group", "table-wrap", "table-wrap-group", "figure")
_NO_PARTS = frozenset(["caption", "list", "def-list", "table", *_FIGURES])
_NUMBERED = re.compile(r"order|alpha|roman")
_NUMBER = re.compile(r"\(?(\d{1,8})[.)]?")
_LABEL_END = (".", ":", "–", "—", ")")
_DEEPEST_HEADING = 6
# A label is followed by what it labels, so only the first elements of a section are looked at.
_FIRST_PARTS = 20
# Our own mark for a section that has its label: a second one is a paragraph.
_LABELLED = "studium-labelled"


def convert_to_html(root: "Element") -> None:
    """Rename the elements of an article, or of any XML, in place."""
    _set_apart(root)
    for element in list(root.iter(*_SPECIAL)):
        # An element may have been renamed meanwhile: of several alternatives one is kept.
        if place := _SPECIAL.get(str(element.tag)):
            place(element)
    _name_titles(root)
    for element in root.iter("*"):
        element.tag = _NAMES.get(str(element.tag), element.tag)


def _set_apart(root: "Element") -> None:
    """Make unknown elements blocks, unless they are within text."""
    known = _INLINE | BLOCKS | {IGNORED_TAG, *_NAMES, *_SPECIAL}
    for parent in root.iter("*"):
        if parent.tag in _LINES or (parent.text or "").strip() or any((child.tail or "").strip() for child in parent):
            continue
        for child in parent:
            if child.tag not in known:
                child.tag = "div"


def _name_titles(root: "Element") -> None:
    """Set a title's level by the number of titled sections around it; the article is the first."""
    titles = [(title, part) for title in root.iter("title") if (part := title.getparent()) is not None]
    titled = {part for _, part in titles if part.tag not in _NO_PARTS}
    for title, part in titles:
        if part in titled:
            sections = (around for around in title.iterancestors() if around in titled)
            title.tag = f"h{sum(1 for _ in islice(sections, _DEEPEST_HEADING))}"
        elif part.tag in ("table", "figure"):
            title.tag = "caption" if part.tag == "table" else "figcaption"
        elif part.tag != "caption":
            title.tag = "p"


def _place_label(label: "Element") -> None:
    """Put a label before its title, caption or note."""
    part = label.getparent()
    if part is None:
        return
    said = inline_text(label)
    if part.tag in ("list-item", "li") and _number_item(part, said):
        label.tag = IGNORED_TAG
    elif part.tag == "disp-formula":
        label.text, label.tail = f" {said}", f" {label.tail or ''}"
    elif not part.get(_LABELLED) and (target := _labelled(part)) is not None:
        part.set(_LABELLED, "yes")
        plain = part.tag in ("fn", "list-item", "li") or said.endswith(_LABEL_END)
        target.text = f"{said} {target.text or ''}" if plain else f"{said}. {target.text or ''}"
        label.tag = IGNORED_TAG
    else:
        part.set(_LABELLED, "yes")
        label.tag = "figcaption" if part.tag in _FIGURES else "p"


def _number_item(item: "Element", label: str) -> bool:
    """Number a list item by its label; returns whether the label is only a number or a bullet."""
    number, around = _NUMBER.fullmatch(label), item.getparent()
    if number and around is not None:
        item.set("value", number[1])
        around.tag = "ol"
    return bool(number) or not re.search(r"\w", label)


def _labelled(part: "Element") -> "Element | None":
    """The element that gets the label of a section."""
    found = next((child for child in islice(part, _FIRST_PARTS) if child.tag in ("title", "caption", "p")), None)
    while found is not None and found.tag == "caption" and part.tag not in _FIGURES:
        found = next((child for child in found if child.tag in ("title", "p")), None)
    return found


def _place_caption(caption: "Element") -> None:
    part = caption.getparent()
    if part is not None and part.tag in _FIGURES:
        caption.tag = "figcaption"
    elif part is None or part.tag != "table":
        caption.tag = "div"


def _place_graphic(graphic: "Element") -> None:
    part = graphic.getparent()
    said = graphic.find("alt-text")
    if said is None and part is not None:
        said = part.find("alt-text")
    graphic.set("src", next((value for name, value in graphic.items() if name.endswith("href")), ""))
    graphic.set("alt", "" if said is None else inline_text(said))
    graphic.tag = "img"


def _choose(alternatives: "Element") -> None:
    """Of several alternatives, keep the one with the most text."""
    forms = {child.tag: child for child in reversed(alternatives)}
    best = next((forms[form] for form in ("tex-math", "table", "math", "graphic") if form in forms), None)
    for child in alternatives:
        if best is not None and child is not best:
            child.tag = IGNORED_TAG


def _place_tex(formula: "Element") -> None:
    formula.set("alttext", strip_tex(formula.text or ""))
    formula.tag = "math"


def _place_list(listing: "Element") -> None:
    listing.tag = "ol" if _NUMBERED.match(listing.get("list-type") or "") else "ul"


def _place_code(code: "Element") -> None:
    code.tag = "pre" if "\n" in (code.text or "") else "code"


def _place_table(wrap: "Element") -> None:
    wrap.set("role", "table")


def _place_thanks(thanks: "Element") -> None:
    from lxml import etree

    if thanks.find("title") is None:
        heading = etree.Element("title")
        heading.text = "Acknowledgements"
        thanks.insert(0, heading)


_SPECIAL: Mapping[str, Callable[["Element"], None]] = {
    "label": _place_label,
    "caption": _place_caption,
    "graphic": _place_graphic,
    "alternatives": _choose,
    "tex-math": _place_tex,
    "list": _place_list,
    "code": _place_code,
    "table-wrap": _place_table,
    "ack": _place_thanks,
}


_NOT_JATS = ReadRemark(
    Severity.INFO, "not_jats", "This XML is not a JATS article: all of its text is read, one paragraph per element."
)


def read(path: Path, *, max_bytes: int) -> ReadResult:
    """Read an article; unsafe or broken parts become findings, and no other file is read."""
    return read_markup_document(path, max_bytes, _contents)


def _contents(data: bytes) -> DocumentContents:
    root = parse_xml(data)
    if root.tag == "html":
        return DocumentContents("html", (html_page(root),))
    articles = [article for article in root.iter("article") if _is_article(article)]
    if not articles:
        convert_to_html(root)
        return DocumentContents("xml", (write_page(root),), (_NOT_JATS,))
    for article in articles:
        for front in list(article.iter("front", "front-stub")):
            rewrite_front_matter(front)
        convert_to_html(article)
    return DocumentContents("jats", tuple(write_page(article) for article in articles))


def _is_article(element: "Element") -> bool:
    """Whether this is a whole article, not one within another."""
    holds_one = any(child.tag in ("front", "body") for child in element)
    return holds_one and next(element.iterancestors("article"), None) is None
