"""Reads quotes in Markdown: under a heading such as `# Citas`, or else block quotes."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from studium.concepts.quotes.book import DraftBook, DraftQuote
from studium.concepts.quotes.markdown_blocks import MarkdownBlock, NumberedLine, parse_blocks
from studium.concepts.quotes.markers import (
    SplitText,
    is_quotes_heading,
    join_lines,
    labelled_note,
    marker_pattern,
    page_reference_of,
    split_page_reference,
    strip_quote_marks,
)
from studium.core.documents.files import display_path
from studium.core.documents.markdown import split_frontmatter
from studium.core.domain.finding import Finding

_CALLOUT = re.compile(r"\[!([\w-]+)\][+-]?[ \t]*(.*)")
_QUOTE_CALLOUTS = frozenset({"quote", "cite", "quotes", "highlight", "abstract", "summary"})
_TAGS = re.compile(r"(?:#[^\s#]+\s*)+")
_SIGNED = re.compile(r"\s*(?:[—–―]|--)\s*(\S.{0,120})")
_SIGNED_WITHIN = re.compile(r"(.*[\"”»*_])\s*(?:[—–―]|--?)\s*([^\"”»]{1,80})", re.DOTALL)
_CLOSED = re.compile(r"[.!?…\"”»’。！？」)\]]$")
_BEGINS = re.compile(r"[\W_]*[A-ZÀ-ÖØ-Þ\u3040-\u9fff]|[\"“«¿¡—]")
_LABEL = 80


class QuoteCollector:
    """Collects the quotes from the blocks of a text."""

    def __init__(self, names: Sequence[str] = (), *, only_quoted: bool = False) -> None:
        """`names` are those with which quotes may be signed; `only_quoted` takes nothing but block quotes."""
        self.drafts: list[DraftQuote] = []
        self._names = [name.casefold() for name in names if name]
        self._only_quoted = only_quoted
        self._section = ""
        self._leading = ""
        self._heard = False

    def start_section(self, section: str, place: str = "") -> None:
        """Start another section; its heading may name the page of what follows."""
        self._section, self._leading, self._heard = section, place, False

    def add_block(self, piece: MarkdownBlock) -> None:
        """Keep the quotes in a piece."""
        if piece.kind == "item":
            self._take_item(piece)
        elif piece.kind == "fenced":
            self._keep(piece.line, "\n".join(text for lines in piece.paragraphs for _, text in lines))
        elif callout := _CALLOUT.match(piece.words) if piece.kind == "quote" else None:
            self._take_callout(piece, callout[1].lower())
        else:
            self._take_paragraphs(piece.paragraphs, quoted=piece.kind == "quote")

    def _take_callout(self, piece: MarkdownBlock, kind: str) -> None:
        number, first = piece.paragraphs[0].pop(0)
        title = _CALLOUT.match(first.strip())
        named = title[2].strip() if title else ""
        paragraphs = [lines for lines in piece.paragraphs if lines]
        if kind not in _QUOTE_CALLOUTS and self._heard:
            said = "\n\n".join(join_lines([text for _, text in lines]) for lines in paragraphs)
            self.drafts[-1].add_note(f"{named}\n\n{said}".strip())
            return
        self._take_paragraphs(paragraphs or [[(number, named)]], quoted=True)
        if paragraphs and named and self.drafts:
            place = page_reference_of(named)
            self.drafts[-1].place = place or self.drafts[-1].place
            if not place and named.casefold() not in self._names:
                self.drafts[-1].add_note(named)

    def _take_item(self, piece: MarkdownBlock) -> None:
        if self._only_quoted:
            self._note_under(piece)
        elif _is_label(piece):
            section = self._section
            self.start_section(f"{section} > {piece.words}" if section else piece.words)
            for item in piece.under:
                self._take_item(item)
            self.start_section(section)
        else:
            self._take_paragraphs(piece.paragraphs, quoted=True)
            for item in piece.under:
                self._take_under(item)

    def _take_under(self, item: MarkdownBlock) -> None:
        """Below a quote may be its page, its note, or another quote, which has a page or quotation marks."""
        placed = split_page_reference(item.words)
        is_quote = placed.text and (placed.place or strip_quote_marks(placed.text) != placed.text)
        if (is_quote and labelled_note(item.words) is None) or page_reference_of(item.words) or not self._heard:
            self._take_item(item)
            return
        note = "\n\n".join(join_lines([text for _, text in lines]) for lines in item.paragraphs)
        self.drafts[-1].add_note(labelled_note(note) or note)
        for below in item.under:
            self._take_under(below)

    def _note_under(self, piece: MarkdownBlock) -> None:
        """Among block quotes, a list item is a note only if it says so."""
        for item in (piece, *piece.under):
            if self._heard and (place := page_reference_of(item.words)):
                self.drafts[-1].place = self.drafts[-1].place or place
            elif self._heard and (note := labelled_note(item.words)):
                self.drafts[-1].add_note(note)

    def _take_paragraphs(self, paragraphs: list[list[NumberedLine]], *, quoted: bool) -> None:
        signature = self._signature_of(paragraphs) if paragraphs else ""
        for part in _parts(paragraphs):
            text = "\n\n".join(join_lines([line for _, line in lines]) for lines in part)
            if quoted or not self._only_quoted or self._belongs_to_last(text):
                self._keep(part[0][0][0], text)
        if signature and self._heard:
            self._place_last(split_page_reference(signature).place)

    def _signature_of(self, paragraphs: list[list[NumberedLine]]) -> str:
        """The line that signs a quote, taken from under it."""
        lines = paragraphs[-1]
        is_last = sum(map(len, paragraphs)) > 1 and self._is_signature(lines[-1][1])
        signature = lines.pop()[1] if is_last else ""
        if not lines:
            paragraphs.pop()
        return signature

    def _belongs_to_last(self, text: str) -> bool:
        return self._heard and bool(page_reference_of(text) or labelled_note(text) or self._is_signature(text))

    def _keep(self, line: int, text: str) -> None:
        if place := page_reference_of(text):
            self._place_last(place)
        elif self._heard and (note := labelled_note(text)):
            self.drafts[-1].add_note(note)
        elif self._heard and _TAGS.fullmatch(text):
            self.drafts[-1].add_note(text)
        elif self._heard and self._is_signature(text):
            self._place_last(split_page_reference(text).place)
        else:
            self._add(line, split_page_reference(text))

    def _place_last(self, place: str) -> None:
        """A page below a quote belongs to that quote; one before the first quote to all until the next page."""
        if not self._heard or self._leading:
            self._leading = place
        elif not self.drafts[-1].place:
            self.drafts[-1].place = place
        elif place and place != self.drafts[-1].place:
            self.drafts[-1].place += f", {place}"

    def _add(self, line: int, placed: SplitText) -> None:
        text = strip_quote_marks(self._unsigned(placed.text))
        if text:
            self.drafts.append(DraftQuote(text, line, self._section, placed.place or self._leading, placed.beside))
            self._heard = True

    def _unsigned(self, text: str) -> str:
        """A quote in quotation marks without the name that follows them."""
        signed = _SIGNED_WITHIN.fullmatch(text) if self._names else None
        return signed[1] if signed and any(name in signed[2].casefold() for name in self._names) else text

    def _is_signature(self, text: str) -> bool:
        """Whether a line signs a quote with the name of the author or of the book."""
        signed = _SIGNED.fullmatch(text)
        return signed is not None and any(name in signed[1].casefold() for name in self._names)


def _is_label(piece: MarkdownBlock) -> bool:
    """Whether an item only names what its items are quoted from, as `Chapter 1` does."""
    words = piece.words
    if not piece.under or len(words) > _LABEL or _CLOSED.search(words) or split_page_reference(words).place:
        return False
    said = [
        item.words for item in piece.under if labelled_note(item.words) is None and not page_reference_of(item.words)
    ]
    return len(said) > 1 or any(split_page_reference(words).place for words in said)


def _parts(paragraphs: list[list[NumberedLine]]) -> Iterator[list[list[NumberedLine]]]:
    """The quotes in a run of paragraphs: a page ends a quote where another quote begins after it."""
    part: list[list[NumberedLine]] = []
    for lines in paragraphs:
        part.append([])
        for at, line in enumerate(lines):
            part[-1].append(line)
            following = lines[at + 1][1] if at + 1 < len(lines) else ""
            if following and _ends_quote(line[1], following):
                yield [kept for kept in part if kept]
                part = [[]]
        if lines is not paragraphs[-1] and part[-1] and _has_place(part[-1][-1][1]):
            yield part
            part = []
    if any(part):
        yield [kept for kept in part if kept]


def _has_place(text: str) -> bool:
    return bool(page_reference_of(text) or split_page_reference(text).place)


def _ends_quote(text: str, following: str) -> bool:
    """Whether a quote ends within a paragraph: with its page, or with the closing of its quotation marks."""
    bare, following = text.strip(), following.strip()
    if page_reference_of(text) or page_reference_of(following) or labelled_note(following):
        return True
    if not _BEGINS.match(following):
        return False
    if strip_quote_marks(bare) != bare and strip_quote_marks(following) != following:
        return True
    placed = split_page_reference(text)
    return bool(placed.place) and (placed.bracketed or bool(_CLOSED.search(placed.text)))


_MEANT = re.compile(r"\s{0,3}(?:#{1,6}\w[^#]*+|\*\*[^*]+\*\*:?|__[^_]+__:?|[^\W\d_]+:)\s*")
_LINK = re.compile(r"\[\[(?:[^\]|]{0,500}\|)?([^\]]{0,500})\]\]|\[([^\]]{0,500})\]\([^)]{0,1000}\)")


class _Scope(NamedTuple):
    """The pieces under a heading that says that quotes follow."""

    level: int
    over: str
    pieces: Sequence[MarkdownBlock]


def read_markdown(text: str, path: Path) -> tuple[DraftBook, tuple[Finding, ...]]:
    """The book that a Markdown file quotes, and what is wrong with its frontmatter."""
    frontmatter = split_frontmatter(text, display_path(path))
    pieces = _pieces(text.split("\n"), frontmatter.body_line)
    book = _headed(frontmatter.values, pieces, path)
    scopes = list(_scopes(pieces))
    collector = QuoteCollector((book.author, *book.author.split()[-1:], book.title), only_quoted=not scopes)
    if scopes:
        _collect_scopes(collector, scopes)
    else:
        _collect(collector, _without_title(pieces), 0)
    book.drafts = collector.drafts
    book.text = text
    return book, frontmatter.findings


def _pieces(lines: list[str], first: int) -> list[MarkdownBlock]:
    """The blocks of a text; if no heading names quotes, a line such as `#Citas` or `**Citas**` counts as one."""
    pieces = parse_blocks(lines, first)
    if any(piece.kind == "heading" and is_quotes_heading(piece.words) for piece in pieces):
        return pieces
    meant = [at for at, line in enumerate(lines) if _MEANT.fullmatch(line) and is_quotes_heading(line)]
    return parse_blocks(
        [f"# {line.strip(' #*_:')}" if at in meant[:1] else line for at, line in enumerate(lines)], first
    )


def _collect_scopes(collector: QuoteCollector, scopes: list[_Scope]) -> None:
    """Where several chapters have their own quotes, the chapter is the section."""
    chapters = len({scope.over for scope in scopes}) > 1
    for scope in scopes:
        _collect(collector, scope.pieces, scope.level, scope.over if chapters else "")


def _collect(collector: QuoteCollector, pieces: Sequence[MarkdownBlock], level: int, over: str = "") -> None:
    trail = [(level, over)] if over else []
    collector.start_section(over)
    for piece in pieces:
        if piece.kind != "heading":
            collector.add_block(piece)
            continue
        place = page_reference_of(piece.words)
        trail = [above for above in trail if above[0] < piece.level or above == (level, over)]
        if not place:
            trail.append((piece.level, _plain(piece.words)))
        collector.start_section(" > ".join(title for _, title in trail if title), place)


def _scopes(pieces: Sequence[MarkdownBlock]) -> Iterator[_Scope]:
    at, trail = 0, list[MarkdownBlock]()
    while at < len(pieces):
        piece = pieces[at]
        at += 1
        if piece.kind != "heading":
            continue
        trail = [above for above in trail if above.level < piece.level]
        if is_quotes_heading(piece.words):
            end = _end(pieces, at, piece.level)
            over = _plain(trail[-1].words) if trail else ""
            yield _Scope(piece.level, over, pieces[at:end])
            at = end
        trail.append(piece)


def _end(pieces: Sequence[MarkdownBlock], at: int, level: int) -> int:
    """Where the quotes end: at the next heading of this level, unless chapters have the level of `## Highlights`."""
    if level > 1 and at < len(pieces) and pieces[at].kind == "heading" and not is_quotes_heading(pieces[at].words):
        level = min(level, pieces[at].level) - 1 if pieces[at].level == level else level
    headings = (i for i in range(at, len(pieces)) if pieces[i].kind == "heading" and pieces[i].level <= level)
    return next(headings, len(pieces))


def _without_title(pieces: Sequence[MarkdownBlock]) -> Sequence[MarkdownBlock]:
    """The top heading is not a section."""
    highest = [piece for piece in pieces if piece.kind == "heading" and piece.level == 1]
    return [piece for piece in pieces if piece is not highest[0]] if len(highest) == 1 else pieces


def _headed(values: dict[str, Any], pieces: Sequence[MarkdownBlock], path: Path) -> DraftBook:
    """Title and author: from the frontmatter, the list of facts at the top, the first heading or the file name."""
    fields = {key.casefold().replace("_", " "): value for key, value in values.items()}
    top = _before_quotes(pieces)
    facts = dict(_facts(top))
    heading = next((_plain(piece.words) for piece in top if piece.kind == "heading" and piece.level == 1), "")
    author_of_file, _, title_of_file = path.stem.rpartition(" - ")
    if heading and author_of_file.casefold() == heading.casefold():
        author_of_file, title_of_file = title_of_file, author_of_file
    title = _field(fields, ("full title", "title", "book", "título", "titulo", "titel", "titre", "titolo", "libro"))
    author = _field(fields, ("author", "authors", "autor", "autora", "autores", "auteur", "autore"))
    return DraftBook(
        title or facts.get("title") or heading or title_of_file.strip(),
        author or facts.get("author") or author_of_file.strip(),
    )


def _before_quotes(pieces: Sequence[MarkdownBlock]) -> Sequence[MarkdownBlock]:
    first = (at for at, piece in enumerate(pieces) if piece.kind == "heading" and is_quotes_heading(piece.words))
    return pieces[: next(first, len(pieces))]


def _facts(pieces: Sequence[MarkdownBlock]) -> Iterator[tuple[str, str]]:
    """`- Author: [[Henry David Thoreau]]` and the like."""
    patterns = {
        "author": re.compile(
            rf"[*_]{{0,3}}{marker_pattern('author_fields')}[*_]{{0,3}}\s{{0,5}}:+[*_]{{0,3}}\s*(\S.*)", re.IGNORECASE
        ),
        "title": re.compile(
            rf"[*_]{{0,3}}(?:full )?{marker_pattern('title_fields')}[*_]{{0,3}}\s{{0,5}}:+[*_]{{0,3}}\s*(\S.*)",
            re.IGNORECASE,
        ),
    }
    for piece in pieces:
        for _, line in (line for lines in piece.paragraphs for line in lines if piece.kind in {"item", "text"}):
            for key, pattern in patterns.items():
                if match := pattern.fullmatch(line.strip()):
                    yield key, _plain(match[1])


def _field(fields: dict[str, Any], names: Sequence[str]) -> str:
    value = next((fields[name] for name in names if fields.get(name)), "")
    return _plain(", ".join(map(str, value)) if isinstance(value, list) else str(value))


def _plain(words: str) -> str:
    """Words without links and emphasis."""
    return _LINK.sub(lambda link: link[1] or link[2] or "", words).strip(" *_\t")
