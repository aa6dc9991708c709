"""How the readings of a kanji sound inside a word: voiced, doubled, run on from ん, with or without their okurigana."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files

from studium.languages.japanese.kana import SMALL_TSU, N, hiragana, voiced

_STEM_VOWEL = str.maketrans("うくぐすつぬぶむる", "いきぎしちにびみり")
_HALF_VOICED = str.maketrans("はひふへほ", "ぱぴぷぺぽ")
_AFTER_N = str.maketrans("あいうえおやゆよわ", "なにぬねのにににな")
_ZU = str.maketrans("ぢづ", "じず")
_HARD = "かきくけこさしすせそたちつてとぱぴぷぺぽ"
_ANY = "".join(map(chr, range(0x3041, 0x30FF)))
_OUT_OF_PLACE = 2.0


@dataclass(frozen=True)
class Sound:
    """A way a sign can sound, how far that is from its dictionary reading, and the kana it wants around it."""

    kana: str
    cost: float
    after: str = ""
    before: str = ""

    def cost_between(self, before: str, following: str) -> float:
        """What this sound costs between two kana: more where it is out of place."""
        misplaced = bool(self.after and before not in self.after) + bool(self.before and following not in self.before)
        return self.cost + misplaced * _OUT_OF_PLACE


@lru_cache(maxsize=8192)
def sounds(sign: str, readings: tuple[str, ...]) -> tuple[Sound, ...]:
    """All the ways a sign sounds in words, from its readings as KANJIDIC2 writes them, the likeliest first."""
    likeliest: dict[str, Sound] = {}
    for order, reading in enumerate((*readings, *_unlisted().get(sign, ()))):
        for stem in _stems(hiragana(reading).strip("-"), order / 100):
            for sound in _changed(stem):
                known = likeliest.get(sound.kana)
                if known is None or sound.cost < known.cost:
                    likeliest[sound.kana] = sound
    return tuple(sorted(likeliest.values(), key=lambda sound: sound.cost))


def _stems(reading: str, cost: float) -> Iterator[Sound]:
    """What of a reading a kanji stands for: up to the okurigana, with them (受付), or short of them (現われる)."""
    stem, dot, ending = reading.partition(".")
    yield Sound(stem, cost)
    if not dot:
        return
    yield Sound(stem + ending, cost + 0.3)
    yield Sound(stem + ending[:-1] + ending[-1:].translate(_STEM_VOWEL), cost + 0.4)
    for length in range(1, len(ending)):
        yield Sound(stem + ending[:length], cost + 0.5)
    if len(stem) > 1:
        yield Sound(stem[:-1], cost + 1.0, before=stem[-1])


def _changed(sound: Sound) -> Iterator[Sound]:
    for begun in _begun(sound):
        yield begun
        yield from _ended(begun)


def _begun(sound: Sound) -> Iterator[Sound]:
    """The sound and what it becomes after another: 紙 かみ がみ, 表 ひょう ぴょう, 応 おう のう."""
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


def _ended(sound: Sound) -> Iterator[Sound]:
    """What a sound becomes before another: 学 がく がっ, 引 ひき ひっ, 真 ま まん, 女 にょう にょ."""
    kana, cost, after = sound.kana, sound.cost, sound.after
    if len(kana) > 1 and kana[-1] in "つくちきりいうし":
        rare = 0.0 if kana[-1] in "つくちき" else 0.4
        yield Sound(kana[:-1] + SMALL_TSU, cost + 0.2 + rare, after, _HARD)
    if len(kana) > 1 and kana[-1] in "うい":
        yield Sound(kana[:-1], cost + 0.8, after)
    if kana[-1:] not in (N, SMALL_TSU):
        yield Sound(kana + SMALL_TSU, cost + 1.2, after, _HARD)
        yield Sound(kana + N, cost + 1.4, after, _ANY)


@cache
def _unlisted() -> dict[str, Sequence[str]]:
    return {sign: readings for sign, *readings in table("readings.tsv")}


def table(name: str) -> Iterable[list[str]]:
    """The rows of a table that lies beside this module, without its comments."""
    lines = files("studium.languages.japanese").joinpath("tables", name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]
