"""How the words of a song are shown."""

from pathlib import Path
from typing import TYPE_CHECKING

from studium.cli.console import say, show_table

_FIRST = 5

if TYPE_CHECKING:
    from studium.running.vocabulary.learning import Learnt


def tell(learnt: "Learnt", apkg: Path | None) -> None:
    """Say which words there are, how hard the song is, and how much of it is known."""
    song = learnt.song
    rows = (
        (item.kanji, item.reading, item.romaji, item.english, f"N{item.jlpt}" if item.jlpt else "", item.count)
        for item in song.vocabulary
    )
    show_table(("word", "reading", "romaji", "meaning", "JLPT", "#sung"), rows)
    level = f" About {learnt.difficulty.level} is enough for most of the song." if learnt.difficulty.level else ""
    say(f"{len(song.vocabulary)} words.{level}")
    if learnt.coverage:
        told = str(learnt.coverage)
        say(f"{told[0].upper()}{told[1:]}.")
    first = [each for each in learnt.unlocking if each.unlocks][:_FIRST]
    if first:
        unlocked = ", ".join(f"{each.word} ({each.unlocks})" for each in first)
        say(f"What unlocks the most lines: {unlocked}.", "dim")
    if apkg:
        say(f"Written to {apkg}.")
