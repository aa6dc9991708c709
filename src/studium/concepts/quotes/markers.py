"""Finds what marks quotes, notes and page references (`p. 12`, `Loc 123`), in several languages."""

import re
from functools import cache
from typing import NamedTuple

from studium.core.text.word_lists import load_word_table


@cache
def marker_words(kind: str) -> tuple[str, ...]:
    """The words of a kind, as `markers.yaml` lists them."""
    return tuple(str(word) for word in load_word_table(__package__, "markers.yaml")[kind])


@cache
def marker_pattern(kind: str) -> str:
    """A pattern of the words of a kind, the longest first."""
    return "(?:" + "|".join(re.escape(word) for word in sorted(marker_words(kind), key=len, reverse=True)) + ")"


@cache
def _heading_pattern() -> re.Pattern[str]:
    quotes = marker_pattern("quotes")
    return re.compile(
        rf"(?:(?:{marker_pattern('whose')})\s+)?{quotes}(?:\s+{marker_pattern('which')}.*)?", re.IGNORECASE
    )


def is_quotes_heading(heading: str) -> bool:
    """Whether a heading says that quotes follow: `Citas`, `My Highlights`, `📚 Quotes from Walden:`."""
    words = re.search(r"[^\W\d_]", heading)
    end = next((at for at in range(len(heading), 0, -1) if heading[at - 1].isalnum()), 0)
    return bool(words and _heading_pattern().fullmatch(heading[words.start() : end]))


@cache
def _note_pattern() -> re.Pattern[str]:
    return re.compile(rf"[*_]{{0,2}}{marker_pattern('note_labels')}[*_]{{0,2}}\s*[:：][*_]{{0,2}}\s*", re.IGNORECASE)


def labelled_note(text: str) -> str | None:
    """The reader's note, if a text says that it is one: `Nota: …`, `**Note:** …`, `→ …`."""
    if text.startswith(("→", "=>")):
        return text.lstrip("→=> ").strip()
    match = _note_pattern().match(text)
    return text[match.end() :].strip() if match else None


_PAIRS = {"“": "”", "„": "“”", "«": "»", "»": "«", '"': '"', "「": "」", "『": "』"}
_EMPHASIS = ("***", "**", "==", "*", "_")
_HARD_BREAK = re.compile(r"(?: {2,}|\\|<br ?/?>)$")
_CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")


def strip_quote_marks(text: str) -> str:
    """A quote without the quotation marks or the emphasis around it."""
    while (inner := _inner(text)) is not None:
        text = inner
    return text


def join_lines(lines: list[str]) -> str:
    """The lines of a paragraph as one; a line broken on purpose stays broken."""
    text = ""
    for line in lines:
        broken = _HARD_BREAK.search(line, max(0, len(line) - len("<br />")))
        bare = (line[: broken.start()] if broken else line).strip()
        text += bare + ("\n" if broken else "" if _CJK.match(bare[-1:]) else " ")
    return text.strip()


def _inner(text: str) -> str | None:
    text = text.strip()
    closing = _PAIRS.get(text[:1])
    if closing and text[1:-1] and text[-1] in closing and not any(mark in text[1:-1] for mark in text[0] + closing):
        return text[1:-1].strip()
    for mark in _EMPHASIS:
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            inner = text[len(mark) : -len(mark)]
            return None if mark[0] in inner else inner.strip()
    return None


