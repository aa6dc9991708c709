"""Looks up lyrics online: in LRCLIB, then on web pages found by a search."""

import asyncio
import re
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from http import HTTPStatus
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import urlencode

from studium.core.documents.html import parse_html
from studium.core.documents.markup.page_builder import UnreadableDocument
from studium.core.domain.errors import NotFound, ServiceDown
from studium.core.extras import needs_extra
from studium.core.json_files import UnreadableJson, load_json
from studium.core.public_web import NotPublic, PublicWeb, UnusablePage
from studium.core.text.normal_form import fold, fold_to_letters
from studium.vocabulary.domain import FindLyrics, Lyrics
from studium.vocabulary.lyrics.parser import parse_lyrics

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


LOOKUP_TIMEOUT = 20.0

_PASTE = "Check the spelling of title and artist, paste the lyrics, or use a file with lyrics."
_LATER = "Try again later, or paste the lyrics."


async def lookup_disabled(song: str, artist: str) -> Lyrics:
    """Refuse the lookup, because it is not enabled."""
    name = f"“{song}”" + (f" by {artist}" if artist else "")
    raise NotFound(
        f"There are no lyrics of {name}.",
        remedy="Paste them, use a file (--lyrics), or enable online lookup (--online, `vocabulary.online`).",
    )


def online_finder(timeout: float) -> FindLyrics:
    """Build the lookup in LRCLIB and by web search; only public addresses are contacted."""
    web = PublicWeb(timeout=timeout)
    sources = (Lrclib(web), WebSearch(web, duckduckgo(timeout), extract_lyrics))
    return LyricsFinder(sources, parse_lyrics, timeout=timeout).find


class FoundText(NamedTuple):
    """A song's text at a source, with the source's title and artist."""

    text: str
    url: str
    title: str
    artist: str


class LyricsSource(Protocol):
    """A source of lyrics."""

    async def find(self, song: str, artist: str) -> FoundText | None:
        """Return the text of a song, if the source has it."""
        ...


class LyricsFinder:
    """Asks the sources in order, and parses the first text found."""

    def __init__(
        self, sources: Sequence[LyricsSource], parse: Callable[[str], Lyrics], *, timeout: float = LOOKUP_TIMEOUT
    ) -> None:
        self._sources = sources
        self._parse = parse
        self._timeout = timeout

    async def find(self, song: str, artist: str = "") -> Lyrics:
        """Return a song's lyrics; raise NotFound if no source has them, ServiceDown if one could not be asked."""
        name = f"“{song}”" + (f" by {artist}" if artist else "")
        if not song.strip():
            raise NotFound("A song without a title cannot be looked up.", remedy=_PASTE)
        try:
            async with asyncio.timeout(self._timeout):
                return await self._ask_all(song.strip(), artist.strip(), name)
        except TimeoutError as error:
            what = f"Looking up {name} took longer than {self._timeout:g} s."
            raise ServiceDown(what, remedy=_LATER) from error

    async def _ask_all(self, song: str, artist: str, name: str) -> Lyrics:
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
                return replace(lyrics, title=found.title, artist=found.artist, source=found.url)
        if down:
            raise ServiceDown(f"The lyrics of {name} could not be looked up: {down.what}", remedy=_LATER)
        raise NotFound(f"No lyrics of {name} were found.", remedy=_PASTE)


LRCLIB_ADDRESS = "https://lrclib.net"

_ADDITION = re.compile(r"(?<=\S)\s*(?:[(\uff08\[\u3010].*|\s[-–~/]\s.*|\s(?:feat|ft)\b.*)", re.IGNORECASE | re.DOTALL)


