"""A concept's note: its sections, its wording by language, and how it is composed."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypedDict
from unicodedata import category

from studium.concepts.domain import Concept, Content, Quote, Relation, RelationType
from studium.core.domain.decision import PublishedVersion
from studium.core.text.word_lists import load_word_table

SectionRole = Literal["concept", "analysis", "connections", "source", "card"]
SECTION_ROLES: tuple[SectionRole, ...] = ("concept", "analysis", "connections", "source", "card")
LIST_SECTIONS: tuple[SectionRole, ...] = ("connections", "source")


@dataclass(frozen=True)
class NoteItem:
    """A paragraph, link or quote; `sign` is how it is recognised in a note, reworded or not."""

    text: str
    sign: str = ""


@dataclass(frozen=True)
class NoteSection:
    """A heading and its items by key; a `tight` section has no empty lines between items."""

    heading: str
    items: dict[str, NoteItem]
    tight: bool = False

    @property
    def body(self) -> str:
        """The text under the heading."""
        return ("\n" if self.tight else "\n\n").join(item.text for item in self.items.values())

    @property
    def text(self) -> str:
        """The section as it is written."""
        return f"{self.heading}\n\n{self.body}"


@dataclass(frozen=True)
class Note:
    """A concept's note: what its frontmatter says, and its sections in order."""

    header: dict[str, Any]
    sections: dict[SectionRole, NoteSection]

    @property
    def text(self) -> str:
        """The whole file."""
        parts = [f"---\n{yaml_lines(self.header)}---", *(section.text for section in self.sections.values())]
        return "\n\n".join(parts) + "\n"

    @property
    def fields(self) -> dict[str, str]:
        """The note as the database stores it."""
        kept: dict[str, str] = {role: _as_json(_plain(section)) for role, section in self.sections.items()}
        return {"frontmatter": _as_json(self.header)} | kept


def published_note(base: PublishedVersion) -> Note:
    """The note from what the database stored."""
    sections = {role: _section(json.loads(base.fields[role])) for role in SECTION_ROLES if role in base.fields}
    return Note(json.loads(base.fields["frontmatter"]), sections)


def yaml_lines(values: dict[str, Any]) -> str:
    """Values as the lines of a frontmatter."""
    import yaml

    return yaml.dump(values, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=2**31 - 1)


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


class StoredSection(TypedDict):
    """A section as the database stores it; each item is its text and its sign."""

    heading: str
    items: dict[str, list[str]]
    tight: bool


def _plain(section: NoteSection) -> StoredSection:
    items = {key: [item.text, item.sign] for key, item in section.items.items()}
    return {"heading": section.heading, "items": items, "tight": section.tight}


def _section(kept: StoredSection) -> NoteSection:
    return NoteSection(kept["heading"], {key: NoteItem(*item) for key, item in kept["items"].items()}, kept["tight"])


_SECTION_HEADING = re.compile(r" {0,3}#{1,2}(?=[ \t]|$)")
_CODE_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(eq=False)
class NotePart:
    """A heading of level 1 or 2 with everything below it; the part before the first has none."""

    heading: str | None
    lines: list[str]

    @property
    def written(self) -> list[str]:
        """Its lines, with the heading."""
        return self.lines if self.heading is None else [self.heading, *self.lines]


@dataclass
class VaultPage:
    """The lines of a note's frontmatter, without its fences, and its parts; `header` is `None` where it has none."""

    header: list[str] | None
    parts: list[NotePart]
    newline: str = "\n"
    mark: str = ""
    closing: str = "---"

    @property
    def text(self) -> str:
        """The file, with the newlines and the byte order mark that it had."""
        top = [] if self.header is None else ["---", *self.header, self.closing]
        lines = [*top, *(line for part in self.parts for line in part.written)]
        return self.mark + self.newline.join(lines)


def read_vault_page(text: str) -> VaultPage:
    """Split a note into its parts."""
    mark, text = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    end = _header_end(lines)
    header = lines[1:end] if end else None
    closing = lines[end].rstrip() if end else "---"
    return VaultPage(header, _parts(lines[end + 1 if end else 0 :]), newline, mark, closing)


def _header_end(lines: list[str]) -> int:
    if lines[0].rstrip() != "---":
        return 0
    return next((at for at, line in enumerate(lines) if at and line.rstrip() in ("---", "...")), 0)


