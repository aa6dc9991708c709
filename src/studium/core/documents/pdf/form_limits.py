"""Keep forms of a PDF from drawing each other without end: ten that draw the next one twice draw a thousand."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MAX_DRAWN = 250_000
"""How many forms one form may draw, with those that they draw."""

_SPACE = rb"[\0\t\n\f\r ]"
_DRAWN = re.compile(rb"/([^\0\t\n\f\r /<>\[\]()%%]{1,127})%s{1,9}Do(?![\w*])" % _SPACE)
_NAMED = re.compile(rb"/([^\0\t\n\f\r /<>\[\]()%%]{1,127})%s{1,9}(\d{1,9})%s{1,9}\d{1,5}%s{1,9}R" % ((_SPACE,) * 3))
_OBJECT = re.compile(rb"(?<!\d)(\d{1,9})%s{1,9}\d{1,5}%s{1,9}obj" % (_SPACE, _SPACE))
_BODY = 4096
# Beyond this depth pdfium draws no form.
_LEVELS = 40


@dataclass
class Form:
    """A form: its object's number, its dictionary, its place in the file, and how often it draws what."""

    number: int
    dictionary: bytes
    span: tuple[int, int]
    drawn: Counter[bytes] = field(default_factory=Counter)
    is_unread: bool = False
    """Whether its instructions are packed in a way that is not looked into."""

    def add(self, instructions: bytes) -> None:
        """Count what a part of its instructions draws."""
        if b"Do" in instructions:
            self.drawn.update(_DRAWN.findall(instructions))


def object_number(before: bytes) -> int:
    """The number of the object that starts last in these bytes; 0 without one."""
    found = 0
    for found_object in _OBJECT.finditer(before):
        found = int(found_object[1])
    return found


def endless_forms(data: bytes, forms: Sequence[Form]) -> list[Form]:
    """The forms of a file that draw more than the limit, or that are not looked into and can draw themselves."""
    endless = [form for form in forms if form.is_unread and form.number in _names(form.dictionary).values()]
    drawing = [form for form in forms if form.drawn]
    if not drawing:
        return endless
    bodies = _Bodies(data)
    known = {form.number for form in drawing}
    drawn = {form.number: _forms_drawn(form, known, bodies) for form in drawing}
    times = dict.fromkeys(drawn, 1)
    for _ in range(_LEVELS):
        before = times
        times = {
            number: min(1 + sum(count * before[other] for other, count in others.items()), MAX_DRAWN + 1)
            for number, others in drawn.items()
        }
        if times == before:
            break
    return [*endless, *(form for form in drawing if times[form.number] > MAX_DRAWN)]


def _forms_drawn(form: Form, known: set[int], bodies: "_Bodies") -> Mapping[int, int]:
    """How often a form draws which of the forms that draw others."""
    named = _names(form.dictionary)
    for key in (b"Resources", b"XObject"):
        if key in named:
            named |= _names(bodies.of(named[key]))
    drawn: Counter[int] = Counter()
    for name, count in form.drawn.items():
        if named.get(name) in known:
            drawn[named[name]] += count
    return drawn


def _names(dictionary: bytes) -> dict[bytes, int]:
    return {name: int(number) for name, number in _NAMED.findall(dictionary)}


class _Bodies:
    """The objects of a file by their number; they are looked for when the first one is needed."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._places: dict[int, int] | None = None

    def of(self, number: int) -> bytes:
        """The beginning of an object; empty if the file has none of this number."""
        if self._places is None:
            self._places = {int(found[1]): found.end() for found in _OBJECT.finditer(self._data)}
        place = self._places.get(number)
        if place is None:
            return b""
        body = self._data[place : place + _BODY]
        end = body.find(b"endobj")
        return body if end < 0 else body[:end]
