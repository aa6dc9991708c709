"""`studium vocab`: learn the words of songs."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studium.cli.console import progress_bar, say, show_json, show_table
from studium.cli.options import AsJson, database_for, settings_for
from studium.vocabulary import use_cases as vocabulary

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.vocabulary.domain import SongRequest
    from studium.vocabulary.song_report import SongReport


_FIRST = 5


def show_report(report: "SongReport", apkg: Path | None) -> None:
    """Print a song's words, its difficulty, and how much of it is known."""
    song = report.song
    rows = (
        (item.kanji, item.reading, item.romaji, item.english, f"N{item.jlpt}" if item.jlpt else "", item.count)
        for item in song.vocabulary
    )
    show_table(("word", "reading", "romaji", "meaning", "JLPT", "#sung"), rows)
    level = f" About {report.difficulty.level} is enough for most of the song." if report.difficulty.level else ""
    say(f"{len(song.vocabulary)} words.{level}")
    if report.coverage:
        summary = str(report.coverage)
        say(f"{summary[0].upper()}{summary[1:]}.")
    first = [each for each in report.unlocking if each.unlocks][:_FIRST]
    if first:
        unlocked = ", ".join(f"{each.word} ({each.unlocks})" for each in first)
        say(f"Words that unlock the most lines: {unlocked}.", "dim")
    if apkg:
        say(f"Written to {apkg}.")


app = typer.Typer(help="Learn the words of songs.", no_args_is_help=True)

CountOption = Annotated[str, typer.Option(help="How many words, or `all`.")]
PackageOption = Annotated[Path | None, typer.Option("--apkg", help="Write an Anki package with these words.")]
KnownOption = Annotated[
    str | None,
    typer.Option(help="Words you already know: a list (CSV, text), a collection file, or `anki` for the running Anki."),
]


@app.command()
def song(
    context: typer.Context,
    title: Annotated[str, typer.Argument(help="The song's title.")],
    *,
    artist: Annotated[str, typer.Option(help="Who sings it.")] = "",
    lyrics: Annotated[Path | None, typer.Option(help="A text, an .lrc file, or an audio file with lyrics.")] = None,
    count: CountOption = "5",
    online: Annotated[bool, typer.Option(help="Look up the lyrics online.")] = False,
    known: KnownOption = None,
    apkg: PackageOption = None,
    as_json: AsJson = False,
) -> None:
    """Find the words worth learning in a song."""
    settings = vocabulary.with_online_lookup(settings_for(context), online=online)
    request = vocabulary.song_request(title, artist, lyrics, count)
    report = _analyse(settings, request, known, apkg)
    if as_json:
        show_json(report.as_json())
    else:
        show_report(report, apkg)


@app.command()
def text(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A text, an .lrc file, or an audio file with lyrics.")],
    *,
    count: CountOption = "all",
    known: KnownOption = None,
    apkg: PackageOption = None,
    as_json: AsJson = False,
) -> None:
    """Find the words worth learning in any text."""
    request = vocabulary.song_request(file.stem, "", file, count)
    report = _analyse(settings_for(context), request, known, apkg)
    if as_json:
        show_json(report.as_json())
    else:
        show_report(report, apkg)


@app.command()
def cache(
    context: typer.Context,
    *,
    clear: Annotated[bool, typer.Option("--clear", help="Delete every saved song.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the saved songs."""
    from studium.vocabulary.song_repository import SongRepository

    songs = SongRepository(database_for(context).transactions)
    if clear:
        say(f"{songs.delete_all()} songs deleted.")
        return
    saved = songs.all()
    if as_json:
        show_json([each.model_dump(mode="json", exclude={"vocabulary"}) for each in saved])
    elif not saved:
        say("No songs saved yet.")
    else:
        rows = ((each.song, each.artist, len(each.vocabulary), each.source) for each in saved)
        show_table(("song", "artist", "#words", "lyrics from"), rows)


def _analyse(settings: "Settings", request: "SongRequest", known: str | None, apkg: Path | None) -> "SongReport":
    with progress_bar("words:"):
        return asyncio.run(vocabulary.analyse_song(settings, request, known, apkg))
