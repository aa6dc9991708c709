"""The words that a learner said to know: a list in a file, one word a line, as other programs read it, too."""

from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from studium.core.files import write_text
from studium.stores.known_words import words_of_file

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADING = "word"
_alone = Lock()


class FamiliarWords:
    """The list in this file; there need be none yet."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def all(self) -> set[str]:
        """Every word that is known."""
        return words_of_file(self._path) if self._path.exists() else set()

    def learn(self, word: str) -> None:
        """Know a word from now on."""
        with self._changing() as words:
            words.add(word)

    def forget(self, word: str) -> None:
        """Take a word off the list."""
        with self._changing() as words:
            words.discard(word)

    @contextmanager
    def _changing(self) -> "Iterator[set[str]]":
        # Two tabs may mark words at the same time: each adds to what the other wrote.
        with _alone:
            words = self.all()
            yield words
            write_text(self._path, "\n".join([_HEADING, *sorted(words), ""]))
