"""What the commands of `studium vocab` do, between reading the flags and saying what came of it."""

from pathlib import Path
from typing import TYPE_CHECKING

from studium.cli.progress import progress_bar
from studium.domain.errors import BadInput

if TYPE_CHECKING:
    from studium.domain.word import SongRequest
    from studium.running.vocabulary.learning import Learnt
    from studium.settings import Settings


async def learn(settings: "Settings", request: "SongRequest", known: str | None, apkg: Path | None) -> "Learnt":
    """Find a song's words, hold them against what is known, and write the package if one is asked for."""
    from studium.bootstrap.house import open_house
    from studium.bootstrap.songs import known_words, songs
    from studium.bootstrap.vocabulary import prepare_dictionary, song_voice
    from studium.readers.lyrics.text import lyrics_of
    from studium.running.job import Progress
    from studium.running.vocabulary.learning import learnt, write_song

    with progress_bar("preparing the dictionary, once") as show:
        prepare_dictionary(settings, lambda done, total: show(Progress(done, total, "")))
    async with open_house(settings) as house:
        song = await songs(house).words_of(request)
        text = request.lyrics or song.lyrics
        lyrics = lyrics_of(text) if text else None
        lexicon = house.lexicon()
        if apkg is not None:
            write_song(apkg, song, lexicon, lyrics, song_voice(settings))
        return learnt(song, lexicon, lyrics, known_words(settings, known) if known else None)


def request_for(title: str, artist: str, lyrics: Path | None, count: str) -> "SongRequest":
    """What the flags ask for; lyrics are read from their file, with the title and the artist it names."""
    from pydantic import ValidationError

    from studium.domain.word import SongRequest
    from studium.readers.lyrics.reading import read_lyrics

    text = None
    if lyrics is not None:
        reading = read_lyrics(lyrics)
        if reading.lyrics is None:
            raise BadInput("; ".join(map(str, reading.findings)))
        text, artist = reading.lyrics.text, artist or reading.lyrics.artist
    try:
        wanted = count if count == "all" else int(count)
        return SongRequest(song=title, artist=artist, lyrics=text, count=wanted)
    except (ValueError, ValidationError) as error:
        raise BadInput(f"--count {count} is no number from 1 to 400.", remedy="Give a number, or `all`.") from error


def looking_online(settings: "Settings", *, online: bool) -> "Settings":
    """The settings, with looking up switched on if the flag says so."""
    vocabulary = settings.vocabulary.model_copy(update={"online": settings.vocabulary.online or online})
    return settings.model_copy(update={"vocabulary": vocabulary})
