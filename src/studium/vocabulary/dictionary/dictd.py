"""Reads a dictionary in dictd's format: a sorted index, and articles in a gzip file that can be entered anywhere."""

import mmap
import struct
import zlib
from functools import lru_cache
from pathlib import Path

from studium.core.domain.errors import BadInput, MissingPart

_DIGITS = {
    sign: value for value, sign in enumerate(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
_HEADER = 12
_HAS_EXTRA, _HAS_NAME, _HAS_COMMENT, _HAS_CHECK = 4, 8, 16, 2


class DictdFile:
    """The articles of `NAME.index` and `NAME.dict.dz` in a folder, by headword."""

    def __init__(self, folder: Path, name: str) -> None:
        try:
            self._index = _mapped(folder / f"{name}.index")
            self._articles = _mapped(folder / f"{name}.dict.dz")
        except (OSError, ValueError) as error:
            told = f"The dictionary {name} is not in {folder}."
            raise MissingPart(told, remedy=f"apt-get install dict-{name}, or name its folder.") from error
        self._chunk_size, self._chunks = _chunks(self._articles)
        self._chunk = lru_cache(maxsize=64)(self._inflated)

    def articles(self, word: str) -> list[str]:
        """Every article whose headword is this, but for case and marks."""
        key = _key(word)
        found = []
        at = self._first(key)
        while key and at < len(self._index):
            end = self._index.find(b"\n", at)
            # A fourth column, where there is one, holds the headword with its marks.
            headword, start, size, *_ = self._index[at:end].split(b"\t")
            if headword != key:
                break
            found.append(self._text(_number(start), _number(size)))
            at = end + 1
        return found

    def _first(self, key: bytes) -> int:
        """Where the first line of the index stands whose headword is not before the key."""
        low, high = 0, len(self._index)
        while low < high:
            middle = self._index.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = self._index.find(b"\n", middle) + 1 or len(self._index)
            if self._index[middle : self._index.find(b"\t", middle)] < key:
                low = end
            else:
                high = middle
        return low

    def _text(self, start: int, size: int) -> str:
        first, last = start // self._chunk_size, (start + size - 1) // self._chunk_size
        content = b"".join(self._chunk(number) for number in range(first, last + 1))
        skipped = start - first * self._chunk_size
        return content[skipped : skipped + size].decode(errors="replace")

    def _inflated(self, number: int) -> bytes:
        start, end = self._chunks[number : number + 2]
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(self._articles[start:end])


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _key(word: str) -> bytes:
    """A headword as the index spells it: small letters, digits and spaces."""
    kept = "".join(sign for sign in word.lower() if sign.isalnum() or sign.isspace())
    return " ".join(kept.split()).encode()


def _number(digits: bytes) -> int:
    value = 0
    for digit in digits:
        value = value * 64 + _DIGITS[digit]
    return value


def _chunks(packed: mmap.mmap) -> tuple[int, list[int]]:
    """How long each chunk is unpacked, and where the packed ones begin (and the last one ends).

    dictzip keeps their sizes in gzip's extra field `RA`.
    """
    if packed[:2] != b"\x1f\x8b" or not packed[3] & _HAS_EXTRA or packed[_HEADER : _HEADER + 2] != b"RA":
        raise BadInput("The dictionary is not a dictzip file.", remedy="Install Debian's package of it.")
    extra, _, _, _, length, count = struct.unpack_from("<H2sHHHH", packed, _HEADER - 2)
    sizes = struct.unpack_from(f"<{count}H", packed, _HEADER + 10)
    at = _HEADER + extra
    for flag in (_HAS_NAME, _HAS_COMMENT):
        if packed[3] & flag:
            at = packed.find(b"\0", at) + 1
    starts = [at + 2 * bool(packed[3] & _HAS_CHECK)]
    for size in sizes:
        starts.append(starts[-1] + size)
    return length, starts
