"""Guess the encoding of a text file that is not UTF-8: Shift_JIS, EUC-JP or a Western encoding."""

import codecs
import re
from typing import NamedTuple

_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_ESCAPE = b"\x1b$"
_LEGACY = ("cp932", "euc_jp", "cp1252")
_NEEDED = 0.6
_SEEN = 50_000

_FOREIGN = re.compile(r"[^\x00-\x7f]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff\ufdd0-\ufdef\ue000-\uf8ff]")
_ACCENTED = r"[\u00c0-\u00ff\u0153\u0161]"
# Evidence for an encoding, by character. Kanji and half-width kana amid Latin letters are misread accents.
_WEIGHTS = (
    (re.compile(r"[\u3041-\u3096\u30a1-\u30fe\u3001-\u3015\uff01-\uff5e\u2026\u266a]"), 1.0),
    (re.compile(r"(?<![A-Za-z])[\uff66-\uff9f](?![A-Za-z])"), 0.85),
    (
        re.compile(rf"(?<=[A-Za-z]){_ACCENTED}|{_ACCENTED}(?=[A-Za-z])|(?<=\s){_ACCENTED}(?=\s)|(?<=[A-Za-z])\u2019"),
        0.7,
    ),
)
_KANJI = re.compile(r"(?<![A-Za-z])[\u4e00-\u9fff]")
_FIRST_LEVEL, _LAST_OF_FIRST_LEVEL = 0x889F, 0x9872


class DecodedText(NamedTuple):
    """A decoded text and its encoding."""

    text: str
    encoding: str


def decode_text(data: bytes) -> DecodedText | None:
    """Decode a file with the encoding that fits best; `None` if it is not text or none fits."""
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return _in(encoding, data[len(mark) :])
    if b"\0" in data:
        return _plausible(_in("utf-16-le", data)) or _plausible(_in("utf-16-be", data))
    if _ESCAPE in data and (found := _in("iso2022_jp_2", data)):
        return found
    return _in("utf-8", data) or decode_legacy(data)


def decode_legacy(data: bytes) -> DecodedText | None:
    """Decode with the older encoding that gives the most plausible text, if one does."""
    candidates = [found for encoding in _LEGACY if (found := _in(encoding, data))]
    return _plausible(max(candidates, key=lambda found: _sense(found.text), default=None))


def _in(encoding: str, data: bytes) -> DecodedText | None:
    try:
        return DecodedText(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        return None


def _plausible(found: DecodedText | None) -> DecodedText | None:
    return found if found and _sense(found.text) >= _NEEDED else None


def _sense(text: str) -> float:
    """The share of non-ASCII text that looks like words, from 0 to 1; 0 for a text with control characters."""
    text = text[:_SEEN]
    foreign = _FOREIGN.findall(text)
    if _CONTROL.search(text):
        return 0.0
    if not foreign:
        return 1.0
    fitting = sum(weight * len(pattern.findall(text)) for pattern, weight in _WEIGHTS)
    return (fitting + sum(map(_kanji_weight, _KANJI.findall(text)))) / len(foreign)


def _kanji_weight(sign: str) -> float:
    """The kanji of everyday use are the first level of JIS X 0208; a misread text is full of the others."""
    code = int.from_bytes(sign.encode("cp932", "ignore"), "big")
    return 0.8 if _FIRST_LEVEL <= code <= _LAST_OF_FIRST_LEVEL else 0.3