class Lrclib:
    """LRCLIB: asks for the exact song first, then searches by title."""

    def __init__(self, web: PublicWeb, address: str = LRCLIB_ADDRESS) -> None:
        self._web = web
        self._address = address.rstrip("/")

    async def find(self, song: str, artist: str) -> FoundText | None:
        """Return the text of a song, with times if there are any."""
        query = {"track_name": song} | ({"artist_name": artist} if artist else {})
        if artist and (found := self._text(await self._ask("get", query))):
            return found
        records = await self._ask("search", query)
        return self._best(records, song, artist) if isinstance(records, list) else None

    async def _ask(self, what: str, query: Mapping[str, str]) -> Any:
        """Return the answer; `None` if there is no such song."""
        page = await self._web.get(f"{self._address}/api/{what}?{urlencode(query)}")
        if page.status in (HTTPStatus.NOT_FOUND, HTTPStatus.BAD_REQUEST):
            return None
        if page.status != HTTPStatus.OK:
            raise ServiceDown(f"LRCLIB answers with status {page.status}.", remedy="Try again later.")
        try:
            return load_json(page.data)
        except UnreadableJson as error:
            raise UnusablePage("LRCLIB sent something that is not JSON.") from error

    def _best(self, records: Sequence[Any], song: str, artist: str) -> FoundText | None:
        """Return the record whose title and artist are most similar."""
        texts = [text for record in records if (text := self._text(record)) and _name_similarity(text.title, song)]
        return max(
            texts,
            key=lambda text: _name_similarity(text.title, song) + _name_similarity(text.artist, artist),
            default=None,
        )

    def _text(self, record: Any) -> FoundText | None:
        if not isinstance(record, dict):
            return None
        text = record.get("syncedLyrics") or record.get("plainLyrics")
        title, artist, number = (record.get(key) for key in ("trackName", "artistName", "id"))
        if not (isinstance(text, str) and isinstance(title, str) and isinstance(artist, str)):
            return None
        return FoundText(text, f"{self._address}/api/get/{number}", title, artist)


def _name_similarity(one: str, other: str) -> int:
    """Return 2 for the same name, 1 for the same with an addition (`Lemon (Live)`), 0 for another."""
    if _letters(one) == _letters(other):
        return 2
    return int(_letters(_ADDITION.sub("", one)) == _letters(_ADDITION.sub("", other)))


def _letters(name: str) -> str:
    return fold_to_letters(name) or fold(name)


_RESULTS = 8
_PAGES = 3


class SearchHit(NamedTuple):
    """A page found by a search engine."""

    title: str
    url: str


Search = Callable[[str], Awaitable[Sequence[SearchHit]]]


class WebSearch:
    """Reads the first pages that a search finds; `extract` returns the lyrics of a page, or nothing."""

    def __init__(self, web: PublicWeb, search: Search, extract: Callable[[bytes], str]) -> None:
        self._web = web
        self._search = search
        self._extract = extract

    async def find(self, song: str, artist: str) -> FoundText | None:
        """Return the lyrics of the first page that has some."""
        hits = await self._search(f"{song} {artist} lyrics 歌詞".replace("  ", " "))
        # Pages with the song in their title first.
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
        # In a thread, because a large page takes a second or two.
        return await asyncio.to_thread(self._extract, page.data)


def duckduckgo(timeout: float) -> Search:
    """Build a search with the package ddgs, which asks several engines."""

    async def search(query: str) -> Sequence[SearchHit]:
        return await _in_thread(lambda: _ask_engines(query, timeout))

    return search


def _ask_engines(query: str, timeout: float) -> Sequence[SearchHit]:
    with needs_extra("lyrics", "Searching the web for lyrics"):
        from ddgs import DDGS
        from ddgs.exceptions import DDGSException
    try:
        found = DDGS(timeout=max(1, int(timeout))).text(query, max_results=_RESULTS)
    except DDGSException as error:
        if "No results" in str(error):
            return ()
        raise ServiceDown(f"The web search failed: {error}", remedy="Try again later, or paste the lyrics.") from error
    return [SearchHit(hit.get("title", ""), hit["href"]) for hit in found if hit.get("href")]


async def _in_thread(work: Callable[[], Sequence[SearchHit]]) -> Sequence[SearchHit]:
    """Run blocking work in a daemon thread, so that a search that hangs does not keep the program from exiting."""
    done: Future[Sequence[SearchHit]] = Future()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            done.set_result(work())
        except Exception as error:  # noqa: BLE001 - raised again where the result is awaited
            done.set_exception(error)

    threading.Thread(target=run, name="lyrics-search", daemon=True).start()
    return await asyncio.wrap_future(done)


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
_IGNORED = frozenset(
    {"head", "script", "style", "noscript", "template", "iframe", "rt", "rp", "rtc", "svg", "canvas", "audio", "video"}
    | {"button", "select", "textarea", "input", "form", "nav", "header", "footer", "aside"}
)
_IGNORED_CLASSES = frozenset({"rt", "furigana", "romaji"})
_NAMED = re.compile(r"lyric|kashi|songtext", re.IGNORECASE)
_KEEPS_LINES = re.compile(r"white-space\s*:\s*pre")
_SPACE = re.compile(r"\s+")
_MAX_LENGTH = 100
_MIN_LINES = 4
# The score of an element for each line of verse, of a heading or menu, and of prose.
_VERSE, _OTHER, _PROSE = 2, -1, -6


