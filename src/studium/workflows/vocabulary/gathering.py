"""The words of a text, each once: how often it is sung, and the line in which it is sung first."""

from collections.abc import Iterable
from dataclasses import dataclass

from studium.domain.word import Lyrics, SungWord


@dataclass(frozen=True)
class Gathered:
    """A word in its dictionary form where it is sung first, that line, and how often it is sung."""

    word: SungWord
    line: str
    line_number: int
    count: int


def gathered(words: Iterable[SungWord], lyrics: Lyrics) -> list[Gathered]:
    """The content words of a song in the order in which they are first sung."""
    sung = [line for line in lyrics.lines if line.is_sung]
    first: dict[tuple[str, str], SungWord] = {}
    counts: dict[tuple[str, str], int] = {}
    for word in words:
        if word.is_content:
            key = (word.lemma, word.lemma_reading)
            first.setdefault(key, word)
            counts[key] = counts.get(key, 0) + 1
    return [
        Gathered(word, sung[word.line - 1].text, sung[word.line - 1].number, counts[key])
        for key, word in first.items()
        if word.line <= len(sung)
    ]


def numbered_text(lyrics: Lyrics) -> str:
    """What is sung, one line a line: words count their lines in this text."""
    return "\n".join(line.text.replace("\n", " ") for line in lyrics.lines if line.is_sung)
