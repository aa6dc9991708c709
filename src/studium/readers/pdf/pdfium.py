"""The one door to pdfium, which must never be called by two threads at once."""

import atexit
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pypdfium2

# Re-entrant: the garbage collector may close one file while the same thread reads another.
_ONE_AT_A_TIME = threading.RLock()
_OPEN: "weakref.WeakSet[Pdf]" = weakref.WeakSet()


class Pdf:
    """An open PDF; it is closed when nobody holds it any more."""

    def __init__(self, data: bytes) -> None:
        import pypdfium2

        with _ONE_AT_A_TIME:
            self._file = pypdfium2.PdfDocument(data)
            self.page_count = len(self._file)
        weakref.finalize(self, _close, self._file)
        _close_all_at_exit()
        _OPEN.add(self)

    def close(self) -> None:
        """Close the file; its pages cannot be looked at any more."""
        _close(self._file)

    @contextmanager
    def page(self, index: int) -> Iterator["pypdfium2.PdfPage"]:
        """A page, counted from 0, for as long as it is looked at."""
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
    """What is registered later runs earlier: before pdfium itself is closed, which complains of open files."""

    def close() -> None:
        for pdf in list(_OPEN):
            pdf.close()

    atexit.register(close)