class _Line(NamedTuple):
    """A line as a browser shows it, its element, and whether it ends with `<br>`."""

    text: str
    block: "Element"
    broken: bool


def extract_lyrics(data: bytes) -> str:
    """Extract the lyrics from a web page, with blank lines between verses; empty if nothing looks like verses."""
    lines: list[_Line] = []
    try:
        root = parse_html(data)
        body = next(root.iter("body"), root)
        _collect_lines(body, lines)
    except (UnreadableDocument, RecursionError):  # nested too deeply
        return ""
    inside = {element for part in _verses(body, lines) for element in part.iter()}
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.text for line in lines if line.block in inside)).strip()


def _verses(body: "Element", lines: list[_Line]) -> "set[Element]":
    """Find the element with the most verse and the least else, and its similar siblings."""
    score = _score_blocks(lines)
    inside_out = list(body.iter("*"))[::-1]
    for element in inside_out:
        if (parent := element.getparent()) is not None:
            score[parent] += score[element]
    # Of equals, the innermost comes first.
    best = max(inside_out, key=score.__getitem__)
    tag, kind = str(best.tag), best.get("class")
    beside = *best.itersiblings(tag, preceding=True), *best.itersiblings(tag)
    like = {best, *(each for each in beside if each.get("class") == kind and score[each] > 0)}
    return like if sum(score[each] for each in like) >= _MIN_LINES * _VERSE else set()


def _score_blocks(lines: list[_Line]) -> "Counter[Element]":
    """Score how much the lines directly in each element look like verse."""
    broken = {line.block for line in lines if line.broken}
    score: Counter[Element] = Counter()
    for block, group in groupby((line for line in lines if line.text), key=lambda line: line.block):
        usual = _VERSE if block in broken or _is_named(block) else _OTHER
        score[block] += sum(_PROSE if len(line.text) > _MAX_LENGTH else usual for line in group)
    return score


def _is_named(block: "Element") -> bool:
    """Tell whether the class or id of an element, or of its close ancestors, says lyrics."""
    around = islice(block.iterancestors("div", "section", "p", "pre"), 2)
    return any(_NAMED.search(f"{each.get('class')} {each.get('id')}") for each in (block, *around))


def _collect_lines(block: "Element", lines: list[_Line]) -> None:
    """Collect the lines of an element, with a blank one after each paragraph."""
    pieces: list[str | Element] = []
    _collect_pieces(block, pieces)
    text: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            text.append(piece)
            continue
        broken = piece.tag == "br"
        lines += _split_lines("".join(text), block, broken=broken)
        text.clear()
        if not broken:
            _collect_lines(piece, lines)
            lines.append(_Line("", block, broken=False))
    lines += _split_lines("".join(text), block, broken=False)


def _collect_pieces(element: "Element", pieces: "list[str | Element]") -> None:
    """Collect the text of an element and its inline children, its breaks, and its blocks."""
    pieces.append(element.text or "")
    for child in element:
        if isinstance(child.tag, str) and not _is_ignored(child):
            if child.tag in _INLINE:
                _collect_pieces(child, pieces)
            else:
                pieces.append(child)
        pieces.append(child.tail or "")


def _split_lines(text: str, block: "Element", *, broken: bool) -> Iterator[_Line]:
    """Split a text into lines if its element keeps line ends; else it is one line."""
    if block.tag == "pre" or _KEEPS_LINES.search(block.get("style") or ""):
        yield from (_Line(line.strip(), block, broken=True) for line in text.strip("\n").split("\n"))
    elif broken or text.strip():
        yield _Line(_SPACE.sub(" ", text).strip(), block, broken)


def _is_ignored(element: "Element") -> bool:
    classes = (element.get("class") or "").lower().split()
    return element.tag in _IGNORED or bool(_IGNORED_CLASSES.intersection(classes)) or element.get("hidden") is not None
