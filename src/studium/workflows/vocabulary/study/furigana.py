"""Readings over a whole line."""

from collections.abc import Callable, Iterable

from studium.domain.word import SungWord

Annotate = Callable[[str, str], str]
"""Writes a reading to a word: `(学校, がっこう)` gives ` 学[がっ] 校[こう]`, or HTML, or whatever it is for."""

# Anki would read a bracket of the text as a reading, or as a command.
_BRACKETS = str.maketrans("[]", "［］")  # noqa: RUF001


def line_furigana(line: str, words: Iterable[SungWord], annotate: Annotate) -> str:
    """The line with the reading of each of its words, as it is read there; whatever lies between them stays."""
    written: list[str] = []
    at = 0
    for word in words:
        # Looked for, not counted: a word may stand in the line in another width or case than it was read in.
        place = line.find(word.surface, at)
        if place < 0 or not word.surface:
            continue
        written += [_plain(line[at:place]), _with_reading(word, annotate)]
        at = place + len(word.surface)
    return "".join([*written, _plain(line[at:])]).strip()


def _with_reading(word: SungWord, annotate: Annotate) -> str:
    is_plain = not word.reading or word.reading == word.surface or word.part_of_speech == "symbol"
    return _plain(word.surface) if is_plain else annotate(word.surface, word.reading)


def _plain(text: str) -> str:
    return text.translate(_BRACKETS)
