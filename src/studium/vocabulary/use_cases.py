"""The use cases of vocabulary: analyse a song or a text, export words, and look after the known words."""

from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from studium.core.domain.errors import BadInput, NotFound
from studium.core.reader_process import outside_server

if TYPE_CHECKING:
    from studium.core.app import App
    from studium.core.config import Settings
    from studium.vocabulary.domain import SavedSong, SongRequest
    from studium.vocabulary.known_words import KnownWordList
    from studium.vocabulary.song_report import SongReport


async def analyse_song(
    settings: "Settings",
    request: "SongRequest",
    known: str | None,
    apkg: Path | None,
) -> "SongReport":
    """Find a song's words, compare them with the known ones, and write an Anki package if `apkg` is given."""
    from studium.core.app import open_app
    from studium.core.domain.run import emit_progress, without_progress
    from studium.vocabulary.lyrics.parser import parse_lyrics
    from studium.vocabulary.setup import (
        build_pronunciation,
        lexicon,
        load_known_words,
        prepare_dictionary,
        vocabulary_generator,
    )
    from studium.vocabulary.song_report import build_report, write_song_package

    prepare_dictionary(settings, partial(emit_progress, item="preparing the dictionary (only once)"))
    async with open_app(settings) as app:
        with without_progress():
            song = await vocabulary_generator(app).words_of(request)
        text = request.lyrics or song.lyrics
        lyrics = parse_lyrics(text) if text else None
        words = lexicon(app)
        if apkg is not None:
            write_song_package(apkg, song, words, lyrics, build_pronunciation(settings))
        return build_report(song, words, lyrics, load_known_words(settings, known) if known else None)


def song_request(title: str, artist: str, lyrics: Path | None, count: str) -> "SongRequest":
    """Build a request; lyrics are read from their file, and the artist too unless it is given."""
    from pydantic import ValidationError

    from studium.vocabulary.domain import MAX_LYRICS, MAX_NAME, SongRequest
    from studium.vocabulary.lyrics.files import read_lyrics

    text = None
    if lyrics is not None:
        reading = read_lyrics(lyrics)
        if reading.lyrics is None:
            raise BadInput("; ".join(map(str, reading.findings)))
        text, artist = reading.lyrics.text, artist or reading.lyrics.artist[:MAX_NAME]
        if len(text) > MAX_LYRICS:
            raise BadInput(f"{lyrics} has more than {MAX_LYRICS:,} characters.", remedy="Split the file.")
    if not 0 < len(title) <= MAX_NAME or len(artist) > MAX_NAME:
        raise BadInput(
            f"A title has 1–{MAX_NAME} characters, and an artist at most {MAX_NAME}.", remedy="Shorten the name."
        )
    try:
        number = count if count == "all" else int(count)
        return SongRequest(song=title, artist=artist, lyrics=text, count=number)
    except (ValueError, ValidationError) as error:
        raise BadInput(f"Invalid --count: {count}", remedy="Use a number from 1 to 400, or `all`.") from error


@outside_server(lambda _settings, request: f"“{request.song}”")
def song_words(settings: "Settings", request: "SongRequest") -> "SavedSong":
    """Find a song's words by rules alone; what a process needs for it is loaded once."""
    import asyncio

    from studium.vocabulary.setup import vocabulary_generator

    return asyncio.run(vocabulary_generator(_kept_app(settings)).words_of(request))


_kept_apps: "dict[str, App]" = {}


def _kept_app(settings: "Settings") -> "App":
    from studium.core.app import build_app, open_database

    key = settings.model_dump_json()
    if key not in _kept_apps:
        _kept_apps[key] = build_app(settings, open_database(settings))
    return _kept_apps[key]


def with_online_lookup(settings: "Settings", *, online: bool) -> "Settings":
    """Return the settings with online lookup enabled, if wanted."""
    vocabulary = settings.vocabulary.model_copy(update={"online": settings.vocabulary.online or online})
    return settings.model_copy(update={"vocabulary": vocabulary})


def ensure_dictionary(settings: "Settings") -> None:
    """Prepare the dictionary if necessary, reporting progress."""
    from studium.core.domain.run import emit_progress
    from studium.vocabulary.setup import prepare_dictionary

    prepare_dictionary(settings, partial(emit_progress, item="words of the dictionary"))


def known_word_list(settings: "Settings") -> "KnownWordList":
    """Return the words that the learner marked as known, in the language being learned."""
    from studium.vocabulary.known_words import KnownWordList

    return KnownWordList(settings.home / f"known-words-{settings.vocabulary.language}.txt")


@outside_server(lambda _settings, word, _reading: f"“{word}”")
def speak_word(settings: "Settings", word: str, reading: str) -> bytes:
    """Speak a word with the given reading, as a WAV file."""
    from studium.vocabulary.japanese.kana import count_japanese_characters, is_kana
    from studium.vocabulary.languages import speak_japanese

    if settings.vocabulary.language != "ja":
        raise NotFound("There is no voice for this language.", remedy="Only Japanese can be spoken.")
    if not count_japanese_characters(word) or not word.isprintable() or (reading and not is_kana(reading)):
        raise BadInput("This is not a Japanese word.", remedy="Give a word in kanji or kana, and its reading in kana.")
    return speak_japanese(word, reading)


def export_words(settings: "Settings", song: "SavedSong", words: Collection[str], target: Path) -> int:
    """Write an Anki package of the chosen words (`歩く[あるく]`) of a saved song, and return how many there are."""
    from studium.vocabulary.setup import build_lexicon, build_pronunciation
    from studium.vocabulary.song_reader import saved_lyrics, word_key
    from studium.vocabulary.song_report import write_song_package

    chosen = tuple(item for item in song.vocabulary if word_key(item.kanji, item.reading) in words)
    if not chosen:
        raise NotFound(f"None of these words is in “{song.song}”.", remedy="Choose words of this song.")
    selection = song.model_copy(update={"vocabulary": chosen})
    write_song_package(target, selection, build_lexicon(settings), saved_lyrics(song), build_pronunciation(settings))
    return len(chosen)
