"""Lyrics as text and LRC, and audio files with tags: ID3, Vorbis comments and MP4 atoms, with wrong sizes and depths."""
# ruff: noqa: E501 - tables read better in long lines

import struct
import zlib

from hypothesis import strategies as st
from tests.fuzz.pieces import MANY, TIMES, Case, damaged, encode, files, repeated, seldom, texts
from tests.vocabulary.lyrics.conftest import FORMATS, box, ogg_of

LYRIC_LINES = (
    "{}", "[00:12.34]{}", "[00:12.34][01:{}.00] {}", "[{}:{}.{}]{}", "<00:01.00>{} <00:02.00>{}", "[ti:{}]", "[ar: {}]", "[offset:{}]", "[offset:+{}]", "[by:{}", "[Verse {}]", "[Chorus: {}]", "(x{})", "{} (×{})", "作詞：{}　作曲：{}", "Lyrics by {}",
    "C  G7  Am  {}", "| C | {} | N.C. |", "e|--{}--3--|", "[Cmaj7]{}[G/B]{}", "F: {}", "※{}", "Embed{}", "{}You might also like{}", "【{}】", "《{}》", "{} x{}", "夢{}ならば", "- {}",
)  # fmt: skip
LYRIC_MARKS = (
    "|", "| ", "-", "/", "%", ">", ":", "C", "C ", "Am7 ", "b", "#", "(", "[", "[C]", "[00:01.00]", "<00:01>", "x", "9", " ", "\t", "　", "【", "《", "※", "~", "*", "=", ".", ",", "&", "・", "と", "夢", "maj", "()", "+", "x2 ", "by ", "作詞", "e|", "--|",
)  # fmt: skip


def lyrics() -> st.SearchStrategy[Case]:
    """Lyrics as people keep them."""
    return files(("song.txt", "song.lrc", "song.md"), texts(LYRIC_LINES, LYRIC_MARKS, most=10))


_TEXTS = st.sampled_from(["", "夢ならば\nどれほど", "[00:01.00]x", "x", "a\nb", "\x00", "x" * 300])
_ODD = [0, 1, 7, 8, 127, 255, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF]


def _synchsafe(size: int) -> bytes:
    return bytes((size >> shift) & 0x7F for shift in (21, 14, 7, 0))


@st.composite
def _id3_frame(draw: st.DrawFn, version: int, depth: int = 0) -> bytes:
    name = draw(
        st.sampled_from(
            [
                "USLT",
                "SYLT",
                "TIT2",
                "TPE1",
                "TXXX",
                "COMM",
                "APIC",
                "PRIV",
                "GEOB",
                "CHAP",
                "CTOC",
                "RVA2",
                "MCDI",
                "ULT",
                "TT2",
                "XXXX",
                "\x00\x00\x00\x00",
            ]
        )
    )
    encoding = draw(st.sampled_from([0, 1, 2, 3, 3, 9]))
    written = encode(
        repeated(draw(_TEXTS), 1 + draw(TIMES), 300_000), ("latin-1", "utf-16", "utf-16-be", "utf-8")[encoding % 4]
    )
    data = bytes([encoding]) + written
    if name in ("USLT", "COMM"):
        data = bytes([encoding]) + b"jpn" + b"\x00\x00" + written
    elif name == "SYLT":
        lines = b"".join(written[:40] + b"\x00" + struct.pack(">I", at) for at in range(min(draw(MANY), 200)))
        data = (
            bytes([encoding])
            + b"jpn"
            + bytes([draw(st.sampled_from([1, 2, 9])), draw(st.sampled_from([0, 1, 5]))])
            + b"\x00"
            + lines
        )
    elif name in ("CHAP", "CTOC") and depth < 3:
        data = b"c\x00" + bytes(16) + draw(_id3_frame(version, depth + 1))
    flags = draw(
        st.sampled_from(
            [b"\x00\x00"] * 5 + [b"\x00\x08", b"\x00\x09", b"\x00\x02", b"\x00\x04", b"\x00\x01", b"\x00\x80"]
        )
    )
    if flags[1] & 8 or flags[1] & 0x80:
        # A few kilobytes that unpack to many megabytes.
        packed = zlib.compress(
            bytes(draw(st.sampled_from([10_000, 10_000_000, 100_000_000]))) if draw(seldom(6)) else data
        )
        data = struct.pack(">I", len(data)) + packed
    size = draw(st.sampled_from([len(data)] * 7 + _ODD))
    return name.encode() + (_synchsafe(size) if version == 4 else struct.pack(">I", size)) + flags + data


@st.composite
def _id3(draw: st.DrawFn) -> bytes:
    version = draw(st.sampled_from([3, 4, 4, 2, 9]))
    frames = b"".join(draw(st.lists(_id3_frame(version), max_size=4)))
    flags = draw(st.sampled_from([0, 0, 0, 0x80, 0x40, 0x10, 0xFF]))
    size = draw(st.sampled_from([len(frames)] * 6 + _ODD))
    return b"ID3" + bytes([version, 0, flags]) + _synchsafe(size) + frames


