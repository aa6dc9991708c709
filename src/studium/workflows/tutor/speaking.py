"""An answer while it is being said: cleaned sentence by sentence, so that nothing unclean is ever heard."""

import re
from collections.abc import Callable

from studium.workflows.tutor.answering.paraphrase import paraphrase

_PARAGRAPH = re.compile(r"\n\s*\n")
_FENCE = "```"


class Spoken:
    """Passes on what it hears, paragraph by paragraph; a block of code is never cut."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.heard = False
        self._say = say
        self._held = ""

    def hear(self, piece: str) -> None:
        """Take in a piece, and pass on what is complete."""
        self._held += piece
        while (end := self._complete()) is not None:
            self._pass_on(self._held[:end])
            self._held = self._held[end:]

    def end(self) -> None:
        """Pass on what is left."""
        self._pass_on(self._held)
        self._held = ""

    def _complete(self) -> int | None:
        for found in _PARAGRAPH.finditer(self._held):
            if self._held[: found.start()].count(_FENCE) % 2 == 0:
                return found.end()
        return None

    def _pass_on(self, text: str) -> None:
        cleaned = paraphrase(text)
        if cleaned.strip():
            self._say(("\n\n" if self.heard else "") + cleaned.strip())
            self.heard = True
