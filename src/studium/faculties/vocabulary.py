"""What can be asked of vocabulary: the words of a song or a text, held against what is known."""

from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from studium.core.domain.errors import BadInput, NotFound

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.domain.word import KeptSong, SongRequest
    from studium.running.vocabulary.familiar import FamiliarWords
    from studium.running.vocabulary.learning import Learnt


async def learn(
    settings: "Settings",
    request: "SongRequest",
    known: str | None,
    apkg: Path | None,
) -> "Learnt":
    """Find a song's words, hold them against what is known, and write the package if one is asked for."""
    from studium.bootstrap.house import open_house
    from studium.bootstrap.songs import known_words, songs
    from studium.bootstrap.vocabulary import prepare_dictionary, song_voice
    from studium.core.domain.run import emit_progress, without_progress
    from studium.readers.lyrics.text import lyrics_of
    from studium.running.vocabulary.learning import learnt, write_song

    prepare_dictionary(settings, partial(emit_progress, item="preparing the dictionary, once"))
    async with open_house(settings) as house:
        with without_progress():
            song = await songs(house).words_of(request)
        text = request.lyrics or song.lyrics
        lyrics = lyrics_of(text) if text else None
        lexicon = house.lexicon()
        if apkg is not None:
            write_song(apkg, song, lexicon, lyrics, song_voice(settings))
        return learnt(song, lexicon, lyrics, known_words(settings, known) if known else None)


def request_for(title: str, artist: str, lyrics: Path | None, count: str) -> "SongRequest":
    """What is asked for; lyrics are read from their file, with the title and the artist it names."""
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
    """The settings, with looking up switched on if that is wanted."""
    vocabulary = settings.vocabulary.model_copy(update={"online": settings.vocabulary.online or online})
    return settings.model_copy(update={"vocabulary": vocabulary})


def is_prepared(settings: "Settings") -> bool:
    """Whether the dictionary lies ready."""
    from studium.stores.dictionary.preparing import file_in

    return settings.vocabulary.language != "ja" or file_in(settings.home / "dictionary").exists()


def prepare(settings: "Settings") -> None:
    """Prepare the dictionary if it was not yet."""
    from studium.bootstrap.vocabulary import prepare_dictionary
    from studium.core.domain.run import emit_progress

    prepare_dictionary(settings, partial(emit_progress, item="words of the dictionary"))


def familiar_words(settings: "Settings") -> "FamiliarWords":
    """The words that the learner said to know, in the language that is learnt."""
    from studium.running.vocabulary.familiar import FamiliarWords

    return FamiliarWords(settings.home / f"known-words-{settings.vocabulary.language}.txt")


def say(settings: "Settings", word: str, reading: str) -> bytes:
    """A word as it sounds when it is read so: a WAV file."""
    from studium.languages.japanese.kana import is_kana, japanese_signs
    from studium.running.vocabulary.lexicons import say as say_in_japanese

    if settings.vocabulary.language != "ja":
        raise NotFound("There is no voice for this language.", remedy="Only Japanese is spoken.")
    if not japanese_signs(word) or not word.isprintable() or (reading and not is_kana(reading)):
        raise BadInput("This is no Japanese word.", remedy="Give a word in kanji or kana, and its reading in kana.")
    return say_in_japanese(word, reading)


def package(settings: "Settings", song: "KeptSong", words: Collection[str], target: Path) -> int:
    """Write a package of exactly these words (`歩く[あるく]`) of a kept song; says how many they are."""
    from studium.bootstrap.vocabulary import build_lexicon, song_voice
    from studium.faculties.reading import lines_of
    from studium.running.vocabulary.learning import write_song
    from studium.running.vocabulary.reader import word_key

    chosen = tuple(item for item in song.vocabulary if word_key(item.kanji, item.reading) in words)
    if not chosen:
        raise NotFound(f"None of these words stands in “{song.song}”.", remedy="Choose words of this song.")
    some = song.model_copy(update={"vocabulary": chosen})
    write_song(target, some, build_lexicon(settings), lines_of(song), song_voice(settings))
    return len(chosen)