# A number is taken whole (`(?>…)`): else `1,000,000,…` is tried as every list of numbers that it can be.
_NUMBER = r"(?>\d{1,3}(?:[,.]\d{3})+(?!\d)|\d{1,6}|[ivxlcdm]{1,8}(?![^\W\d_]))"
_TO = r"\s{0,8}(?:-|–|—|‐|‑|−|~|〜|\bto\b|\ba\b|\bbis\b|\bà\b)\s{0,8}"
_ALSO = r"\s{0,8}(?:,|;|&|\band\b|\by\b|\be\b|\bund\b|\bet\b)\s{0,8}"
_AGAIN = r"(?:(?:pp?|p[aá]gs?)\.\s*)?"
_NUMBERS = rf"{_NUMBER}(?:\s?ff?\b\.?|{_TO}{_AGAIN}{_NUMBER})?(?:{_ALSO}{_AGAIN}{_NUMBER}(?:{_TO}{_NUMBER})?){{0,5}}"
_SHORT_PAGE = r"(?:pp?|pgs?|p[aá]gs?|s(?=\.))(?![^\W\d_])\.?"
_LONG_PAGE = r"(?:pages?|páginas?|paginas?|seiten?|pagin[ae]|ページ|頁|页)"
_LOCATION = (
    r"(?:locs?|locations?|pos|position(?:en)?|posici[oó]n|ubicaci[oó]n"
    r"|emplacements?|posizion[ei]|posição|位置)"
)
# White space is not given back (`\s*+`) and begins with its run: else a long run is tried from every place in it.
_AT = r"(?:\s*+(?:no\.?|nr\.?|n\.º|#|:|：))?\s*+\[?"
_CJK_PAGE = r"第?\s*\d{1,6}(?:\s*[-–~〜]\s*\d{1,6})?\s*(?:ページ|頁|页)"
_SHORT = rf"(?:{_SHORT_PAGE}{_AT}(?P<short_at>{_NUMBERS})\]?|(?P<cjk>{_CJK_PAGE}))"
_LONG = rf"(?:{_LONG_PAGE}{_AT}(?P<long_at>{_NUMBERS})\]?|{_LOCATION}\b\.?{_AT}(?P<loc_at>{_NUMBERS})\]?)"
_ANY = rf"(?:{_SHORT}|{_LONG})"
_MARKUP = r"[*_~=]{0,3}"
_DASH = r"(?:[-–—―|·,;~]+\s*+)?"

_BRACKETED = re.compile(
    rf"(?<!\s)\s*+(?:(?<=\s)[-–—―|·,]\s*+)?{_MARKUP}[(\[（【{{]\s*+"
    rf"(?:(?:(?P<before>[^()\[\]（）]{{1,80}}?)[,;:]\s+)??{_ANY}|(?P<bare>\d{{1,4}}(?:\s?[-–]\s?\d{{1,4}})?))"
    rf"\s*+(?:[,;]\s*+(?P<after>[^()\[\]]{{1,60}}))?[)\]）】}}]{_MARKUP}(?P<stop>[.,;。]?)\s*$",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"\s*+{_DASH}{_MARKUP}[(\[（]?\s*+{_ANY}\s*+[)\]）]?{_MARKUP}[.:]?{_MARKUP}\s*+", re.IGNORECASE)
_BARE_ALONE = re.compile(rf"\s*+{_DASH}{_MARKUP}[(\[]\s*+(\d{{1,4}}(?:\s?[-–]\s?\d{{1,4}})?)\s*+[)\]]{_MARKUP}\s*+")
_AFTER_STOP = re.compile(
    rf"(?:(?<=[.!?…\"”»«’'“)\]。！？」])\s*+|(?<=[*_])\s++|(?<!\s)(?:\s*+[-–—―|·,]\s*+|\t|\s\s++))"
    rf"{_MARKUP}{_ANY}{_MARKUP}\.?\s*+$",
    re.IGNORECASE,
)
_AFTER_WORD = re.compile(
    rf"(?<!\s)\s++{_MARKUP}(?=(?:pp?|pgs?|p[aá]gs?|s\.|locs?)[\s.\d]|第?\d++\s*+(?:ページ|頁|页))"
    rf"{_ANY}{_MARKUP}\.?\s*+$",
    re.IGNORECASE,
)
_LEADING = re.compile(
    rf"(?=[*_(\[]|[^:–—]{{1,40}}?\d\s*[:–—])[*_]{{0,3}}[(\[]?{_ANY}[)\]]?[:.]?[*_]{{0,3}}\s*[:.–—-]?\s+(?=\S)",
    re.IGNORECASE,
)
_REFERRING = re.compile(
    r"\b(?:see|on|cf|at|from|véase|ver|en la|en|de la|vgl|siehe|auf|cf|voir|à la|de|vedi|a)\.?\s*$", re.IGNORECASE
)
_LINKED = re.compile(r"\[([^\[\]]{1,60})\]\((?:[a-z][\w+.-]*:|#)[^()\s]{0,300}\)")
_VIEW = re.compile(r"(?<!\s)\s*+\(?(?:View Highlight|Open in Kindle|↗)\)?\s*$", re.IGNORECASE)
_BLOCK_ID = re.compile(r"(?<!\s)\s++\^[\w-]+\s*$")
_YEARS = range(1400, 2101)
_TAIL = 400
_ENDED = frozenset(".!?…\"”»’'。！？」*_)")


