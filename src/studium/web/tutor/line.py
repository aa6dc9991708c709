"""A line being typed at a prompt: edited anywhere, with what was typed before a key away."""

import re
from collections.abc import Callable

_KEYS = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|\r\n|[^\x00-\x1f\x7f?]+|.", re.DOTALL)
_REMEMBERED = 500


def keys_in(data: str) -> list[str]:
    """The keys in what a terminal sent; text that was typed or pasted in one go counts as one."""
    return _KEYS.findall(data)


class Line:
    """The line at the prompt; `write` shows it, in a window so many columns wide."""

    def __init__(self, write: Callable[[str], object], columns: int = 80) -> None:
        self.columns = columns
        self.text = ""
        self.prompt = ""
        self._write = write
        self._at = 0
        self._earlier: list[str] = []
        self._place = 0
        self._moves: dict[str, Callable[[], None]] = {
            "\x7f": self._erase_left,
            "\x08": self._erase_left,
            "\x1b[3~": self._erase_right,
            "\x1b[D": lambda: self._go(self._at - 1),
            "\x02": lambda: self._go(self._at - 1),
            "\x1b[C": lambda: self._go(self._at + 1),
            "\x06": lambda: self._go(self._at + 1),
            "\x1b[H": lambda: self._go(0),
            "\x01": lambda: self._go(0),
            "\x1b[F": lambda: self._go(len(self.text)),
            "\x05": lambda: self._go(len(self.text)),
            "\x1b[A": lambda: self._recall(-1),
            "\x10": lambda: self._recall(-1),
            "\x1b[B": lambda: self._recall(1),
            "\x0e": lambda: self._recall(1),
            "\x0b": lambda: self._replace(self.text[: self._at]),
            "\x15": lambda: self._replace(self.text[self._at :], 0),
            "\x17": self._erase_word,
        }

    def begin(self, prompt: str, text: str = "") -> None:
        """A new prompt, with this typed at it already."""
        self.prompt, self.text, self._at = prompt, text, len(text)
        self._place = len(self._earlier)
        self._draw(0)

    def press(self, key: str) -> None:
        """Type or edit; a key that means nothing here does nothing."""
        before, at, text = self._cell, self._at, self.text
        if move := self._moves.get(key.replace("\x1bO", "\x1b[")):
            move()
        elif key.isprintable():
            self._replace(text[:at] + key + text[at:], at + len(key))
        # No more is drawn than changed, so that a screen reader hears the key and not the whole line.
        if self.text == text:
            self._write(self._way(before, self._cell))
        elif at == len(text) and self.text.startswith(text) and before // self.columns == self._cell // self.columns:
            self._write("" if self._is_secret else self.text[at:])
        else:
            self._draw(before)

    def take(self) -> str:
        """The line as it was typed, which is remembered unless it is secret; the next prompt comes below it."""
        self._go_to_end()
        if self.text.strip() and not self._is_secret and self.text not in self._earlier[-1:]:
            self._earlier = [*self._earlier, self.text][-_REMEMBERED:]
        return self.text

    def leave(self, mark: str = "^C") -> None:
        """Give the line up; the next prompt comes below it."""
        self._go_to_end(mark)

    @property
    def _is_secret(self) -> bool:
        return self.prompt.startswith("Password")

    @property
    def _cell(self) -> int:
        """How many columns after the prompt's beginning the cursor stands."""
        return len(self.prompt) + (0 if self._is_secret else self._at)

    def _go_to_end(self, mark: str = "") -> None:
        before = self._cell
        self._at = len(self.text)
        self._draw(before)
        self._write(f"{mark}\r\n")

    def _go(self, place: int) -> None:
        self._at = min(max(place, 0), len(self.text))

    def _replace(self, text: str, at: int | None = None) -> None:
        self.text, self._at = text, len(text) if at is None else at

    def _erase_left(self) -> None:
        if self._at:
            self._replace(self.text[: self._at - 1] + self.text[self._at :], self._at - 1)

    def _erase_right(self) -> None:
        self._replace(self.text[: self._at] + self.text[self._at + 1 :], self._at)

    def _erase_word(self) -> None:
        kept = re.sub(r"\S*\s*$", "", self.text[: self._at])
        self._replace(kept + self.text[self._at :], len(kept))

    def _recall(self, step: int) -> None:
        self._place = min(max(self._place + step, 0), len(self._earlier))
        self._replace(self._earlier[self._place] if self._place < len(self._earlier) else "")

    def _draw(self, before: int) -> None:
        """Draw the line anew over the rows that it took, and put the cursor where it belongs."""
        shown = self.prompt + ("" if self._is_secret else self.text)
        # A terminal wraps only when the next character comes.
        wrap = "\r\n" if shown and len(shown) % self.columns == 0 else ""
        drawn = f"{self._way(before, 0)}\x1b[J{shown}{wrap}"
        self._write(drawn + self._way(len(shown), self._cell))

    def _way(self, here: int, there: int) -> str:
        """How the cursor gets from one cell to another, counted from the prompt's beginning."""
        if here == there:
            return ""
        down, column = there // self.columns - here // self.columns, there % self.columns
        rows = f"\x1b[{abs(down)}{'B' if down > 0 else 'A'}" if down else ""
        return f"{rows}\r" + (f"\x1b[{column}C" if column else "")
