"""Looking for lyrics on the network, or not looking."""

from studium.core.domain.errors import NotFound
from studium.domain.word import Lyrics
from studium.readers.lyrics.pages import lyrics_in_page
from studium.readers.lyrics.text import lyrics_of
from studium.stores.lyrics.finding import LyricsFinder
from studium.stores.lyrics.lrclib import Lrclib
from studium.stores.lyrics.websearch import WebSearch, duckduckgo
from studium.stores.web.public import PublicWeb
from studium.workflows.vocabulary.tools import FindLyrics


async def not_looking(song: str, artist: str) -> Lyrics:
    """Nothing is looked for unless the user wants it."""
    name = f"“{song}”" + (f" by {artist}" if artist else "")
    raise NotFound(
        f"The lyrics of {name} are not at hand.",
        remedy="Paste them, name a file (--lyrics), or allow looking on the network (--online, `vocabulary.online`).",
    )


def finder(timeout: float) -> FindLyrics:
    """Looks in LRCLIB, then by a search of the web; only at public addresses."""
    web = PublicWeb(timeout=timeout)
    sources = (Lrclib(web), WebSearch(web, duckduckgo(timeout), lyrics_in_page))
    looking = LyricsFinder(sources, lyrics_of, timeout=timeout)

    async def find(song: str, artist: str) -> Lyrics:
        return (await looking.find(song, artist)).lyrics

    return find
