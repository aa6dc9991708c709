"""What hostile inputs are made of: depth, repetition, pumped strings, huge numbers, mixed encodings, damaged bytes.

    texts(lines=("> [!question] {}",), marks=("[", "|"))   ->   > [!question] 999…9
                                                                [[[[[[…
                                                                > [!question] ||||…x

Smaller choices stand first everywhere, so that a failing input shrinks to a small one.
"""
# ruff: noqa: E501 - tables read better in long lines

from collections.abc import Sequence

from hypothesis import strategies as st

Case = tuple[str, bytes]
"""A file name and its bytes."""

FEW = st.integers(0, 4)
MANY = st.sampled_from([1, 2, 3, 7, 12, 40, 100, 300, 1_000])
# Rare, because each costs the time that a hundred small ones do.
_MOST = 40_000
_LONGEST = 600_000
_LOTS = st.sampled_from([3_000, 10_000, _MOST])
TIMES = st.one_of(*[FEW] * 8, *[MANY] * 11, _LOTS)
"""How often something is repeated: mostly a few times, sometimes tens of thousands."""

WORDS = st.sampled_from(
    [
        "x", "word", "two words", "1", "12", "p. 12", "Straße", "夢ならば", "Вопрос", "مرحبا", "👩‍👩‍👧", "e\u0301" * 3, "a.b", "C#",
        "https://example.org/a(b)?c=d", "a_b*c", "'", '"', "“q”", "it's", "&amp;", "<b>", "\\", "{}", "%s", "$x$", "#tag", "a:b",
    ]
)  # fmt: skip
SIGNS = st.sampled_from(
    ["", " ", "\t", "\u00a0", "\u200b", "\u202e", "\ufeff", "\x00", "\x1b[2J", "\x85", "\u2028", "\r", "\x7f", "\ud800", "\U0010ffff", "²", "٣", "Ⅻ", "½"]
)  # fmt: skip
NUMBERS = st.sampled_from(
    [
        "0", "-1", "1.5", "007", "1e999", "-1e-999", "NaN", "inf", "0x" + "f" * 40, "9" * 20, "9" * 400, "9" * 5_000, "1_000", "²", "٣٤",
        "1" + "0" * 30 + ".5", "2024-13-45", "99:99", "4294967296", "-9223372036854775809",
    ]
)  # fmt: skip
FILLERS = st.one_of(WORDS, WORDS, NUMBERS, SIGNS)
LINE_ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\n\n", "\u2028", ""])
_CLOSERS = {"[": "]", "{": "}", "(": ")", "<": ">", "“": "”", "«": "»", "\\(": "\\)"}


def seldom(every: int) -> st.SearchStrategy[bool]:
    """True once in so many times, and false in the simplest case; integers would favour both of their ends."""
    return st.sampled_from([False] * (every - 1) + [True])


