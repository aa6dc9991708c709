"""What of an answer is heard while it is being written."""

_OPENS, _CLOSES = "<think>", "</think>"


class ThinkFilter:
    """Lets the words of an answer through, but not the thoughts that some models write before it."""

    def __init__(self) -> None:
        self._held: str | None = ""

    def hear(self, piece: str) -> str:
        """What of this piece is to be told."""
        if self._held is None:
            return piece
        self._held += piece
        begun = self._held.lstrip()
        if _CLOSES in begun:
            told = begun.partition(_CLOSES)[2].lstrip()
        elif begun.startswith(_OPENS) or _OPENS.startswith(begun):
            return ""
        else:
            told = self._held
        self._held = None
        return told
