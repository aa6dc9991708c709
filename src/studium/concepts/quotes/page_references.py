"""Where in a book a quote stands, in the many ways in which readers write it: `(p. 12)`, `pp. 3–4`, `Loc 123-125`."""

import re
from typing import NamedTuple

_NUMBER = r"(?:\d{1,3}(?:[,.]\d{3})+(?!\d)|\d{1,6}|[ivxlcdm]{1,8}(?![^\W\d_]))"
_TO = r"\s*(?:-|–|—|‐|‑|−|~|〜|\bto\b|\ba\b|\bbis\b|\bà\b)\s*"
_ALSO = r"\s*(?:,|;|&|\band\b|\by\b|\be\b|\bund\b|\bet\b)\s*"
_AGAIN = r"(?:(?:pp?|p[aá]gs?)\.\s*)?"
_NUMBERS = rf"{_NUMBER}(?:\s?ff?\b\.?|{_TO}{_AGAIN}{_NUMBER})?(?:{_ALSO}{_AGAIN}{_NUMBER}(?:{_TO}{_NUMBER})?){{0,5}}"
_SHORT_PAGE = r"(?:pp?|pgs?|p[aá]gs?|s(?=\.))(?![^\W\d_])\.?"
_LONG_PAGE = r"(?:pages?|páginas?|paginas?|seiten?|pagin[ae]|ページ|頁|页)"
_LOCATION = (
    r"(?:locs?|locations?|pos|position(?:en)?|posici[oó]n|ubicaci[oó]n"
    r"|emplacements?|posizion[ei]|posição|位置)"
)
_AT = r"(?:\s*(?:no\.?|nr\.?|n\.º|#|:|：))?\s*\[?"
_CJK_PAGE = r"第?\s*\d{1,6}(?:\s*[-–~〜]\s*\d{1,6})?\s*(?:ページ|頁|页)"
_SHORT = rf"(?:{_SHORT_PAGE}{_AT}(?P<short_at>{_NUMBERS})\]?|(?P<cjk>{_CJK_PAGE}))"
_LONG = rf"(?:{_LONG_PAGE}{_AT}(?P<long_at>{_NUMBERS})\]?|{_LOCATION}\b\.?{_AT}(?P<loc_at>{_NUMBERS})\]?)"
_ANY = rf"(?:{_SHORT}|{_LONG})"
_MARKUP = r"[*_~=]{0,3}"
_DASH = r"(?:[-–—―|·,;~]+\s*)?"

_BRACKETED = re.compile(
    rf"\s*(?:(?<=\s)[-–—―|·,]\s*)?{_MARKUP}[(\[（【{{]\s*"
    rf"(?:(?:(?P<before>[^()\[\]（）]{{1,80}}?)[,;:]\s+)??{_ANY}|(?P<bare>\d{{1,4}}(?:\s?[-–]\s?\d{{1,4}})?))"
    rf"\s*(?:[,;]\s*(?P<after>[^()\[\]]{{1,60}}))?[)\]）】}}]{_MARKUP}(?P<stop>[.,;。]?)\s*$",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"\s*{_DASH}{_MARKUP}[(\[（]?\s*{_ANY}\s*[)\]）]?{_MARKUP}[.:]?{_MARKUP}\s*", re.IGNORECASE)
_BARE_ALONE = re.compile(rf"\s*{_DASH}{_MARKUP}[(\[]\s*(\d{{1,4}}(?:\s?[-–]\s?\d{{1,4}})?)\s*[)\]]{_MARKUP}\s*")
_AFTER_STOP = re.compile(
    rf"(?:(?<=[.!?…\"”»«’'“)\]。！？」])\s*|(?<=[*_])\s+|\s*[-–—―|·,]\s*|\t|\s\s+){_MARKUP}{_ANY}{_MARKUP}\.?\s*$",
    re.IGNORECASE,
)
_AFTER_WORD = re.compile(
    rf"\s+{_MARKUP}(?=(?:pp?|pgs?|p[aá]gs?|s\.|locs?)[\s.\d]|第?\d+\s*(?:ページ|頁|页)){_ANY}{_MARKUP}\.?\s*$",
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
_VIEW = re.compile(r"\s*\(?(?:View Highlight|Open in Kindle|↗)\)?\s*$", re.IGNORECASE)
_BLOCK_ID = re.compile(r"\s+\^[\w-]+\s*$")
_YEARS = range(1400, 2101)
_TAIL = 400
_ENDED = frozenset(".!?…\"”»’'。！？」*_)")


class SplitText(NamedTuple):
    """A text without the place that ended it, the place, and what stood beside the place in its brackets."""

    text: str
    place: str = ""
    beside: str = ""
    bracketed: bool = False


def split_page_reference(text: str) -> SplitText:
    """Part a quote from the page or location at its end."""
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
    """Part a quote from the page before it: `p. 15: …`, `(p. 16) …`, `**Page 14** …`."""
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
