"""`studium vocab`: songs become words to learn."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studium.cli import vocabtelling
from studium.cli.console import say, show_json, show_table
from studium.cli.flags import AsJson, ledger_for, settings_for
from studium.cli.progress import progress_bar
from studium.faculties import vocabulary

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.domain.word import SongRequest
    from studium.running.vocabulary.learning import Learnt

app = typer.Typer(help="Learn the words of songs.", no_args_is_help=True)

Count = Annotated[str, typer.Option(help="How many words, or `all`.")]
Package = Annotated[Path | None, typer.Option("--apkg", help="Write an Anki package with these words.")]
Known = Annotated[
    str | None,
    typer.Option(help="What you know already: a list (CSV, text), a collection file, or `anki` for the running Anki."),
]


@app.command()
def song(
    context: typer.Context,
    title: Annotated[str, typer.Argument(help="The song's title.")],
    *,
    artist: Annotated[str, typer.Option(help="Who sings it.")] = "",
    lyrics: Annotated[Path | None, typer.Option(help="A text, an .lrc file, or an audio file with lyrics.")] = None,
    count: Count = "5",
    online: Annotated[bool, typer.Option(help="Look for the lyrics on the network.")] = False,
    known: Known = None,
    apkg: Package = None,
    as_json: AsJson = False,
) -> None:
    """Find the words of a song that are worth learning."""
    settings = vocabulary.looking_online(settings_for(context), online=online)
    request = vocabulary.request_for(title, artist, lyrics, count)
    learnt = _learn(settings, request, known, apkg)
    if as_json:
        show_json(learnt.as_json())
    else:
        vocabtelling.tell(learnt, apkg)


@app.command()
def text(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A text, an .lrc file, or an audio file with lyrics.")],
    *,
    count: Count = "all",
    known: Known = None,
    apkg: Package = None,
    as_json: AsJson = False,
) -> None:
    """Find the words of any text."""
    request = vocabulary.request_for(file.stem, "", file, count)
    learnt = _learn(settings_for(context), request, known, apkg)
    if as_json:
        show_json(learnt.as_json())
    else:
        vocabtelling.tell(learnt, apkg)


@app.command()
def cache(
    context: typer.Context,
    *,
    clear: Annotated[bool, typer.Option("--clear", help="Forget every song.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the songs whose words are kept."""
    from studium.vocabulary.song_repository import SongRepository

    songs = SongRepository(ledger_for(context).transactions)
    if clear:
        say(f"{songs.delete_all()} songs forgotten.")
        return
    kept = songs.all()
    if as_json:
        show_json([each.model_dump(mode="json", exclude={"vocabulary"}) for each in kept])
    elif not kept:
        say("No song was asked for yet.")
    else:
        rows = ((each.song, each.artist, len(each.vocabulary), each.source) for each in kept)
        show_table(("song", "artist", "#words", "lyrics from"), rows)


def _learn(settings: "Settings", request: "SongRequest", known: str | None, apkg: Path | None) -> "Learnt":
    with progress_bar("words:"):
        return asyncio.run(vocabulary.learn(settings, request, known, apkg))