def repeated(unit: str, times: int, most: int = 0) -> str:
    """A unit so many times, but not more characters than `most`: as a rule 30,000, and 400,000 if it is very often."""
    room = most or (400_000 if times == _MOST else 30_000)
    return unit * min(times, room // max(len(unit), 1))


@st.composite
def pumped(draw: st.DrawFn, marks: Sequence[str]) -> str:
    """What makes a pattern try every division: a prefix, one or two marks repeated, and an end that does not fit."""
    unit = draw(st.sampled_from(marks)) + draw(st.one_of(st.just(""), st.sampled_from(marks), SIGNS))
    return draw(FILLERS) + repeated(unit, draw(TIMES)) + draw(st.one_of(FILLERS, st.sampled_from(marks)))


@st.composite
def nested(draw: st.DrawFn, marks: Sequence[str]) -> str:
    """Marks inside each other; closed, half closed or not at all."""
    opening = draw(st.sampled_from(marks))
    depth = draw(TIMES)
    closing = _CLOSERS.get(opening, opening[::-1])
    closed = draw(st.sampled_from([0, depth, depth // 2, depth + 1]))
    return repeated(opening, depth) + draw(FILLERS) + repeated(closing, closed)


@st.composite
def _indented(draw: st.DrawFn, lines: Sequence[str]) -> str:
    """A staircase: every line further in than the one before."""
    line, step = draw(st.sampled_from(lines)), draw(st.sampled_from([" ", "  ", "\t", ">", "> "]))
    steps = min(draw(MANY), 300)
    return "\n".join(step * depth + line.replace("{}", "x") for depth in range(steps))


@st.composite
def texts(draw: st.DrawFn, lines: Sequence[str], marks: Sequence[str], most: int = 7) -> str:
    """A text of these lines (`{}` is filled with anything), some of them many times, with marks between them."""
    # Once for all of the text: one choice of what to fill in reaches further than one for each place.
    filler = st.one_of(FILLERS, FILLERS, FILLERS, pumped(marks), nested(marks))
    filled = st.builds(lambda line, word: line.replace("{}", word), st.sampled_from(lines), filler)
    many = st.builds(lambda line, times, end: repeated(line + (end or "\n"), times), filled, TIMES, LINE_ENDS)
    part = st.one_of(filled, filled, filled, filled, many, pumped(marks), nested(marks), _indented(lines))
    return draw(LINE_ENDS).join(draw(st.lists(part, max_size=most)))[:_LONGEST]


_ENCODINGS = (
    "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "cp932", "euc_jp", "iso2022_jp_2", "cp1252",
    "latin-1", "gb18030", "big5", "cp1251", "koi8-r", "cp037",
)  # fmt: skip


def encode(text: str, encoding: str = "utf-8") -> bytes:
    """The text in an encoding; what it does not have is left out, lone surrogates are written as such."""
    if encoding.startswith("utf-8"):
        return text.encode(encoding, "surrogatepass")
    return text.encode(encoding, "ignore")


@st.composite
def encoded(draw: st.DrawFn, text: st.SearchStrategy[str]) -> bytes:
    """Mostly UTF-8; also older encodings, and two in one file."""
    written, encoding = draw(text), draw(st.sampled_from(["utf-8"] * 20 + list(_ENCODINGS)))
    if not draw(seldom(20)):
        return encode(written, encoding)
    half = len(written) // 2
    return encode(written[:half], encoding) + encode(written[half:], draw(st.sampled_from(_ENCODINGS)))


_JUNK = st.sampled_from(
    [
        b"\x00",
        b"\xff",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\x80" * 9,
        b"\x1a",
        b"%",
        b"<",
        b"\n",
        b"9" * 30,
        b"\xed\xa0\x80",
    ]
)


def _changed(data: bytes, how: str, at: int, size: int, junk: bytes) -> bytes:
    place = at % (len(data) + 1)
    before, after = data[:place], data[place:]
    return {
        "cut": before,
        "behead": after,
        "delete": before + after[size:],
        "insert": before + junk + after,
        "overwrite": before + junk + after[len(junk) :],
        "repeat": before + after[:size] * 20 + after,
        "reverse": before + after[:size][::-1] + after[size:],
    }[how]


_DAMAGES = ("cut", "insert", "overwrite", "delete", "repeat", "reverse", "behead")
_DAMAGE = st.tuples(st.sampled_from(_DAMAGES), st.integers(0, 1 << 20), st.sampled_from([1, 2, 4, 16, 200]), _JUNK)


@st.composite
def damaged(draw: st.DrawFn, data: st.SearchStrategy[bytes], often: int = 3) -> bytes:
    """Every `often`-th time cut, changed or repeated at some places."""
    whole = draw(data)
    for damage in draw(st.lists(_DAMAGE, max_size=3)) if draw(seldom(often)) else ():
        whole = _changed(whole, *damage)
    return whole


def files(names: Sequence[str], text: st.SearchStrategy[str]) -> st.SearchStrategy[Case]:
    """Files of these names with this text, in some encoding, some of them damaged."""
    return st.tuples(st.sampled_from(names), damaged(encoded(text)))
