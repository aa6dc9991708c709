"""Tell what belongs to a site, and not to the page: menus, breadcrumbs, contents, `Prev` and `Next`, footers."""

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from lxml.etree import _Element as Element

_ROLES = frozenset(
    {"navigation", "banner", "contentinfo", "complementary", "search", "dialog", "menu", "menubar", "toolbar"}
    | {"directory", "doc-toc", "doc-pagelist", "doc-index"}
)
_CLASSES = frozenset(
    {"headerlink", "mw-editsection", "noprint", "linenos", "lineno", "gutter", "skip-link"}
    | {
        "navheader",
        "navfooter",
        "docnav",
        "sphinxsidebar",
        "sphinxsidebarwrapper",
        "breadcrumb",
        "breadcrumbs",
        "pagination",
    }
)
_PARTS = ("main", "article", "section", "blockquote", "figure")
_NOTE = re.compile(r"note|admonition|tip|warning|important|caution|example", re.IGNORECASE)
_CONTENTS = r"toc\d?|toctree(?:-wrapper)?|table-?of-?contents|contents|list-?of-?(?:tables|figures|examples)"
# What such parts are called. Most of these words name other things too, so that links decide; of some, a short part is
# enough, and a box beside the text, or a header in it, needs more links.
_LITTLE = (
    r"bread[-_]?crumbs?|pager|prev[-_]?next|(?:(?:site|page)[-_]?)?footer|masthead|banner|cookies?(?:[-_]\w+)?|consent"
    r"|gdpr|social|subscribe|newsletter|search(?:-?(?:box|form))?|last-?updated|edit-?(?:page|link)"
    r"|skip-?(?:nav|to-?content)"
)
_BOXES = r"side-?bar|(?:(?:site|page)[-_]?)?header|share"
_NAMES = re.compile(
    rf"(?P<little>{_LITTLE})|(?P<box>{_BOXES})|{_CONTENTS}|hd|ft|related(?:-(?:links|pages|posts))?"
    r"|(?:site|page|main|top|bottom|global|local|doc|side|sub)?[-_]?(?:nav(?:bar|igation|links?)?|menu)",
    re.IGNORECASE,
)
_CONTENTS_NAMES = re.compile(_CONTENTS, re.IGNORECASE)
_NEXT = re.compile(
    r"\W*(?:prev(?:ious)?|next|up|home|top|(?:table of )?contents|index|back|zurück|weiter|nach oben|zum anfang"
    r"|anterior|siguiente|subir|inicio|précédent|suivant|retour|前のページ|次のページ|上に戻る|ホーム|戻る|次へ|[«»←→<>])\W*",
    re.IGNORECASE,
)
_NEXT_RELATIONS = frozenset({"prev", "previous", "next", "up", "start", "home", "contents"})
# The least share of letters in links; and the letters of a part that is short, of one that is a line of links, and of
# what is beside its links.
_LINKED = 0.3
_MOSTLY_LINKED = 0.6
_ALL_LINKED = 0.9
_SHORT = 250
_LINE = 300
_BESIDE = 60
_FEWEST_LINKS = 4
_HIGHEST = 6
_LISTS = frozenset({"ul", "ol", "dl", "table"})


class TextMeasure(NamedTuple):
    """The letters of an element, those in links, its links, those within the page, and its main headings."""

    letters: int = 0
    linked: int = 0
    links: int = 0
    local: int = 0
    titles: int = 0

    def __add__(self, other: object) -> "TextMeasure":
        return TextMeasure(*map(sum, zip(self, other, strict=True))) if isinstance(other, TextMeasure) else self


class PageMeasures:
    """How much text, and how much of it in links, each element of a page has."""

    def __init__(self, body: "Element", ignored: "Collection[str]") -> None:
        self._of: dict[Element, TextMeasure] = {}
        self._measure(body, ignored)
        self.titles = self.of(body).titles
        self._passing = set(_lines_of_links(body, self))

    def of(self, element: "Element") -> TextMeasure:
        """The measure of an element."""
        return self._of.get(element, TextMeasure())

    def _measure(self, body: "Element", ignored: "Collection[str]") -> None:
        from lxml import etree

        open_counts: list[list[int]] = []
        in_links = 0
        walk = etree.iterwalk(body, events=("start", "end"))
        for event, node in walk:
            if event == "start":
                is_link = node.tag == "a" and node.get("href") is not None
                in_links += is_link
                letters = 0 if node.tag in ignored else len((node.text or "").strip())
                local = is_link and node.get("href", "").startswith("#")
                open_counts.append([letters, letters * (in_links > 0), int(is_link), int(local), int(node.tag == "h1")])
                if node.tag in ignored:
                    walk.skip_subtree()
                continue
            in_links -= node.tag == "a" and node.get("href") is not None
            counts = open_counts.pop()
            self._of[node] = TextMeasure(*counts)
            if open_counts:
                above, tail = open_counts[-1], len((node.tail or "").strip())
                above[:] = map(sum, zip(above, counts, strict=True))
                above[0] += tail
                above[1] += tail * (in_links > 0)

    def is_navigation(self, element: "Element") -> bool:
        """Whether an element belongs to the site and not to the page."""
        classes, role = (element.get("class") or "").split(), element.get("role") or ""
        if role in _ROLES or _CLASSES.intersection(classes) or element in self._passing:
            return True
        if element.tag in ("header", "footer"):
            return next(element.iterancestors(*_PARTS), None) is None
        if element.tag == "aside" and not _NOTE.search(" ".join([*classes, role])):
            return True
        return self._is_named(element, _NAMES) or self._is_list_of_sections(element)

    def is_contents(self, element: "Element") -> bool:
        """Whether an element is a table of contents."""
        return self._is_named(element, _CONTENTS_NAMES) or self._is_list_of_sections(element)

    def _is_named(self, element: "Element", names: re.Pattern[str]) -> bool:
        named = [*(element.get("class") or "").split(), element.get("id") or ""]
        found = [match.groupdict() for name in named if (match := names.fullmatch(name))]
        measure = self.of(element)
        is_whole_page = measure.titles and measure.titles == self.titles
        if not found or is_whole_page or element.tag in ("body", "main", "article"):
            return False
        if measure.letters < _SHORT and any(name.get("little") for name in found):
            return True
        least = _MOSTLY_LINKED if all(name.get("box") for name in found) else _LINKED
        return measure.linked > least * measure.letters

    def _is_list_of_sections(self, element: "Element") -> bool:
        """Whether a list has nothing but links to places in the page."""
        if element.tag not in _LISTS:
            return False
        measure = self.of(element)
        are_links = measure.linked > _ALL_LINKED * measure.letters and measure.local == measure.links
        return are_links and measure.links >= _FEWEST_LINKS


def _lines_of_links(body: "Element", measures: PageMeasures) -> "Iterator[Element]":
    """The elements around `Prev` and `Next` that have little else in them."""
    for link in body.iter("a"):
        is_next = link.get("rel") in _NEXT_RELATIONS or _NEXT.fullmatch((link.text or "").strip() or ".")
        if not is_next or link.get("href", "").startswith("#"):
            continue
        highest = None
        for _, above in zip(range(_HIGHEST), link.iterancestors(), strict=False):
            measure = measures.of(above)
            is_line = measure.letters < _LINE and measure.letters - measure.linked < _BESIDE and measure.links > 1
            if above is body or measure.titles or measure.letters >= _LINE:
                break
            highest = above if is_line else highest
        if highest is not None:
            yield highest
