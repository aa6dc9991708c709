"""Keep a small PDF from unpacking into gigabytes: streams beyond a limit are blanked before pdfium opens the file.

pdfium reads a page as a whole, and takes almost a kilobyte for each instruction that draws something. Blanked bytes
keep their place in the file, so everything else of it is still found.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from studium.core.documents.pdf.form_limits import MAX_DRAWN, Form, endless_forms, object_number

MAX_INSTRUCTIONS = 250_000
"""Instructions on a page that draw or write something."""
MAX_PLACED = 10_000
"""Forms and images that a page draws: one takes as long as dozens of other instructions."""
MAX_NESTING = 5_000
"""How deep the instructions of a page may be nested."""
MAX_STREAM = 64_000_000
"""Bytes of one stream when it is unpacked."""
MAX_IMAGE = 300_000_000
"""Bytes of one image when it is decoded."""
MAX_REPEATS = 100
"""How often a page may repeat the same content."""
_LEAST_TOTAL, _RATIO = 64_000_000, 40
"""All streams together may unpack to so many bytes, or to so many times the size of the file."""

_STREAM = re.compile(rb">>[\0\t\n\f\r ]*stream\r?\n")
_FILTERS = re.compile(rb"/(?:Filter|F)[\0\t\n\f\r ]*(\[[^\]]{0,200}\]|/\w{1,30})")
_FLATE = (b"FlateDecode", b"Fl")
# A string that is never closed reaches to the end, or to the next one: nothing is looked at twice.
_STRING = re.compile(rb"\((?:[^()\\]|\\.)*+\)?", re.DOTALL)
# What stands before an instruction is looked at once its first letter is found: many times as fast as the reverse.
_DRAWS = re.compile(
    rb"[T'\"fFBbSsDE](?<![\w/].)"
    rb"(?:(?<=T)[jJ]|(?<=['\"])|(?<=[fFBbSs])\*?|(?<=D)o|(?<=s)h|(?<=E)I)(?=[\0\t\n\f\r \[(<%/]|\Z)"
)
_SAVES, _RESTORES = (re.compile(rb"%c(?<![\w/].)(?=[\0\t\n\f\r \[(<%%/]|\Z)" % letter) for letter in b"qQ")
_CONTENTS = re.compile(rb"/Contents[\0\t\n\f\r ]*\[([^\[\]]*+)\]")
_REFERENCE = re.compile(rb"\d+[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R")
_SIDE = re.compile(rb"/(Width|Height|BitsPerComponent|W|H|BPC)[\0\t\n\f\r ]+(\d{1,9})")
# The part of a file before a stream in which its dictionary starts, and how much of a stream is looked at in one go.
_DICTIONARY = 4096
_CHUNK = 1_000_000
# Shorter streams cannot hold too many instructions: with the text that it writes, none is shorter than four bytes.
_SHORT = 4 * MAX_INSTRUCTIONS


@dataclass
class BoundedPdf:
    """The bytes of a PDF without the streams beyond a limit, and a sentence for each limit that was passed."""

    data: bytes
    limits: list[str] = field(default_factory=list)
    is_refused: bool = False


def bound_streams(data: bytes) -> BoundedPdf:
    """Blank what would unpack to too much; a file that repeats its content without end is refused."""
    total = max(_LEAST_TOTAL, _RATIO * len(data))
    passed: dict[str, list[tuple[int, int]]] = {}
    forms: list[Form] = []
    repeats = _repeats(data)
    at = 0
    while found := _STREAM.search(data, at):
        start = found.end()
        stream = _Stream(data, start, data[max(0, found.start() - _DICTIONARY) : found.start()])
        if limit := stream.passed_limit():
            passed.setdefault(limit, []).append((start, stream.end))
        elif stream.form:
            forms.append(stream.form)
        repeats = max(repeats, stream.repeats)
        total -= stream.unpacked
        if total < 0:
            return BoundedPdf(data, [f"unpacks to more than {_RATIO} times its size"], is_refused=True)
        at = stream.end
    if repeats > MAX_REPEATS:
        return BoundedPdf(data, [f"repeats one content more than {MAX_REPEATS} times on a page"], is_refused=True)
    if endless := endless_forms(data, forms):
        passed[f"forms that draw each other more than {MAX_DRAWN:,} times"] = [form.span for form in endless]
    return BoundedPdf(_without(data, passed), list(passed)) if passed else BoundedPdf(data)


class _Stream:
    """A stream of a file: where it ends, how many bytes it unpacks to, how often it repeats a page's content."""

    def __init__(self, data: bytes, start: int, before: bytes) -> None:
        self._data, self._start = data, start
        self._dictionary = before[before.rfind(b"obj") + 3 :] if b"obj" in before else before
        end = data.find(b"endstream", start)
        self.end = len(data) if end < 0 else end
        self.unpacked = self.repeats = 0
        self.form = None
        if b"/Form" in self._dictionary:
            self.form = Form(object_number(before), self._dictionary, (start, self.end))

    def passed_limit(self) -> str:
        """The limit that the stream is beyond; empty if it is within all."""
        if b"/Image" in self._dictionary:
            size = _image_size(self._dictionary)
            return f"images of more than {MAX_IMAGE // 1_000_000} MB" if size > MAX_IMAGE else ""
        filters = _FILTERS.search(self._dictionary)
        names = re.findall(rb"/(\w+)", filters[1]) if filters else []
        if any(name not in _FLATE for name in names):
            if self.form:
                self.form.is_unread = True
            return ""
        counts = _Counts()
        for chunk in self._chunks(len(names)):
            self.unpacked += len(chunk)
            self.repeats = max(self.repeats, _repeats(chunk))
            if self.unpacked > MAX_STREAM:
                return f"streams that unpack to more than {MAX_STREAM // 1_000_000} MB"
            if self.form:
                self.form.add(chunk)
            counts.add(chunk, is_long=self.unpacked > _SHORT or len(chunk) >= _CHUNK)
            if limit := counts.passed_limit():
                return limit
        return ""

    def _chunks(self, layers: int) -> Iterator[bytes]:
        chunks: Iterator[bytes] = (
            self._data[at : min(at + _CHUNK, self.end)] for at in range(self._start, self.end, _CHUNK)
        )
        for _ in range(layers):
            chunks = _inflated(chunks)
        return chunks