class SplitText(NamedTuple):
    """A text without the place at its end, the place, and what else was in its brackets."""

    text: str
    place: str = ""
    beside: str = ""
    bracketed: bool = False


def split_page_reference(text: str) -> SplitText:
    """Separate a quote from the page or location at its end."""
    head, tail = text[:-_TAIL], text[-_TAIL:]
    tail = _unlinked(tail)
    match = _BRACKETED.search(tail)
    if match and not _is_year(match["bare"]):
        text = _ended(head + tail[: match.start()], match["stop"])
        beside = ", ".join(filter(None, (match["before"], match["after"])))
        return SplitText(text, _place(match), beside, bracketed=True)
    match = _AFTER_STOP.search(tail) or _AFTER_WORD.search(tail)
    if match and (head or match.start()) and not _REFERRING.search(tail[: match.start()]):
        return SplitText((head + tail[: match.start()]).rstrip(), _place(match))
    return _split_leading((head + tail).rstrip())


def _split_leading(text: str) -> SplitText:
    """Separate a quote from the page before it: `p. 15: …`, `(p. 16) …`, `**Page 14** …`."""
    match = _LEADING.match(text)
    return SplitText(text[match.end() :], _place(match)) if match else SplitText(text)


def page_reference_of(text: str) -> str:
    """The page or location, if a text is nothing else."""
    if len(text) > _TAIL:
        return ""
    plain = _unlinked(text)
    if match := _ALONE.fullmatch(plain):
        return _place(match)
    match = _BARE_ALONE.fullmatch(plain)
    return "" if not match or _is_year(match[1]) else _numbers(match[1])


def format_page(numbers: str) -> str:
    """A page or pages as we write them."""
    return _numbers(numbers)


def format_location(numbers: str) -> str:
    """A location of an electronic book as we write it."""
    return f"loc. {_numbers(numbers)}"


def _unlinked(tail: str) -> str:
    """A text's end without block marks and with the words of its links only."""
    if "^" in tail:
        tail = _BLOCK_ID.sub("", tail)
    if "](" in tail:
        tail = _VIEW.sub("", _LINKED.sub(r"\1", tail))
    return tail


def _place(match: re.Match[str]) -> str:
    found = match.groupdict()
    if found["loc_at"]:
        return format_location(found["loc_at"])
    return _numbers(found["short_at"] or found["long_at"] or found["cjk"] or found.get("bare") or "")


def _numbers(written: str) -> str:
    """`3 – 4` is `3-4`; `12 und 15` is `12, 15`."""
    bare = re.sub(
        r"[第ページ頁页]|(?<=\d)[,.](?=\d{3}(?!\d))|(?:pp?|p[aá]gs?)\.\s*", "", written.strip(), flags=re.IGNORECASE
    )
    ranged = re.sub(_TO, "-", bare, flags=re.IGNORECASE)
    return re.sub(r"\s+", " ", re.sub(_ALSO, ", ", ranged, flags=re.IGNORECASE)).strip(" .")


def _is_year(bare: str | None) -> bool:
    return bool(bare) and any(int(number) in _YEARS for number in re.findall(r"\d+", bare or ""))


def _ended(text: str, stop: str) -> str:
    """The full stop after the brackets belongs to the sentence before them."""
    text = text.rstrip()
    return text + stop if stop in {".", "。"} and text and text[-1] not in _ENDED else text
