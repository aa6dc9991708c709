"""The smallest audio files that are ones, for tests to tag."""

import struct
import wave
from io import BytesIO
from pathlib import Path

import pytest
from mutagen.ogg import OggPage


def box(name: bytes, *contents: bytes) -> bytes:
    data = b"".join(contents)
    return struct.pack(">I4s", len(data) + 8, name) + data


def mp3() -> bytes:
    return (b"\xff\xfb\x90\x00" + bytes(413)) * 6


def flac() -> bytes:
    info = struct.pack(">HH", 4096, 4096) + bytes(6) + bytes.fromhex("0ac442f000000000") + bytes(16)
    return b"fLaC" + bytes([0x80, 0, 0, 34]) + info


def m4a() -> bytes:
    sound = box(b"hdlr", bytes(8), b"soun", bytes(12))
    header = box(b"mdhd", bytes(12), struct.pack(">II", 44100, 44100), bytes(4))
    track = box(b"trak", box(b"mdia", header, sound))
    movie = box(b"mvhd", bytes(12), struct.pack(">II", 44100, 44100), bytes(80))
    return box(b"ftyp", b"M4A ", bytes(4), b"M4A isom") + box(b"moov", movie, track) + box(b"mdat")


def ogg_of(*packets: bytes) -> bytes:
    pages = [OggPage() for _ in packets]
    for number, (page, packet) in enumerate(zip(pages, packets, strict=True)):
        page.packets, page.sequence, page.serial, page.position = [packet], number, 1, 0
        page.first, page.last = number == 0, number == len(packets) - 1
    return b"".join(page.write() for page in pages)


NO_COMMENTS = struct.pack("<II", 0, 0)


def vorbis() -> bytes:
    first = b"\x01vorbis" + struct.pack("<IBIiiiBB", 0, 2, 44100, 0, 128000, 0, 0xB8, 1)
    return ogg_of(first, b"\x03vorbis" + NO_COMMENTS + b"\x01", b"\x05vorbis" + bytes(20))


def opus() -> bytes:
    first = b"OpusHead" + struct.pack("<BBHIhB", 1, 2, 312, 48000, 0, 0)
    return ogg_of(first, b"OpusTags" + NO_COMMENTS, bytes(20))


def wav() -> bytes:
    out = BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(1600))
    return out.getvalue()


FORMATS = {".mp3": mp3, ".flac": flac, ".m4a": m4a, ".ogg": vorbis, ".opus": opus, ".wav": wav}


@pytest.fixture
def audio(tmp_path):
    """An audio file of a kind, without tags."""

    def make(suffix: str) -> Path:
        path = tmp_path / f"song{suffix}"
        path.write_bytes(FORMATS[suffix]())
        return path

    return make


@pytest.fixture
def saved(tmp_path):
    """A file with these bytes."""

    def make(data: bytes | str, name: str = "song.txt", encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode(encoding))
        return path

    return make


@pytest.fixture(scope="session")
def formats():
    """The bytes of one file of each kind."""
    return {suffix: make() for suffix, make in FORMATS.items()}
