"""Which kana belong to which sign of a word: the cheapest way through its signs and its reading together."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from studium.languages.japanese.kana import SMALL_TSU, VOWEL_MARK, N, hiragana, is_kana, is_kanji, plain, signs
from studium.languages.japanese.sounds import sounds, table

KanjiReadings: TypeAlias = Callable[[str], Sequence[str]]
How: TypeAlias = Literal["kana", "reading", "whole", "guess", "other"]

_ARABIC = dict(zip("0123456789", "〇一二三四五六七八九", strict=True))
_SMALL_KE = {"ゖ": "かがこけ", "ゕ": "かが", "け": "がかこ"}
# What kana may be read as besides itself: particles, old spellings, vowels that a pronunciation writes as a mark.
_ALSO = {
    "は": "わ",
    "へ": "え",
    "を": "お",
    "ぢ": "じ",
    "づ": "ず",
    "ゐ": "い",
    "ゑ": "え",
    "う": "ー",
    "い": "ー",
    "お": "ー",
}
_ALSO |= {VOWEL_MARK: "あいうえお", "ぁ": "あー", "ぃ": "いー", "ぅ": "うー", "ぇ": "えー", "ぉ": "おー"}
_NEVER_FIRST = frozenset(f"ぁぃぅぇぉゃゅょゎ{SMALL_TSU}{VOWEL_MARK}{N}")

_WHOLE_WORD = -1.0
_GUESS = 3.5
_GROUP = 3.5
_LONGEST_GUESS = 6
_LONGEST_GROUP = 5
_LONGEST_GUESSED_WORD = 40


@dataclass(frozen=True)
class Aligned:
    """A sign of a word, or several that are read as one, with its kana and how we know it."""

    written: str
    kana: str
    how: How


@dataclass(frozen=True)
class _Step:
    signs: int
    kana: int
    cost: float
    how: How


@dataclass(frozen=True)
class _Path:
    cost: float
    steps: tuple[_Step, ...] = ()

    def then(self, step: _Step) -> "_Path":
        return _Path(self.cost + step.cost, (*self.steps, step))


@dataclass(frozen=True)
class _Word:
    signs: tuple[str, ...]
    kana: tuple[str, ...]
    reading: str
    kanji: KanjiReadings

    def known_steps(self, i: int, j: int) -> Iterator[_Step]:
        """The steps from sign `i` and kana `j` that kana and dictionary know."""
        sign = self.signs[i]
        if is_kana(sign):
            yield from self._kana_steps(i, j)
            return
        yield from self._reading_steps(i, j)
        yield from self._whole_steps(i, j)
        if not is_kanji(sign):
            yield from self._other_steps(i, j)

    def guessed_steps(self, i: int, j: int) -> Iterator[_Step]:
        """The steps that give one kanji, or several together, kana that the dictionary does not know for them."""
        if j >= len(self.reading) or self.reading[j] in _NEVER_FIRST:
            return
        left = len(self.reading) - j
        for count in range(1, min(_LONGEST_GROUP, len(self.signs) - i) + 1):
            if not is_kanji(self.signs[i + count - 1]):
                return
            cost = _GUESS if count == 1 else _GROUP + count / 2
            how: How = "guess" if count == 1 else "whole"
            for length in range(1, min(left, _LONGEST_GUESS * count) + 1):
                yield _Step(count, length, cost + 0.01 * abs(length - 2 * count), how)

    def _kana_steps(self, i: int, j: int) -> Iterator[_Step]:
        kana = self.kana[i]
        if self.reading.startswith(kana, j):
            yield _Step(1, len(kana), 0.0, "kana")
            return
        piece = self.reading[j : j + len(kana)]
        if len(piece) == len(kana) and all(a == b or b in _ALSO.get(a, "") for a, b in zip(kana, piece, strict=True)):
            yield _Step(1, len(kana), 0.5, "kana")
        elif piece and piece in _SMALL_KE.get(kana, ""):
            yield _Step(1, 1, 0.5, "reading")

    def _reading_steps(self, i: int, j: int) -> Iterator[_Step]:
        sign = self._repeated(i)
        before = self.reading[j - 1] if j else ""
        for sound in sounds(sign, tuple(self.kanji(sign))):
            if sound.kana and self.reading.startswith(sound.kana, j):
                end = j + len(sound.kana)
                cost = sound.cost_between(before, self.reading[end : end + 1])
                yield _Step(1, len(sound.kana), cost, "reading")

    def _repeated(self, i: int) -> str:
        """The kanji that is read here: 々 repeats the one before it, 々々 the two before."""
        sign = self.signs[i]
        if sign != "々":
            return _ARABIC.get(sign, sign)
        start = i
        while start and self.signs[start - 1] == "々":
            start -= 1
        run = next((n for n in range(start, len(self.signs)) if self.signs[n] != "々"), len(self.signs)) - start
        return self.signs[max(i - run, 0)]

    def _whole_steps(self, i: int, j: int) -> Iterator[_Step]:
        for written, readings in _whole_words().get(self.signs[i], ()):
            if self.signs[i : i + len(written)] == written:
                for kana in readings:
                    if self.reading.startswith(kana, j):
                        yield _Step(len(written), len(kana), _WHOLE_WORD, "whole")

    def _other_steps(self, i: int, j: int) -> Iterator[_Step]:
        sign = self.signs[i]
        if self.reading.startswith(sign, j):
            yield _Step(1, len(sign), 0.0, "other")
        yield _Step(1, 0, 2.0 if sign.isalnum() else 0.5, "other")
        if sign.isalnum():
            for length in range(1, len(self.reading) - j + 1):
                yield _Step(1, length, 1.0 + 0.01 * length, "other")


def align(written: str, reading: str, kanji: KanjiReadings) -> tuple[Aligned, ...]:
    """Each sign of a word with its own kana; signs that are only read together stay together."""
    word = _word(written, reading, kanji)
    path = _cheapest(word, word.known_steps)
    if (path is None or path.cost > _GUESS) and len(word.signs) <= _LONGEST_GUESSED_WORD:
        path = _cheapest(word, lambda i, j: (*word.known_steps(i, j), *word.guessed_steps(i, j)))
    if path is None:
        return (Aligned("".join(word.signs), word.reading, "whole"),) if word.signs else ()
    return tuple(_walked(word, path))


def _word(written: str, reading: str, kanji: KanjiReadings) -> _Word:
    pieces = signs(plain(written))
    spelt = hiragana("".join(pieces))
    ends = [sum(map(len, pieces[: n + 1])) for n in range(len(pieces))]
    kana = tuple(spelt[end - len(piece) : end] for piece, end in zip(pieces, ends, strict=True))
    return _Word(pieces, kana, hiragana(reading), kanji)


def _cheapest(word: _Word, steps: Callable[[int, int], Iterator[_Step] | tuple[_Step, ...]]) -> _Path | None:
    """The cheapest path over all signs and all kana, found sign by sign."""
    paths: list[dict[int, _Path]] = [{} for _ in range(len(word.signs) + 1)]
    paths[0][0] = _Path(0.0)
    for i, reached in enumerate(paths[:-1]):
        for j, path in reached.items():
            for step in steps(i, j):
                onward = paths[i + step.signs]
                known = onward.get(j + step.kana)
                if known is None or path.cost + step.cost < known.cost:
                    onward[j + step.kana] = path.then(step)
    return paths[-1].get(len(word.reading))


def _walked(word: _Word, path: _Path) -> Iterator[Aligned]:
    i = j = 0
    for step in path.steps:
        yield Aligned("".join(word.signs[i : i + step.signs]), word.reading[j : j + step.kana], step.how)
        i, j = i + step.signs, j + step.kana


@cache
def _whole_words() -> dict[str, list[tuple[tuple[str, ...], Sequence[str]]]]:
    """The words that are read as a whole, by their first sign."""
    words: dict[str, list[tuple[tuple[str, ...], Sequence[str]]]] = {}
    for written, *readings in table("jukujikun.tsv"):
        word = signs(written)
        words.setdefault(word[0], []).append((word, readings))
    return words
