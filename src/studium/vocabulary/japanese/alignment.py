"""Aligns the characters of a word with its reading, by the cheapest path through both."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal, TypeAlias

from studium.core.text.word_lists import load_text
from studium.vocabulary.japanese.kana import (
    SMALL_TSU,
    VOWEL_MARK,
    N,
    hiragana,
    is_kana,
    is_kanji,
    normalise_kana,
    split_characters,
    voiced,
)

_STEM_VOWEL = str.maketrans("うくぐすつぬぶむる", "いきぎしちにびみり")
_HALF_VOICED = str.maketrans("はひふへほ", "ぱぴぷぺぽ")
_AFTER_N = str.maketrans("あいうえおやゆよわ", "なにぬねのにににな")
_ZU = str.maketrans("ぢづ", "じず")
_HARD = "かきくけこさしすせそたちつてとぱぴぷぺぽ"
_ANY = "".join(map(chr, range(0x3041, 0x30FF)))
_OUT_OF_PLACE = 2.0


@dataclass(frozen=True)
class KanjiSound:
    """A possible sound of a kanji, its cost, and the kana it needs before and after it."""

    kana: str
    cost: float
    after: str = ""
    before: str = ""

    def cost_between(self, before: str, following: str) -> float:
        """Return the cost between two kana; higher if they do not fit."""
        misplaced = bool(self.after and before not in self.after) + bool(self.before and following not in self.before)
        return self.cost + misplaced * _OUT_OF_PLACE


@lru_cache(maxsize=8192)
def kanji_sounds(sign: str, readings: tuple[str, ...]) -> tuple[KanjiSound, ...]:
    """Return all sounds of a kanji in words, from its readings in KANJIDIC2, most likely first."""
    likeliest: dict[str, KanjiSound] = {}
    for order, reading in enumerate((*readings, *_unlisted().get(sign, ()))):
        for stem in _stems(hiragana(reading).strip("-"), order / 100):
            for sound in _changed(stem):
                known = likeliest.get(sound.kana)
                if known is None or sound.cost < known.cost:
                    likeliest[sound.kana] = sound
    return tuple(sorted(likeliest.values(), key=lambda sound: sound.cost))


def _stems(reading: str, cost: float) -> Iterator[KanjiSound]:
    """Yield the part of a reading that a kanji stands for: without okurigana, with them (受付), or less (現われる)."""
    stem, dot, ending = reading.partition(".")
    yield KanjiSound(stem, cost)
    if not dot:
        return
    yield KanjiSound(stem + ending, cost + 0.3)
    yield KanjiSound(stem + ending[:-1] + ending[-1:].translate(_STEM_VOWEL), cost + 0.4)
    for length in range(1, len(ending)):
        yield KanjiSound(stem + ending[:length], cost + 0.5)
    if len(stem) > 1:
        yield KanjiSound(stem[:-1], cost + 1.0, before=stem[-1])


def _changed(sound: KanjiSound) -> Iterator[KanjiSound]:
    for begun in _begun(sound):
        yield begun
        yield from _ended(begun)


def _begun(sound: KanjiSound) -> Iterator[KanjiSound]:
    """Yield a sound and its changes after another: 紙 かみ がみ, 表 ひょう ぴょう, 応 おう のう."""
    kana, cost = sound.kana, sound.cost
    yield sound
    for changed, after, more in (
        (voiced(kana), _ANY, 0.2),
        (voiced(kana).translate(_ZU), _ANY, 0.25),
        (kana[:1].translate(_HALF_VOICED) + kana[1:], N + SMALL_TSU, 0.2),
        (kana[:1].translate(_AFTER_N) + kana[1:], N, 0.6),
        (re.sub("^い", "み", re.sub("^よ", "みょ", kana)), N, 0.8),
    ):
        if changed != kana:
            yield replace(sound, kana=changed, cost=cost + more, after=after)


def _ended(sound: KanjiSound) -> Iterator[KanjiSound]:
    """Yield the changes of a sound before another: 学 がく がっ, 引 ひき ひっ, 真 ま まん, 女 にょう にょ."""
    kana, cost, after = sound.kana, sound.cost, sound.after
    if len(kana) > 1 and kana[-1] in "つくちきりいうし":
        rare = 0.0 if kana[-1] in "つくちき" else 0.4
        yield KanjiSound(kana[:-1] + SMALL_TSU, cost + 0.2 + rare, after, _HARD)
    if len(kana) > 1 and kana[-1] in "うい":
        yield KanjiSound(kana[:-1], cost + 0.8, after)
    if kana[-1:] not in (N, SMALL_TSU):
        yield KanjiSound(kana + SMALL_TSU, cost + 1.2, after, _HARD)
        yield KanjiSound(kana + N, cost + 1.4, after, _ANY)


@cache
def _unlisted() -> dict[str, Sequence[str]]:
    return {sign: readings for sign, *readings in read_table("readings.tsv")}


def read_table(name: str) -> Iterable[list[str]]:
    """Return the rows of a table in this package, without comments."""
    lines = load_text("studium.vocabulary.japanese", f"tables/{name}").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


KanjiReadings: TypeAlias = Callable[[str], Sequence[str]]
AlignmentSource: TypeAlias = Literal["kana", "reading", "whole", "guess", "other"]

_ARABIC = dict(zip("0123456789", "〇一二三四五六七八九", strict=True))
_SMALL_KE = {"ゖ": "かがこけ", "ゕ": "かが", "け": "がかこ"}
# Other readings of a kana: as a particle, in old spellings, as a long vowel.
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
class AlignedCharacter:
    """A character, or several that are read as one, with its kana and where that comes from."""

    written: str
    kana: str
    how: AlignmentSource


@dataclass(frozen=True)
class _Step:
    signs: int
    kana: int
    cost: float
    how: AlignmentSource


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
        """Yield the steps from character `i` and kana `j` that follow from kana and the dictionary."""
        sign = self.signs[i]
        if is_kana(sign):
            yield from self._kana_steps(i, j)
            return
        yield from self._reading_steps(i, j)
        yield from self._whole_steps(i, j)
        if not is_kanji(sign):
            yield from self._other_steps(i, j)

    def guessed_steps(self, i: int, j: int) -> Iterator[_Step]:
        """Yield the steps that guess a reading for one kanji, or several together."""
        if j >= len(self.reading) or self.reading[j] in _NEVER_FIRST:
            return
        left = len(self.reading) - j
        for count in range(1, min(_LONGEST_GROUP, len(self.signs) - i) + 1):
            if not is_kanji(self.signs[i + count - 1]):
                return
            cost = _GUESS if count == 1 else _GROUP + count / 2
            how: AlignmentSource = "guess" if count == 1 else "whole"
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
        for sound in kanji_sounds(sign, tuple(self.kanji(sign))):
            if sound.kana and self.reading.startswith(sound.kana, j):
                end = j + len(sound.kana)
                cost = sound.cost_between(before, self.reading[end : end + 1])
                yield _Step(1, len(sound.kana), cost, "reading")

    def _repeated(self, i: int) -> str:
        """Return the kanji to read here: 々 repeats the one before it, 々々 the two before."""
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


def align(written: str, reading: str, kanji: KanjiReadings) -> tuple[AlignedCharacter, ...]:
    """Align each character of a word with its kana; characters that are only read together stay together."""
    word = _word(written, reading, kanji)
    path = _cheapest(word, word.known_steps)
    if (path is None or path.cost > _GUESS) and len(word.signs) <= _LONGEST_GUESSED_WORD:
        path = _cheapest(word, lambda i, j: (*word.known_steps(i, j), *word.guessed_steps(i, j)))
    if path is None:
        return (AlignedCharacter("".join(word.signs), word.reading, "whole"),) if word.signs else ()
    return tuple(_walked(word, path))


def _word(written: str, reading: str, kanji: KanjiReadings) -> _Word:
    pieces = split_characters(normalise_kana(written))
    spelt = hiragana("".join(pieces))
    ends = [sum(map(len, pieces[: n + 1])) for n in range(len(pieces))]
    kana = tuple(spelt[end - len(piece) : end] for piece, end in zip(pieces, ends, strict=True))
    return _Word(pieces, kana, hiragana(reading), kanji)


def _cheapest(word: _Word, steps: Callable[[int, int], Iterator[_Step] | tuple[_Step, ...]]) -> _Path | None:
    """Find the cheapest path over all characters and all kana."""
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


def _walked(word: _Word, path: _Path) -> Iterator[AlignedCharacter]:
    i = j = 0
    for step in path.steps:
        yield AlignedCharacter("".join(word.signs[i : i + step.signs]), word.reading[j : j + step.kana], step.how)
        i, j = i + step.signs, j + step.kana


@cache
def _whole_words() -> dict[str, list[tuple[tuple[str, ...], Sequence[str]]]]:
    """Load the words that are read as a whole, by their first character."""
    words: dict[str, list[tuple[tuple[str, ...], Sequence[str]]]] = {}
    for written, *readings in read_table("jukujikun.tsv"):
        word = split_characters(written)
        words.setdefault(word[0], []).append((word, readings))
    return words
