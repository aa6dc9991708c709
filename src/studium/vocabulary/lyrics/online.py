"""Looking for lyrics on the network, or not looking."""

import asyncio
import re
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from http import HTTPStatus
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from unicodedata import normalize
from urllib.parse import urlencode

import orjson

from studium.core.documents.html import parse_html
from studium.core.documents.markup.page_builder import UnreadableDocument
from studium.core.domain.errors import MissingExtra, NotFound, ServiceDown
from studium.core.public_web import NotPublic, PublicWeb, UnusablePage
from studium.vocabulary.domain import FindLyrics, Lyrics
from studium.vocabulary.lyrics.parser import parse_lyrics

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_INLINE = frozenset(
    {
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "cite",
        "code",
        "data",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "q",
        "rb",
    }
    | {"ruby", "s", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr"}
)
_UNREAD = frozenset(
    {"head", "script", "style", "noscript", "template", "iframe", "rt", "rp", "rtc", "svg", "canvas", "audio", "video"}
    | {"button", "select", "textarea", "input", "form", "nav", "header", "footer", "aside"}
)
_UNREAD_CLASSES = frozenset({"rt", "furigana", "romaji"})
_NAMED = re.compile(r"lyric|kashi|songtext", re.IGNORECASE)
_KEEPS_LINES = re.compile(r"white-space\s*:\s*pre")
_SPACE = re.compile(r"\s+")
_LONGEST = 100
_FEWEST = 4
# What a line of verse, of a heading or menu, and of prose says for the element it stands in.
_VERSE, _OTHER, _PROSE = 2, -1, -6


class _Line(NamedTuple):
    """A line as a browser would set it, the element it stands in, and whether a `<br>` ends it."""

    text: str
    block: "Element"
    broken: bool


def extract_lyrics(data: bytes) -> str:
    """The lyrics on a page, verses parted by blank lines; empty if nothing on it is set like verses."""
    lines: list[_Line] = []
    try:
        root = parse_html(data)
        body = next(root.iter("body"), root)
        _collect_lines(body, lines)
    except (UnreadableDocument, RecursionError):  # a page that nests its elements that deep was not made to be read
        return ""
    inside = {element for part in _verses(body, lines) for element in part.iter()}
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.text for line in lines if line.block in inside)).strip()


def _verses(body: "Element", lines: list[_Line]) -> "set[Element]":
    """The element with the most verse in it and the least of anything else, and those beside it that are like it."""
    worth = _worth_of_blocks(lines)
    inside_out = list(body.iter("*"))[::-1]
    for element in inside_out:
        if (parent := element.getparent()) is not None:
            worth[parent] += worth[element]
    # Of equals the innermost is wanted, which comes first.
    best = max(inside_out, key=worth.__getitem__)
    tag, kind = str(best.tag), best.get("class")
    beside = *best.itersiblings(tag, preceding=True), *best.itersiblings(tag)
    like = {best, *(each for each in beside if each.get("class") == kind and worth[each] > 0)}
    return like if sum(worth[each] for each in like) >= _FEWEST * _VERSE else set()


def _worth_of_blocks(lines: list[_Line]) -> "Counter[Element]":
    """How much the lines that stand in each element itself look like verse."""
    broken = {line.block for line in lines if line.broken}
    worth: Counter[Element] = Counter()
    for block, group in groupby((line for line in lines if line.text), key=lambda line: line.block):
        usual = _VERSE if block in broken or _is_named(block) else _OTHER
        worth[block] += sum(_PROSE if len(line.text) > _LONGEST else usual for line in group)
    return worth


def _is_named(block: "Element") -> bool:
    """Whether an element or one close around it is called lyrics; a page that calls its body so says nothing."""
    around = islice(block.iterancestors("div", "section", "p", "pre"), 2)
    return any(_NAMED.search(f"{each.get('class')} {each.get('id')}") for each in (block, *around))


def _collect_lines(block: "Element", lines: list[_Line]) -> None:
    """Add the lines in an element, in order; a blank one where a paragraph ends."""
    pieces: list[str | Element] = []
    _collect_pieces(block, pieces)
    text: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            text.append(piece)
            continue
        broken = piece.tag == "br"
        lines += _set("".join(text), block, broken=broken)
        text.clear()
        if not broken:
            _collect_lines(piece, lines)
            lines.append(_Line("", block, broken=False))
    lines += _set("".join(text), block, broken=False)


def _collect_pieces(element: "Element", pieces: "list[str | Element]") -> None:
    """Add the text of an element and of what is in line with it, the breaks, and the blocks inside."""
    pieces.append(element.text or "")
    for child in element:
        if isinstance(child.tag, str) and not _is_unread(child):
            if child.tag in _INLINE:
                _collect_pieces(child, pieces)
            else:
                pieces.append(child)
        pieces.append(child.tail or "")


