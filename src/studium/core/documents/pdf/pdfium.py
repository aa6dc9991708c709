"""Access to pdfium, which must never be called by two threads at once."""

import atexit
import threading
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from ctypes import PYFUNCTYPE, addressof, c_char, c_int, c_ulong, c_void_p, cast
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pypdfium2


# Re-entrant: the garbage collector may close one file while the same thread reads another.
_ONE_AT_A_TIME = threading.RLock()
_OPEN: "weakref.WeakSet[Pdf]" = weakref.WeakSet()


class Pdf:
    """An open PDF; it is closed when it is no longer referenced."""

    def __init__(self, data: bytes) -> None:
        import pypdfium2

        with _ONE_AT_A_TIME:
            self._file = pypdfium2.PdfDocument(data)
            self.page_count = len(self._file)
        weakref.finalize(self, _close, self._file)
        _close_all_at_exit()
        _OPEN.add(self)

    def close(self) -> None:
        """Close the file."""
        _close(self._file)

    @contextmanager
    def page(self, index: int) -> Iterator["pypdfium2.PdfPage"]:
        """Open a page (from 0) for the time of the context."""
        with _ONE_AT_A_TIME:
            page = self._file[index]
            try:
                yield page
            finally:
                page.close()


def _close(file: "pypdfium2.PdfDocument") -> None:
    with _ONE_AT_A_TIME:
        file.close()


@cache
def _close_all_at_exit() -> None:
    """Close open files before pdfium itself: exit functions run in reverse order."""

    def close() -> None:
        for pdf in list(_OPEN):
            pdf.close()

    atexit.register(close)


# In the order in which pdfium writes them: left, top, right, bottom.
Box = tuple[float, float, float, float]
_FLOATS, _SIDES, _DOUBLES = Struct("4f"), Struct("f4xf"), Struct("4d")
_LONGEST_NAME = 64
_QUARTER, _HALF, _THREE_QUARTERS = 90, 180, 270


class _Calls(NamedTuple):
    """Pdfium functions that take pointers as numbers: skipping type checks halves the cost."""

    count_runs: Any
    run: Any
    character: Any
    text_object: Any
    font: Any
    font_info: Any


@cache
def _calls() -> _Calls:
    from pypdfium2 import raw

    def cheap(function: Any, *arguments: Any, returns: Any = c_int) -> Any:
        return PYFUNCTYPE(returns, c_void_p, *arguments)(cast(function, c_void_p).value or 0)

    return _Calls(
        cheap(raw.FPDFText_CountRects, c_int, c_int),
        cheap(raw.FPDFText_GetRect, c_int, *[c_void_p] * 4),
        cheap(raw.FPDFText_GetLooseCharBox, c_int, c_void_p),
        cheap(raw.FPDFText_GetTextObject, c_int, returns=c_void_p),
        cheap(raw.FPDFTextObj_GetFont, returns=c_void_p),
        cheap(raw.FPDFText_GetFontInfo, c_int, c_void_p, c_ulong, c_void_p),
    )


class CharacterBoxes:
    """The boxes of a page's characters, in points from its lower left corner."""

    def __init__(self, page: "pypdfium2.PdfPage", textpage: "pypdfium2.PdfTextPage") -> None:
        self._textpage = textpage
        self._text = cast(textpage.raw, c_void_p).value
        (self._count_runs, self._run, self._character, self._text_object, self._font, self._font_info) = _calls()
        self._edges = bytearray(_DOUBLES.size)
        self._into = addressof((c_char * _DOUBLES.size).from_buffer(self._edges))
        self._names: dict[int | None, str] = {None: ""}
        self._page, self._turn = page.get_bbox(), page.get_rotation()
        left, bottom, right, top = self._page
        size = (right - left, top - bottom)
        self.width, self.height = size[::-1] if self._turn in (_QUARTER, _THREE_QUARTERS) else size
        self._plain = not self._turn and left == bottom == 0

    def of_ends(self, first: int, last: int) -> tuple[Box, Box]:
        """The boxes of the first and the last character of a line."""
        call, text, into, edges, unpack = self._character, self._text, self._into, self._edges, _FLOATS.unpack_from
        call(text, first, into)
        one: Any = unpack(edges)
        call(text, last, into)
        other: Any = unpack(edges)
        return (one, other) if self._plain else (self._as_seen(one), self._as_seen(other))

    def of_character(self, index: int) -> Box:
        """The box of a character with the height of its font."""
        self._character(self._text, index, self._into)
        box: Any = _FLOATS.unpack_from(self._edges)
        return self._as_seen(box) if not self._plain else box

    def fonts_of(self, indices: Iterable[int]) -> list[str]:
        """The names of the fonts of some characters; empty for a character without one."""
        text, text_object, font_of, names = self._text, self._text_object, self._font, self._names
        found: list[str] = []
        for index in indices:
            written = text_object(text, index)
            font = font_of(written) if written else None
            if font not in names:
                names[font] = self._font_name(index)
            found.append(names[font])
        return found

    def _font_name(self, index: int) -> str:
        name = (c_char * _LONGEST_NAME)()
        self._font_info(self._text, index, addressof(name), _LONGEST_NAME - 1, None)
        return name.value.decode("latin-1")

    def edges_of(self, start: int, count: int) -> list[tuple[float, float]]:
        """The left and right edges of characters in a row."""
        if not self._plain:
            boxes = [self.of_character(index) for index in range(start, start + count)]
            return [(left, right) for left, _, right, _ in boxes]
        call, text, into, edges, unpack = self._character, self._text, self._into, self._edges, _SIDES.unpack_from
        found: list[Any] = []
        for index in range(start, start + count):
            call(text, index, into)
            found.append(unpack(edges))
        return found

    def of_runs(self, start: int, count: int) -> list[Box]:
        """One box for each run of characters that the file writes at once."""
        text, run, at = self._text, self._run, self._into
        found: list[Any] = []
        for number in range(self._count_runs(text, start, count)):
            run(text, number, at, at + 8, at + 16, at + 24)
            found.append(_DOUBLES.unpack(self._edges))
        return found if self._plain else [self._as_seen(box) for box in found]

    def character_at(self, offset: int) -> int:
        """The index of the character at an offset of the text; some characters have no text."""
        from pypdfium2 import raw

        found: int = raw.FPDFText_GetCharIndexFromTextIndex(self._textpage.raw, offset)
        return found

    def _as_seen(self, box: Box) -> Box:
        """A box on the rotated page."""
        west, south, east, north = self._page
        left, top, right, bottom = box
        if self._turn == _QUARTER:
            return bottom - south, east - left, top - south, east - right
        if self._turn == _HALF:
            return east - right, north - bottom, east - left, north - top
        if self._turn == _THREE_QUARTERS:
            return north - top, right - west, north - bottom, left - west
        return left - west, top - south, right - west, bottom - south
