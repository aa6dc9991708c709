"""A recording of a terminal as the terminal showed it: rubbed out, overwritten and coloured text made plain."""

import re
from collections.abc import Iterator

_COLUMNS = 80
_WIDEST = 512
# A longer line is no command line; it only loses its codes.
_LONGEST_EDITED = 20_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_DROPPED = re.compile(r"[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]")
_PIECE = re.compile(
    r"\x1b\[\??(?P<count>\d{0,4})[\d;]*(?P<code>[@-~])|\x1b\][^\x07\x1b]{0,300}(?:\x07|\x1b\\)|\x1b[ -/]?[0-~]?"
    r"|(?P<key>[\b]+|\r)|(?P<text>[^\x1b\b\r]+)"
)
_MORE = re.compile(r"^ ?<?-{2,3} ?More ?(?:\(.{1,20}\) ?)?-{2,3}>?[ \t]{0,10}")
_STARTED = re.compile(r"Script started on .*?(?:COLUMNS=\"(?P<columns>\d{1,4})\".*)?$")
_DONE = "Script done on "


def columns_of(text: str) -> int:
    """How wide the terminal was, if the recording says so; else as wide as they usually are."""
    started = _STARTED.match(text.partition("\n")[0].rstrip())
    return int(started["columns"]) if started and started["columns"] else _COLUMNS


def shown_lines(text: str) -> Iterator[str]:
    """The lines of a recording as they stood on the screen."""
    columns = columns_of(text)
    text = text.replace("\r\r\n", "\n").replace("\r\n", "\n")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    for number, raw in enumerate(text.split("\n")):
        line = _edited(raw, columns) if _CONTROL.search(raw) else raw
        if "More" in line:
            line = _MORE.sub("", line)
        if not (line.startswith(_DONE) or (number == 0 and _STARTED.match(line))):
            yield line


def _edited(raw: str, columns: int) -> str:
    if len(raw) > _LONGEST_EDITED:
        return _CONTROL.sub("", _PIECE.sub(lambda piece: piece["text"] or "", raw))
    row = _Row(columns)
    for piece in _PIECE.finditer(raw):
        if piece["text"]:
            row.write(_DROPPED.sub("", piece["text"]))
        elif piece["key"]:
            row.press(piece["key"])
        elif piece["code"]:
            row.obey(piece["code"], int(piece["count"] or 0))
    return "".join(row.cells).rstrip()


class _Row:
    """One row of a terminal, and the cursor on it."""

    def __init__(self, columns: int) -> None:
        self.cells: list[str] = []
        self.cursor = 0
        self._columns = columns

    def write(self, text: str) -> None:
        self.cells += " " * (self.cursor - len(self.cells))
        self.cells[self.cursor : self.cursor + len(text)] = text
        self.cursor += len(text)

    def press(self, key: str) -> None:
        if key.startswith("\b"):
            self.cursor = max(0, self.cursor - len(key))
        elif self._wraps():
            self.cells.pop()
            self.cursor -= 1
        else:
            self.cursor = 0

    def obey(self, code: str, count: int) -> None:
        steps = count or 1
        match code:
            case "K":
                self._erase(count)
            case "D":
                self.cursor = max(0, self.cursor - steps)
            case "C":
                self.cursor = min(self.cursor + steps, max(_WIDEST, len(self.cells)))
            case "G":
                self.cursor = min(steps - 1, max(_WIDEST, len(self.cells)))
            case "P":
                del self.cells[self.cursor : self.cursor + steps]
            case "@":
                self.cells[self.cursor : self.cursor] = " " * min(steps, _WIDEST)

    def _erase(self, count: int) -> None:
        if count == 0:
            del self.cells[self.cursor :]
        elif count == 1:
            self.cells[: self.cursor] = " " * min(self.cursor, len(self.cells))
        else:
            self.cells.clear()

    def _wraps(self) -> bool:
        """Line editors go to the next row of the screen by a space beyond the edge and a carriage return."""
        end = len(self.cells)
        return self.cursor == end > 1 and (end - 1) % self._columns == 0 and self.cells[-1] == " "
