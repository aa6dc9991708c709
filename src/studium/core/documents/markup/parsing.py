"""Parse XML and HTML safely: no other file is read, and nothing expands or repeats itself without limit."""

import codecs
import re
from dataclasses import dataclass
from html import unescape
from html.entities import html5
from itertools import islice
from typing import TYPE_CHECKING

from studium.core.documents.encodings import decode_document
from studium.core.documents.markup.page_builder import ReadRemark, UnreadableDocument
from studium.core.domain.finding import Severity

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# What libxml2 puts into the message after the reason: `, line 3, column 7 (<string>, line 3)`.
_PLACE = re.compile(r",? line \d+, column \d+.*", re.DOTALL)
_DECLARATION = re.compile(rb"""\A(?:\xef\xbb\xbf)?\s*(?:<\?xml(?:[^>]*?encoding\s*=\s*["']([\w.:-]+)["'])?[^>]*\?>)?""")
_CHARSET = re.compile(rb"""<meta[^>]{1,200}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_UNMARKED = {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_FOLDED = re.compile(r"[&%](?!#)[^\s&%;]+;|<")
_PREDEFINED = ("lt", "gt", "amp", "quot", "apos")
_HEAD = 4096
# Encodings that are built into libxml2; others depend on the machine.
_BUILT_IN = frozenset({"utf-8", "utf-16", "utf-16-le", "utf-16-be", "iso8859-1", "ascii"})


MAX_ELEMENTS = 120_000
"""The elements of a document: some hundred bytes and up to twenty microseconds each."""
MAX_ATTRIBUTES = 1_000
"""The attributes of one element: each is compared with all others."""
_LONG_TAG = re.compile(rb"<[^<>]{4000,}+")
_OPENING = re.compile(rb"<(?!/)")
_QUOTED = re.compile(rb""""[^"]*+"|'[^']*+'""")


@dataclass(frozen=True)
class BoundedMarkup:
    """A file up to the limit of elements, the number of elements at most, and a remark if the rest is left out."""

    data: bytes
    elements: int
    remark: ReadRemark | None = None


def bound_elements(data: bytes, room: int = MAX_ELEMENTS) -> BoundedMarkup:
    """The part of a file with so many elements; an element with too many attributes is refused."""
    for tag in _LONG_TAG.finditer(data):
        if len(_QUOTED.sub(b"", tag[0]).split()) > MAX_ATTRIBUTES:
            raise UnreadableDocument(
                "limit", f"An element has more than {MAX_ATTRIBUTES:,} attributes, the limit. Save the file again."
            )
    elements = data.count(b"<") - data.count(b"</")
    if elements <= room:
        return BoundedMarkup(data, elements)
    message = f"There are more than {MAX_ELEMENTS:,} elements, the limit: the rest is left out. Split the file."
    opening = (tag.start() for tag in _OPENING.finditer(data))
    place = next(islice(opening, room, None), len(data))
    return BoundedMarkup(data[:place], room, ReadRemark(Severity.WARNING, "limit", message))


def parse_xml(data: bytes) -> "Element":
    """Parse an XML file; names have no namespace, and entities are replaced by their text."""
    from lxml import etree

    if data.count(b"&") > MAX_ELEMENTS or bound_elements(data).remark:
        raise UnreadableDocument(
            "limit", f"The file has more than {MAX_ELEMENTS:,} elements or entities, the limit. Split it."
        )
    try:
        root = _parse_xml(data)
    except etree.XMLSyntaxError as error:
        if error.code != etree.ErrorTypes.ERR_UNDECLARED_ENTITY:
            raise _refusal(error) from error
        root = _parse_undeclared(data)
    _check_declarations(root, data)
    _expand_entities(root)
    for element in root.iter("*"):
        element.tag = etree.QName(element).localname
    return root


def parse_html_tree(text: str) -> "Element":
    """Parse an HTML file, however broken it is."""
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    if any(error.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for error in parser.error_log):
        raise UnreadableDocument(
            "unsafe", "The page nests its elements thousands of levels deep. Save it again from a browser."
        )
    if root is None:
        raise UnreadableDocument("empty", "The page contains no text. Check that it was saved completely.")
    return root


def decode_html(data: bytes) -> str:
    """Decode a page: by its byte order mark, else as UTF-8, else by its charset, else in the one that is detected."""
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if b"\0" in data:
        encoding = _UNMARKED.get(data[:2], "")
        if not encoding:
            raise UnreadableDocument(
                "broken", f"The page is binary (a NUL at byte {data.index(0)}). Save it again from a browser."
            )
        return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(_named_encoding(data) or _detected_encoding(data), "replace")