def _set(text: str, block: "Element", *, broken: bool) -> Iterator[_Line]:
    """A text in lines: one, unless its element keeps the line ends of the source."""
    if block.tag == "pre" or _KEEPS_LINES.search(block.get("style") or ""):
        yield from (_Line(line.strip(), block, broken=True) for line in text.strip("\n").split("\n"))
    elif broken or text.strip():
        yield _Line(_SPACE.sub(" ", text).strip(), block, broken)


def _is_unread(element: "Element") -> bool:
    classes = (element.get("class") or "").lower().split()
    return element.tag in _UNREAD or bool(_UNREAD_CLASSES.intersection(classes)) or element.get("hidden") is not None


LOOKUP_TIMEOUT = 20.0

_PASTE = "Check the spelling of title and artist, paste the lyrics, or name a file that holds them."
_LATER = "Try again later, or paste the lyrics."


class FoundText(NamedTuple):
    """The text of a song as a source has it, and what the source calls the song."""

    text: str
    url: str
    title: str
    artist: str


class LyricsSource(Protocol):
    """Somewhere that lyrics can be had."""

    async def find(self, song: str, artist: str) -> FoundText | None:
        """The text of this song, if it is there."""
        ...


@dataclass(frozen=True)
class FoundLyrics:
    """The lyrics of a song, where they stand, and what the song is called there."""

    lyrics: Lyrics
    source: str
    title: str
    artist: str


class LyricsFinder:
    """Asks the sources in their order; `parse` makes lyrics of the text that one has."""

    def __init__(
        self, sources: Sequence[LyricsSource], parse: Callable[[str], Lyrics], *, timeout: float = LOOKUP_TIMEOUT
    ) -> None:
        self._sources = sources
        self._parse = parse
        self._timeout = timeout

    async def find(self, song: str, artist: str = "") -> FoundLyrics:
        """The lyrics of a song; NotFound if nobody has them, ServiceDown if somebody could not be asked."""
        name = f"“{song}”" + (f" by {artist}" if artist else "")
        if not song.strip():
            raise NotFound("A song without a title cannot be looked up.", remedy=_PASTE)
        try:
            async with asyncio.timeout(self._timeout):
                return await self._ask_all(song.strip(), artist.strip(), name)
        except TimeoutError as error:
            what = f"Looking up {name} took longer than {self._timeout:g} s."
            raise ServiceDown(what, remedy=_LATER) from error

    async def _ask_all(self, song: str, artist: str, name: str) -> FoundLyrics:
        down: ServiceDown | None = None
        for source in self._sources:
            try:
                found = await source.find(song, artist)
            except ServiceDown as error:
                down = error
                continue
            except (NotPublic, UnusablePage):
                continue
            if found and (lyrics := self._parse(found.text)).text:
                known = replace(lyrics, title=found.title, artist=found.artist, source=found.url)
                return FoundLyrics(known, found.url, found.title, found.artist)
        if down:
            raise ServiceDown(f"The lyrics of {name} could not be looked up: {down.what}", remedy=_LATER)
        raise NotFound(f"No lyrics of {name} were found.", remedy=_PASTE)


LRCLIB_ADDRESS = "https://lrclib.net"

_ADDITION = re.compile(r"(?<=\S)\s*(?:[(\uff08\[\u3010].*|\s[-–~/]\s.*|\s(?:feat|ft)\b.*)", re.IGNORECASE | re.DOTALL)


class Lrclib:
    """Asks for the very song first, then for songs that are called so."""

    def __init__(self, web: PublicWeb, address: str = LRCLIB_ADDRESS) -> None:
        self._web = web
        self._address = address.rstrip("/")

    async def find(self, song: str, artist: str) -> FoundText | None:
        """The text of this song, with times if there are any."""
        named = {"track_name": song} | ({"artist_name": artist} if artist else {})
        if artist and (found := self._text(await self._ask("get", named))):
            return found
        records = await self._ask("search", named)
        return self._best(records, song, artist) if isinstance(records, list) else None

    async def _ask(self, what: str, named: Mapping[str, str]) -> Any:
        """The answer; `None` if there is no such song."""
        page = await self._web.get(f"{self._address}/api/{what}?{urlencode(named)}")
        if page.status in (HTTPStatus.NOT_FOUND, HTTPStatus.BAD_REQUEST):
            return None
        if page.status != HTTPStatus.OK:
            raise ServiceDown(f"LRCLIB answers with status {page.status}.", remedy="Try again later.")
        try:
            return orjson.loads(page.data)
        except orjson.JSONDecodeError as error:
            raise UnusablePage("LRCLIB sent something that is not JSON.") from error

    def _best(self, records: Sequence[Any], song: str, artist: str) -> FoundText | None:
        """Of the songs that are called so, the one whose names are most like what was asked for."""
        texts = [text for record in records if (text := self._text(record)) and _alike(text.title, song)]
        return max(texts, key=lambda text: _alike(text.title, song) + _alike(text.artist, artist), default=None)

    def _text(self, record: Any) -> FoundText | None:
        if not isinstance(record, dict):
            return None
        text = record.get("syncedLyrics") or record.get("plainLyrics")
        title, artist, number = (record.get(key) for key in ("trackName", "artistName", "id"))
        if not (isinstance(text, str) and isinstance(title, str) and isinstance(artist, str)):
            return None
        return FoundText(text, f"{self._address}/api/get/{number}", title, artist)


