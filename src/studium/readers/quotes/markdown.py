"""Quotes in Markdown: those under a heading such as `# Citas`, or else its block quotes."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from studium.core.documents.files import display_path
from studium.core.documents.markdown import split_frontmatter
from studium.core.domain.finding import Finding
from studium.readers.quotes.book import Draftbook
from studium.readers.quotes.collecting import Collector
from studium.readers.quotes.outline import Piece, outline
from studium.readers.quotes.places import only_place
from studium.readers.quotes.wording import any_of, names_quotes

_MEANT = re.compile(r"\s{0,3}(?:#{1,6}\w[^#]*|\*\*[^*]+\*\*:?|__[^_]+__:?|[^\W\d_]+:)\s*")
_LINK = re.compile(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]|\[([^\]]*)\]\([^)]*\)")


class _Scope(NamedTuple):
    """The pieces under a heading that says that quotes follow."""

    level: int
    over: str
    pieces: Sequence[Piece]


def read_markdown(text: str, path: Path) -> tuple[Draftbook, tuple[Finding, ...]]:
    """The book that a Markdown file quotes, and what is wrong with its frontmatter."""
    frontmatter = split_frontmatter(text, display_path(path))
    pieces = _pieces(text.split("\n"), frontmatter.body_line)
    book = _headed(frontmatter.values, pieces, path)
    scopes = list(_scopes(pieces))
    collector = Collector((book.author, *book.author.split()[-1:], book.title), only_quoted=not scopes)
    if scopes:
        _collect_scopes(collector, scopes)
    else:
        _collect(collector, _without_title(pieces), 0)
    book.drafts = collector.drafts
    book.text = text
    return book, frontmatter.findings


def _pieces(lines: list[str], first: int) -> list[Piece]:
    """The pieces of a text; where no heading names quotes, a line such as `#Citas` or `**Citas**` is taken for one."""
    pieces = outline(lines, first)
    if any(piece.kind == "heading" and names_quotes(piece.words) for piece in pieces):
        return pieces
    meant = [at for at, line in enumerate(lines) if _MEANT.fullmatch(line) and names_quotes(line)]
    return outline([f"# {line.strip(' #*_:')}" if at in meant[:1] else line for at, line in enumerate(lines)], first)


def _collect_scopes(collector: Collector, scopes: list[_Scope]) -> None:
    """Where several chapters have their own quotes, the chapter is the section."""
    chapters = len({scope.over for scope in scopes}) > 1
    for scope in scopes:
        _collect(collector, scope.pieces, scope.level, scope.over if chapters else "")


def _collect(collector: Collector, pieces: Sequence[Piece], level: int, over: str = "") -> None:
    trail = [(level, over)] if over else []
    collector.enter(over)
    for piece in pieces:
        if piece.kind != "heading":
            collector.take(piece)
            continue
        place = only_place(piece.words)
        trail = [above for above in trail if above[0] < piece.level or above == (level, over)]
        if not place:
            trail.append((piece.level, _plain(piece.words)))
        collector.enter(" > ".join(title for _, title in trail if title), place)


def _scopes(pieces: Sequence[Piece]) -> Iterator[_Scope]:
    at, trail = 0, list[Piece]()
    while at < len(pieces):
        piece = pieces[at]
        at += 1
        if piece.kind != "heading":
            continue
        trail = [above for above in trail if above.level < piece.level]
        if names_quotes(piece.words):
            end = _end(pieces, at, piece.level)
            over = _plain(trail[-1].words) if trail else ""
            yield _Scope(piece.level, over, pieces[at:end])
            at = end
        trail.append(piece)


def _end(pieces: Sequence[Piece], at: int, level: int) -> int:
    """Where the quotes end: at the next heading as high, unless chapters stand as high as `## Highlights` itself."""
    if level > 1 and at < len(pieces) and pieces[at].kind == "heading" and not names_quotes(pieces[at].words):
        level = min(level, pieces[at].level) - 1 if pieces[at].level == level else level
    headings = (i for i in range(at, len(pieces)) if pieces[i].kind == "heading" and pieces[i].level <= level)
    return next(headings, len(pieces))


def _without_title(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """The heading over all others is no section."""
    highest = [piece for piece in pieces if piece.kind == "heading" and piece.level == 1]
    return [piece for piece in pieces if piece is not highest[0]] if len(highest) == 1 else pieces


def _headed(values: dict[str, Any], pieces: Sequence[Piece], path: Path) -> Draftbook:
    """Title and author: from the frontmatter, the list of facts on top, the first heading or the file's name."""
    fields = {key.casefold().replace("_", " "): value for key, value in values.items()}
    top = _before_quotes(pieces)
    facts = dict(_facts(top))
    heading = next((_plain(piece.words) for piece in top if piece.kind == "heading" and piece.level == 1), "")
    author_of_file, _, title_of_file = path.stem.rpartition(" - ")
    if heading and author_of_file.casefold() == heading.casefold():
        author_of_file, title_of_file = title_of_file, author_of_file
    title = _field(fields, ("full title", "title", "book", "título", "titulo", "titel", "titre", "titolo", "libro"))
    author = _field(fields, ("author", "authors", "autor", "autora", "autores", "auteur", "autore"))
    return Draftbook(
        title or facts.get("title") or heading or title_of_file.strip(),
        author or facts.get("author") or author_of_file.strip(),
    )


def _before_quotes(pieces: Sequence[Piece]) -> Sequence[Piece]:
    first = (at for at, piece in enumerate(pieces) if piece.kind == "heading" and names_quotes(piece.words))
    return pieces[: next(first, len(pieces))]


def _facts(pieces: Sequence[Piece]) -> Iterator[tuple[str, str]]:
    """`- Author: [[Henry David Thoreau]]` and the like."""
    patterns = {
        "author": re.compile(rf"[*_]*{any_of('author_fields')}[*_]*\s*:+[*_]*\s*(\S.*)", re.IGNORECASE),
        "title": re.compile(rf"[*_]*(?:full )?{any_of('title_fields')}[*_]*\s*:+[*_]*\s*(\S.*)", re.IGNORECASE),
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