@dataclass
class _Counts:
    """What a page's instructions cost: how many draw something, and how deep they are nested."""

    instructions: int = 0
    nesting: int = 0
    marks: int = 0
    placed: int = 0

    def passed_limit(self) -> str:
        """The limit that they are beyond; empty if they are within all."""
        if self.instructions > MAX_INSTRUCTIONS:
            return f"pages of more than {MAX_INSTRUCTIONS:,} drawing instructions"
        if self.placed > MAX_PLACED:
            return f"pages that draw more than {MAX_PLACED:,} forms or images"
        if self.nesting > MAX_NESTING or self.marks > MAX_NESTING:
            return f"pages whose instructions are nested more than {MAX_NESTING:,} deep"
        return ""

    def add(self, chunk: bytes, *, is_long: bool) -> None:
        """Count the instructions of a part of a stream; in a short one only what costs by its nesting."""
        self.placed += chunk.count(b" Do")
        self.marks += chunk.count(b"BMC") + chunk.count(b"BDC") - chunk.count(b"EMC")
        if is_long and b"\0" not in chunk[:1000]:
            instructions = _STRING.sub(b" ", chunk)
            self.instructions += sum(1 for _ in _DRAWS.finditer(instructions))
            saved, restored = (sum(1 for _ in sign.finditer(instructions)) for sign in (_SAVES, _RESTORES))
            self.nesting = max(self.nesting + saved - restored, 0)


def _inflated(packed: Iterator[bytes]) -> Iterator[bytes]:
    """The unpacked bytes, up to where they are broken."""
    unpack = zlib.decompressobj()
    for chunk in packed:
        rest = chunk
        while rest and not unpack.eof:
            try:
                yield unpack.decompress(rest, _CHUNK)
            except zlib.error:
                return
            rest = unpack.unconsumed_tail


def _image_size(dictionary: bytes) -> int:
    """The bytes of an image: three colours, unless it has one bit for each pixel."""
    sides = {name[:1]: int(value) for name, value in _SIDE.findall(dictionary)}
    bits = sides.get(b"B", 1 if b"/ImageMask" in dictionary else 8)
    return sides.get(b"W", 0) * sides.get(b"H", 0) * bits * (1 if bits == 1 else 3) // 8


def _repeats(text: bytes) -> int:
    """How often a page in this part of a file repeats the same content."""
    most = 0
    for contents in _CONTENTS.finditer(text) if b"/Contents" in text else ():
        streams = _REFERENCE.findall(contents[1])
        most = max(most, len(streams) - len(set(streams)))
    return most


def _without(data: bytes, passed: dict[str, list[tuple[int, int]]]) -> bytes:
    kept = bytearray(data)
    for spans in passed.values():
        for start, end in spans:
            kept[start:end] = b" " * (end - start)
    return bytes(kept)