@st.composite
def _comments(draw: st.DrawFn) -> bytes:
    def counted(text: bytes) -> bytes:
        return struct.pack("<I", draw(st.sampled_from([len(text)] * 9 + [0xFFFFFFFF, 0]))) + text

    keys = st.sampled_from(["LYRICS", "SYNCEDLYRICS", "title", "ARTIST", "", "=", "é", "metadata_block_picture"])
    # A page of Ogg holds 64 KB.
    entries = [f"{draw(keys)}={repeated(draw(_TEXTS), 1 + draw(TIMES), 4_000)}" for _ in range(draw(st.integers(0, 4)))]
    claimed = draw(st.sampled_from([len(entries)] * 6 + [0, 0xFFFFFFFF, 1_000_000]))
    return counted(b"vendor") + struct.pack("<I", claimed) + b"".join(counted(encode(each)) for each in entries)


@st.composite
def _flac(draw: st.DrawFn) -> bytes:
    info = FORMATS[".flac"]()[8:]
    blocks = [
        (4, draw(_comments())),
        (draw(st.sampled_from([1, 2, 3, 5, 6, 9, 126])), bytes(draw(st.sampled_from([0, 4, 34, 300])))),
    ]
    made = b"fLaC" + bytes([0, 0, 0, 34]) + info
    for number, (kind, data) in enumerate(blocks):
        size = draw(st.sampled_from([len(data)] * 6 + [0, 0xFFFFFF]))
        made += bytes([kind | (0x80 if number else 0)]) + struct.pack(">I", size)[1:] + data
    return made


@st.composite
def _mp4(draw: st.DrawFn) -> bytes:
    written = encode(repeated(draw(_TEXTS), 1 + draw(TIMES), 300_000))
    name = draw(
        st.sampled_from([b"\xa9lyr", b"\xa9nam", b"\xa9ART", b"----", b"covr", b"trkn", b"disk", b"tmpo", b"xxxx"])
    )
    inner = box(b"data", struct.pack(">II", draw(st.sampled_from([1, 0, 21, 13, 99])), 0), written)
    if name == b"----":
        inner = box(b"mean", bytes(4), b"com.apple.iTunes") + box(b"name", bytes(4), b"LYRICS") + inner
    atom = box(name, inner)
    for _ in range(min(draw(TIMES), 3_000) if draw(seldom(5)) else 0):
        atom = box(draw(st.sampled_from([b"moov", b"trak", b"ilst"])), atom)
    meta = box(
        b"moov", box(b"udta", box(b"meta", bytes(4), box(b"hdlr", bytes(8), b"mdir", bytes(12)), box(b"ilst", atom)))
    )
    whole = FORMATS[".m4a"]() + meta
    if draw(seldom(4)):
        at = whole.find(draw(st.sampled_from([b"moov", b"ilst", b"data", b"ftyp", b"mdia"])))
        whole = whole[: max(at - 4, 0)] + struct.pack(">I", draw(st.sampled_from(_ODD))) + whole[max(at, 4) :]
    return whole


@st.composite
def _ogg(draw: st.DrawFn) -> bytes:
    first = b"\x01vorbis" + struct.pack("<IBIiiiBB", 0, 2, 44100, 0, 128000, 0, 0xB8, 1)
    return ogg_of(first, b"\x03vorbis" + draw(_comments()) + b"\x01", b"\x05vorbis" + bytes(20))


@st.composite
def _opus(draw: st.DrawFn) -> bytes:
    first = b"OpusHead" + struct.pack("<BBHIhB", 1, draw(st.sampled_from([2, 0, 255])), 312, 48000, 0, 0)
    return ogg_of(first, b"OpusTags" + draw(_comments()), bytes(20))


def audio() -> st.SearchStrategy[Case]:
    """Audio files; now and then the name says another kind than the bytes."""
    mp3 = st.builds(
        lambda tags, sound: tags + sound, _id3(), st.sampled_from([FORMATS[".mp3"](), b"", FORMATS[".wav"]()])
    )
    made = {
        ".mp3": mp3,
        ".flac": _flac(),
        ".m4a": _mp4(),
        ".ogg": _ogg(),
        ".opus": _opus(),
        ".wav": st.just(FORMATS[".wav"]()),
    }
    pairs = [st.tuples(st.just(f"song{suffix}"), damaged(data, often=2)) for suffix, data in made.items()]
    crossed = st.tuples(
        st.sampled_from([f"song{suffix}" for suffix in (*made, ".mp4", ".oga")]), damaged(st.one_of(*made.values()))
    )
    return st.one_of(*pairs, crossed)