def _parts(lines: list[str]) -> list[NotePart]:
    parts = [NotePart(None, [])]
    fence = ""
    for line in lines:
        if found := _CODE_FENCE.match(line):
            if not fence:
                fence = found[1]
            elif found[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        if not fence and _SECTION_HEADING.match(line):
            parts.append(NotePart(line, []))
        else:
            parts[-1].lines.append(line)
    return parts


_FALLBACK = "en"


@dataclass(frozen=True)
class NoteWording:
    """The fixed wording of a note in one language."""

    name: str
    tag: str
    concept: str
    analysis: str
    connections: str
    source: str
    card: str
    question: str
    page: str
    note: str
    relations: dict[RelationType, str]


@cache
def load_wordings() -> dict[str, NoteWording]:
    """The words of every language that notes are written in."""
    listed = load_word_table(__package__, "wording.yaml")
    return {language: NoteWording(**said) for language, said in listed.items()}


def wording_for(language: str) -> NoteWording:
    """The words of a language (`es`, `es-MX`); English where we know none."""
    known = load_wordings()
    return known.get(language.lower().replace("_", "-").partition("-")[0], known[_FALLBACK])


_HEADING = re.compile(r"[ \t]{0,3}#{1,6}(?=[ \t]|$)")
_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_CALLOUT = re.compile(r"(?<![ \t])[ \t]*\[!")
_PAGE = re.compile(r"\d.*|[ivxlcdm]+(?:\s*[-–]\s*[ivxlcdm]+)?", re.IGNORECASE)
_IN_LINKS = str.maketrans("[]|", "()/")


@dataclass(frozen=True)
class CitedQuote:
    """A supporting quote and its book."""

    quote: Quote
    book: Content


@dataclass(frozen=True)
class NoteContent:
    """All that a note says about a concept."""

    concept: Concept
    passages: Sequence[CitedQuote] = ()
    relations: Sequence[Relation] = ()


@dataclass(frozen=True)
class NoteComposer:
    """Writes notes in one language; `titles` are those of all concepts, `links` what leads to those with a note."""

    said: NoteWording
    titles: Mapping[str, str]
    links: Mapping[str, str]
    cards: bool = False

    def note(self, known: NoteContent, name: str) -> Note:
        """The note of a concept, whose file has this name (without ending)."""
        return Note(self._header(known, name), dict(self._sections(known)))

    def _header(self, known: NoteContent, name: str) -> dict[str, str | list[str]]:
        title = _one_line(known.concept.title)
        books = {passage.book.uuid: passage.book for passage in known.passages}.values()
        header: dict[str, str | list[str]] = {
            "uuid": known.concept.uuid,
            "title": title,
            "aliases": [title] if title != name else [],
            "type": "concept",
            "books": _unique(book.title for book in books),
            "authors": _unique(book.author for book in books),
            "tags": [self.said.tag],
            "summary_short": _one_line(known.concept.summary_short),
            "created_by": "studium",
        }
        return {key: value for key, value in header.items() if value}

    def _sections(self, known: NoteContent) -> Iterator[tuple[SectionRole, NoteSection]]:
        concept, said = known.concept, self.said
        text = safe_prose(concept.concept)
        if text:
            yield "concept", _paragraph(said.concept, text)
        if analysis := safe_prose(concept.analysis):
            yield "analysis", _paragraph(said.analysis, analysis)
        if links := dict(self._connections(known.relations)):
            yield "connections", NoteSection(f"## {said.connections}", links, tight=True)
        if source := dict(self._source(known)):
            yield "source", NoteSection(f"## {said.source}", source)
        if self.cards and text:
            asked = f"[!question]- {said.question.format(title=_one_line(concept.title))}"
            yield "card", _paragraph(said.card, _quoted([asked, *text.split("\n")]))

    def _connections(self, relations: Sequence[Relation]) -> Iterator[tuple[str, NoteItem]]:
        """One line for each relation, grouped by type."""
        types = list(self.said.relations)
        for each in sorted(relations, key=lambda each: (types.index(each.type), self.titles.get(each.target, ""))):
            if each.target not in self.titles:
                continue
            shown = _one_line(self.titles[each.target]).translate(_IN_LINKS)
            name, link = self.said.relations[each.type], self.links.get(each.target)
            sign = f"**{name}**: " + (f"[[{link}" if link else shown)
            line = f"- **{name}**: " + (f"[[{link}|{shown}]]" if link else shown)
            why = f" — {_one_line(each.reasoning)}" if each.reasoning.strip() else ""
            yield f"{each.type.value} {each.target}", NoteItem(line + why, sign)

    def _source(self, known: NoteContent) -> Iterator[tuple[str, NoteItem]]:
        if known.concept.source.strip():
            yield "source", NoteItem(safe_prose(known.concept.source))
        for passage in known.passages:
            yield passage.quote.uuid, self._citation(passage)

    def _citation(self, passage: CitedQuote) -> NoteItem:
        quote, book = passage.quote, passage.book
        lines = [
            _CALLOUT.sub(lambda found: f"\\{found[0].lstrip()}", line) for line in safe_prose(quote.text).split("\n")
        ]
        page = quote.page_reference.strip()
        place = (quote.section, f"{self.said.page} {page}" if _PAGE.fullmatch(page) else page)
        origin = ", ".join(_one_line(each) for each in (f"*{book.title}*", book.author, *place) if each.strip())
        note = ["", f"**{self.said.note}**: {_one_line(quote.note)}"] if quote.note.strip() else []
        return NoteItem(_quoted([*lines, "", f"— {origin}", *note]), _quoted(lines))


def safe_prose(text: str) -> str:
    """Text that stays inside its section: no line of it is a heading, and no code block is left open."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    plain = "".join(char for char in plain if char in "\n\t" or category(char) != "Cc")
    lines = [f"\\{line.lstrip()}" if _HEADING.match(line) else line.rstrip() for line in plain.split("\n")]
    if sum(bool(_FENCE.match(line)) for line in lines) % 2:
        lines = [f"\\{line.lstrip()}" if _FENCE.match(line) else line for line in lines]
    return "\n".join(lines)


def _paragraph(heading: str, text: str) -> NoteSection:
    return NoteSection(f"## {heading}", {"": NoteItem(text)})


def _quoted(lines: Sequence[str]) -> str:
    return "\n".join(f"> {line}".rstrip() for line in lines)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _unique(words: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(word for word in words if word))