def _alike(one: str, other: str) -> int:
    """2 for the same name, 1 for the same but for an addition (`Lemon (Live)`, `Lemon - Remastered`), 0 for another."""
    if _letters(one) == _letters(other):
        return 2
    return int(_letters(_ADDITION.sub("", one)) == _letters(_ADDITION.sub("", other)))


def _letters(name: str) -> str:
    folded = normalize("NFKC", name).casefold()
    return "".join(filter(str.isalnum, folded)) or folded


_RESULTS = 8
_PAGES = 3


class SearchHit(NamedTuple):
    """A page that a search engine found."""

    title: str
    url: str


Search = Callable[[str], Awaitable[Sequence[SearchHit]]]


class WebSearch:
    """Reads the first pages that a search finds; `extract` takes the lyrics out of a page, or says that it has none."""

    def __init__(self, web: PublicWeb, search: Search, extract: Callable[[bytes], str]) -> None:
        self._web = web
        self._search = search
        self._extract = extract

    async def find(self, song: str, artist: str) -> FoundText | None:
        """The text on the first page that has one."""
        hits = await self._search(f"{song} {artist} lyrics 歌詞".replace("  ", " "))
        # A page whose title names the song is likelier to be about it.
        likely = sorted(hits, key=lambda hit: song.casefold() not in hit.title.casefold())
        for hit in likely[:_PAGES]:
            if text := await self._read(hit.url):
                return FoundText(text, hit.url, song, artist)
        return None

    async def _read(self, url: str) -> str:
        try:
            page = await self._web.get(url)
        except (NotPublic, UnusablePage, ServiceDown):
            return ""
        if page.status != HTTPStatus.OK or not page.kind.endswith("html"):
            return ""
        # A large page takes a second or two, and others are being served meanwhile.
        return await asyncio.to_thread(self._extract, page.data)


def duckduckgo(timeout: float) -> Search:
    """The search of the package ddgs, which asks several engines."""

    async def search(query: str) -> Sequence[SearchHit]:
        return await _in_thread(lambda: _ask_engines(query, timeout))

    return search


def _ask_engines(query: str, timeout: float) -> Sequence[SearchHit]:
    try:
        from ddgs import DDGS
        from ddgs.exceptions import DDGSException
    except ImportError as error:
        raise MissingExtra(
            "Searching the web for lyrics needs the package ddgs.", remedy="pip install 'studium[lyrics]'"
        ) from error
    try:
        found = DDGS(timeout=max(1, int(timeout))).text(query, max_results=_RESULTS)
    except DDGSException as error:
        if "No results" in str(error):
            return ()
        raise ServiceDown(f"The web search failed: {error}", remedy="Try again later, or paste the lyrics.") from error
    return [SearchHit(hit.get("title", ""), hit["href"]) for hit in found if hit.get("href")]


async def _in_thread(work: Callable[[], Sequence[SearchHit]]) -> Sequence[SearchHit]:
    """Do blocking work in a thread that nobody waits for: a search that hangs must not keep the program from ending."""
    done: Future[Sequence[SearchHit]] = Future()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            done.set_result(work())
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where the result is awaited
            done.set_exception(error)

    threading.Thread(target=run, name="lyrics-search", daemon=True).start()
    return await asyncio.wrap_future(done)


async def lookup_disabled(song: str, artist: str) -> Lyrics:
    """Nothing is looked for unless the user wants it."""
    name = f"“{song}”" + (f" by {artist}" if artist else "")
    raise NotFound(
        f"The lyrics of {name} are not at hand.",
        remedy="Paste them, name a file (--lyrics), or allow looking on the network (--online, `vocabulary.online`).",
    )


def online_finder(timeout: float) -> FindLyrics:
    """Looks in LRCLIB, then by a search of the web; only at public addresses."""
    web = PublicWeb(timeout=timeout)
    sources = (Lrclib(web), WebSearch(web, duckduckgo(timeout), extract_lyrics))
    looking = LyricsFinder(sources, parse_lyrics, timeout=timeout)

    async def find(song: str, artist: str) -> Lyrics:
        return (await looking.find(song, artist)).lyrics

    return find