def _named_encoding(data: bytes) -> str:
    """The charset that a page declares, if it is not a wrong one; Latin-1 means Windows-1252, as in browsers."""
    found = _CHARSET.search(data, 0, _HEAD) or _DECLARATION.match(data)
    name = _codec(found[1]) if found and found[1] else ""
    return "" if name.startswith("utf-") else "cp1252" if name in ("iso8859-1", "ascii") else name


def _detected_encoding(data: bytes) -> str:
    decoded = decode_document(data)
    return decoded.encoding if decoded else "cp1252"


def _codec(name: bytes) -> str:
    """Python's name for a text encoding; empty if unknown."""
    try:
        codec = codecs.lookup(name.decode("ascii"))
        "".encode(codec.name)
    except LookupError:
        return ""
    return codec.name


def _parse_xml(data: bytes) -> "Element":
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    return etree.fromstring(_in_utf8(data), parser)


def _in_utf8(data: bytes) -> bytes:
    """A file decoded by Python, without its encoding declaration."""
    declared = _DECLARATION.match(data)
    name = _codec(declared[1]) if declared and declared[1] else ""
    if not declared or not name or name in _BUILT_IN:
        return data
    try:
        return data[declared.end() :].decode(name).encode()
    except UnicodeDecodeError:
        return data


def _parse_undeclared(data: bytes) -> "Element":
    """A file that uses entities such as `&nbsp;` without a DOCTYPE, with one added; line numbers stay."""
    from lxml import etree

    head = _DECLARATION.match(data)
    at = head.end() if head else 0
    try:
        return _parse_xml(data[:at] + b'<!DOCTYPE unknown SYSTEM "unknown">' + data[at:])
    except etree.XMLSyntaxError as error:
        raise _refusal(error) from error


def _refusal(error: "SyntaxError") -> UnreadableDocument:
    from lxml import etree

    kinds = etree.ErrorTypes
    code, line = getattr(error, "code", None), error.lineno
    if code in (kinds.ERR_RESOURCE_LIMIT, kinds.ERR_ENTITY_LOOP, kinds.ERR_ENTITY_IS_EXTERNAL):
        message = "The file's entities or elements would expand without limit, or refer to other files"
        return UnreadableDocument("unsafe", f"{message} ({_reason(error)}). It is not read.", line)
    message = f"The XML is broken at line {line}: {_reason(error)}. Fix that line, or export the file again."
    return UnreadableDocument("broken", message, line)


def _reason(error: SyntaxError) -> str:
    return _PLACE.sub("", error.msg or "it is no XML").strip().rstrip(".")


def _check_declarations(root: "Element", data: bytes) -> None:
    """Refuse entities that refer to a file or to other entities; plain text is allowed."""
    declared = root.getroottree().docinfo.internalDTD
    for entity in () if declared is None else declared.iterentities():
        if entity.name in _PREDEFINED or not _is_used(entity.name or "", data):
            continue
        if entity.system_url and entity.content is None:
            message = f"The entity `{entity.name}` refers to another file (`{entity.system_url}`), which is not read."
            raise UnreadableDocument("unsafe", f"{message} Put the text into the file itself.")
        if entity.content and not entity.system_url and _FOLDED.search(entity.content):
            message = f"The entity `{entity.name}` refers to other entities or markup, which is not expanded."
            raise UnreadableDocument("unsafe", f"{message} Write its text where it is used.")


def _is_used(entity: str, data: bytes) -> bool:
    """Whether an entity is used; assumed for UTF-16."""
    return b"\0" in data or any(f"{sign}{entity};".encode() in data for sign in "&%")


def _expand_entities(root: "Element") -> None:
    """Replace each entity by its text: as declared in the file, else as in HTML, else its name.

    Parent by parent, so that a text of a million entities is joined once.
    """
    from lxml.etree import Entity, _Entity

    declared = root.getroottree().docinfo.internalDTD
    own = (
        {} if declared is None else {entity.name: unescape(entity.content or "") for entity in declared.iterentities()}
    )
    around = dict.fromkeys(entity.getparent() for entity in root.iter(Entity))
    for parent in [each for each in around if each is not None]:
        before, pieces = None, [parent.text or ""]
        for child in list(parent):
            if isinstance(child, _Entity):
                pieces += [own.get(child.name) or html5.get(f"{child.name};") or child.text, child.tail or ""]
                parent.remove(child)
            else:
                _set_text_after(before, parent, "".join(pieces))
                before, pieces = child, [child.tail or ""]
        _set_text_after(before, parent, "".join(pieces))


def _set_text_after(before: "Element | None", parent: "Element", text: str) -> None:
    if before is None:
        parent.text = text
    else:
        before.tail = text
