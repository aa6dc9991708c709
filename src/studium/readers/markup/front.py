"""What stands before an article's text: its title, who wrote it, where and when it appeared, and its abstract."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from studium.readers.markup.words import GONE, words

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_WRITERS = ("author", None)
_ELECTRONIC = ("epub", "electronic", "pub")
_DATE_PARTS = ("year", "month", "day")


def rewrite_front(front: "Element") -> None:
    """Leave of an article's metadata what a reader sees: the title, a line for each fact, and the abstracts."""
    from lxml import etree

    title, lines = _title(front), list(_facts(front))
    abstracts = list(front.iter("abstract", "trans-abstract"))
    for child in front:
        child.tag = GONE
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
    title = next((words(each) for each in group.iter("article-title")), "")
    subtitle = next((words(each) for each in group.iter("subtitle")), "")
    return f"{title}: {subtitle}" if title and subtitle else title


def _facts(front: "Element") -> Iterator[str]:
    if authors := [name for each in front.iter("contrib") if (name := _name(each))]:
        yield f"Authors: {', '.join(dict.fromkeys(authors))}"
    if journal := next((words(each) for each in front.iter("journal-title", "abbrev-journal-title")), ""):
        yield f"Journal: {journal}"
    if published := _published(front):
        yield f"Published: {published}"
    group = next(front.iter("kwd-group"), front)
    if keywords := [said for each in group.iter("kwd") if (said := words(each))]:
        yield f"Keywords: {', '.join(keywords)}"


def _name(contributor: "Element") -> str:
    """An author's name as it is spoken; editors and the like have none here."""
    if contributor.get("contrib-type") not in _WRITERS:
        return ""
    found = next(contributor.iter("name", "string-name", "collab"), None)
    if found is None:
        return ""
    parts = {child.tag: words(child) for child in found}
    if found.tag == "collab" or "surname" not in parts:
        return words(found)
    order = ["prefix", "given-names", "surname", "suffix"]
    if found.get("name-style") == "eastern":
        order = ["surname", "given-names"]
    return " ".join(parts[part] for part in order if parts.get(part))


def _published(front: "Element") -> str:
    """The day the article appeared: of the dates that say most, the electronic one."""
    dates = [
        (len(parts), any(each.get(name) in _ELECTRONIC for name in ("pub-type", "date-type")), parts)
        for each in front.iter("pub-date")
        if (parts := [words(part) for name in _DATE_PARTS for part in each.findall(name)])
    ]
    if not dates:
        return next((words(each) for each in front.iter("string-date")), "")
    _, _, parts = max(dates, key=lambda date: date[:2])
    if all(re.fullmatch(r"\d+", part) for part in parts):
        return "-".join(part.zfill(2) for part in parts)
    return " ".join(reversed(parts))
