"""A small dictionary in dictd's format, written here; and the real one, where it is installed."""

import gzip
import struct
import zlib
from pathlib import Path

import pytest

from studium.vocabulary.dictionary.freedict import FreeDict
from studium.vocabulary.german import GermanAnalyser

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def base64(number: int) -> str:
    return (base64(number // 64) if number >= 64 else "") + DIGITS[number % 64]


def key(headword: str) -> str:
    return "".join(sign for sign in headword.lower() if sign.isalnum() or sign == " ")


def dictzip(content: bytes, chunk: int) -> bytes:
    """As the program dictzip packs it: chunks that can be unpacked one by one, and their sizes in the header."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    chunks = (content[at : at + chunk] for at in range(0, len(content), chunk))
    packed = [packer.compress(each) + packer.flush(zlib.Z_FULL_FLUSH) for each in chunks]
    sizes = b"".join(struct.pack("<H", len(each)) for each in packed)
    field = struct.pack("<HHH", 1, chunk, len(packed)) + sizes
    extra = b"RA" + struct.pack("<H", len(field)) + field
    header = b"\x1f\x8b\x08\x0c" + bytes(6) + struct.pack("<H", len(extra)) + extra + b"small.dict\0"
    end = packer.flush() + struct.pack("<LL", zlib.crc32(content), len(content))
    return header + b"".join(packed) + end


@pytest.fixture
def write_dictionary(tmp_path: Path):
    """Write articles as a dictionary of this name."""

    def write(name: str, articles: list[str], chunk: int = 100) -> Path:
        content, lines = b"", []
        for article in articles:
            headword = article.split(" /")[0]
            size = len(article.encode())
            lines.append(f"{key(headword)}\t{base64(len(content))}\t{base64(size)}\n")
            content += article.encode()
        (tmp_path / f"{name}.index").write_text("".join(sorted(lines)), encoding="utf-8")
        packed = dictzip(content, chunk)
        assert gzip.decompress(packed) == content
        (tmp_path / f"{name}.dict.dz").write_bytes(packed)
        return tmp_path

    return write


@pytest.fixture(scope="session")
def freedict() -> FreeDict:
    return FreeDict()


@pytest.fixture(scope="session")
def german(freedict: FreeDict) -> GermanAnalyser:
    return GermanAnalyser(freedict)
