"""From the pieces of a Markdown text to quotes: whose page is whose, and what is a note."""

import re
from collections.abc import Iterator, Sequence

from studium.readers.quotes.book import Draft
from studium.readers.quotes.marks import joined, unwrapped
from studium.readers.quotes.outline import Line, Piece
from studium.readers.quotes.places import Placed, only_place, split_place
from studium.readers.quotes.wording import labelled_note

_CALLOUT = re.compile(r"\[!([\w-]+)\][+-]?[ \t]*(.*)")
_QUOTE_CALLOUTS = frozenset({"quote", "cite", "quotes", "highlight", "abstract", "summary"})
_TAGS = re.compile(r"(?:#[^\s#]+\s*)+")
_SIGNED = re.compile(r"\s*(?:[—–―]|--)\s*(\S.{0,120})")
_SIGNED_WITHIN = re.compile(r"(.*[\"”»*_])\s*(?:[—–―]|--?)\s*([^\"”»]{1,80})", re.DOTALL)
_CLOSED = re.compile(r"[.!?…\"”»’。！？」)\]]$")
_BEGINS = re.compile(r"[\W_]*[A-ZÀ-ÖØ-Þ\u3040-\u9fff]|[\"“«¿¡—]")
_LABEL = 80


class Collector:
    """Takes the pieces of a text one by one and keeps the quotes."""

    def __init__(self, names: Sequence[str] = (), *, only_quoted: bool = False) -> None:
        """`names` are those with which quotes may be signed; `only_quoted` takes nothing but block quotes."""
        self.drafts: list[Draft] = []
        self._names = [name.casefold() for name in names if name]
        self._only_quoted = only_quoted
        self._section = ""
        self._leading = ""
        self._heard = False

    def enter(self, section: str, place: str = "") -> None:
        """Go on in another section; its heading may name the page of what follows."""
        self._section, self._leading, self._heard = section, place, False

    def take(self, piece: Piece) -> None:
        """Keep the quotes in a piece."""
        if piece.kind == "item":
            self._take_item(piece)
        elif piece.kind == "fenced":
            self._keep(piece.line, "\n".join(text for lines in piece.paragraphs for _, text in lines))
        elif callout := _CALLOUT.match(piece.words) if piece.kind == "quote" else None:
            self._take_callout(piece, callout[1].lower())
        else:
            self._take_paragraphs(piece.paragraphs, quoted=piece.kind == "quote")

    def _take_callout(self, piece: Piece, kind: str) -> None:
        number, first = piece.paragraphs[0].pop(0)
        title = _CALLOUT.match(first.strip())
        named = title[2].strip() if title else ""
        paragraphs = [lines for lines in piece.paragraphs if lines]
        if kind not in _QUOTE_CALLOUTS and self._heard:
            said = "\n\n".join(joined([text for _, text in lines]) for lines in paragraphs)
            self.drafts[-1].add_note(f"{named}\n\n{said}".strip())
            return
        self._take_paragraphs(paragraphs or [[(number, named)]], quoted=True)
        if paragraphs and named and self.drafts:
            place = only_place(named)
            self.drafts[-1].place = place or self.drafts[-1].place
            if not place and named.casefold() not in self._names:
                self.drafts[-1].add_note(named)

    def _take_item(self, piece: Piece) -> None:
        if self._only_quoted:
            self._note_under(piece)
        elif _is_label(piece):
            section = self._section
            self.enter(f"{section} > {piece.words}" if section else piece.words)
            for item in piece.under:
                self._take_item(item)
            self.enter(section)
        else:
            self._take_paragraphs(piece.paragraphs, quoted=True)
            for item in piece.under:
                self._take_under(item)

    def _take_under(self, item: Piece) -> None:
        """Under a quote stand its page, its note, or a quote of its own, which has a page or quotation marks."""
        placed = split_place(item.words)
        is_quote = placed.text and (placed.place or unwrapped(placed.text) != placed.text)
        if (is_quote and labelled_note(item.words) is None) or only_place(item.words) or not self._heard:
            self._take_item(item)
            return
        note = "\n\n".join(joined([text for _, text in lines]) for lines in item.paragraphs)
        self.drafts[-1].add_note(labelled_note(note) or note)
        for below in item.under:
            self._take_under(below)

    def _note_under(self, piece: Piece) -> None:
        """Beside block quotes a list says something about a quote only where it says so."""
        for item in (piece, *piece.under):
            if self._heard and (place := only_place(item.words)):
                self.drafts[-1].place = self.drafts[-1].place or place
            elif self._heard and (note := labelled_note(item.words)):
                self.drafts[-1].add_note(note)

    def _take_paragraphs(self, paragraphs: list[list[Line]], *, quoted: bool) -> None:
        signature = self._signature_of(paragraphs) if paragraphs else ""
        for part in _parts(paragraphs):
            text = "\n\n".join(joined([line for _, line in lines]) for lines in part)
            if quoted or not self._only_quoted or self._belongs_to_last(text):
                self._keep(part[0][0][0], text)
        if signature and self._heard:
            self._place_last(split_place(signature).place)

    def _signature_of(self, paragraphs: list[list[Line]]) -> str:
        """The line that signs a quote, taken from under it."""
        lines = paragraphs[-1]
        is_last = sum(map(len, paragraphs)) > 1 and self._is_signature(lines[-1][1])
        signature = lines.pop()[1] if is_last else ""
        if not lines:
            paragraphs.pop()
        return signature

    def _belongs_to_last(self, text: str) -> bool:
        return self._heard and bool(only_place(text) or labelled_note(text) or self._is_signature(text))

    def _keep(self, line: int, text: str) -> None:
        if place := only_place(text):
            self._place_last(place)
        elif self._heard and (note := labelled_note(text)):
            self.drafts[-1].add_note(note)
        elif self._heard and _TAGS.fullmatch(text):
            self.drafts[-1].add_note(text)
        elif self._heard and self._is_signature(text):
            self._place_last(split_place(text).place)
        else:
            self._add(line, split_place(text))

    def _place_last(self, place: str) -> None:
        """A page below a quote is that quote's; one before the first quote is that of all until the next."""
        if not self._heard or self._leading:
            self._leading = place
        elif not self.drafts[-1].place:
            self.drafts[-1].place = place
        elif place and place != self.drafts[-1].place:
            self.drafts[-1].place += f", {place}"

    def _add(self, line: int, placed: Placed) -> None:
        text = unwrapped(self._unsigned(placed.text))
        if text:
            self.drafts.append(Draft(text, line, self._section, placed.place or self._leading, placed.beside))
            self._heard = True

    def _unsigned(self, text: str) -> str:
        """A quote in quotation marks without the name that follows them."""
        signed = _SIGNED_WITHIN.fullmatch(text) if self._names else None
        return signed[1] if signed and any(name in signed[2].casefold() for name in self._names) else text

    def _is_signature(self, text: str) -> bool:
        """Whether a line signs a quote with the name of the author or of the book."""
        signed = _SIGNED.fullmatch(text)
        return signed is not None and any(name in signed[1].casefold() for name in self._names)


def _is_label(piece: Piece) -> bool:
    """Whether an item only names what its items are quoted from, as `Chapter 1` does."""
    words = piece.words
    if not piece.under or len(words) > _LABEL or _CLOSED.search(words) or split_place(words).place:
        return False
    said = [item.words for item in piece.under if labelled_note(item.words) is None and not only_place(item.words)]
    return len(said) > 1 or any(split_place(words).place for words in said)


def _parts(paragraphs: list[list[Line]]) -> Iterator[list[list[Line]]]:
    """The quotes in a run of paragraphs: a page ends a quote where another quote begins after it."""
    part: list[list[Line]] = []
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
    return bool(only_place(text) or split_place(text).place)


def _ends_quote(text: str, following: str) -> bool:
    """Whether a quote ends within a paragraph: with its page, or with the closing of its quotation marks."""
    bare, following = text.strip(), following.strip()
    if only_place(text) or only_place(following) or labelled_note(following):
        return True
    if not _BEGINS.match(following):
        return False
    if unwrapped(bare) != bare and unwrapped(following) != following:
        return True
    placed = split_place(text)
    return bool(placed.place) and (placed.bracketed or bool(_CLOSED.search(placed.text)))
