"""A word taken apart for a learner: its parts with their letters, and its kana set over its kanji."""

from studium.domain.word import Part
from studium.languages.japanese.alignment import Aligned, KanjiReadings, align
from studium.languages.japanese.hepburn import joined, syllables
from studium.languages.japanese.spoken import spoken


def romaji(written: str, reading: str, *, particle: bool = False) -> str:
    """A word in letters, as it is spoken: 実は is jitsuwa."""
    return joined(syllables(spoken(reading, written=written, particle=particle)))


def parts(written: str, reading: str, kanji: KanjiReadings, *, particle: bool = False) -> tuple[Part, ...]:
    """The parts of a word and their letters; っ takes the consonant of the part after it (学校: gak, kou).

    A kana is a part together with its small kana and its vowel mark: パーティー is パー and ティー.
    """
    aligned = align(written, reading, kanji)
    beats = syllables(spoken("".join(sign.kana for sign in aligned), written=written, particle=particle))
    found: list[Part] = []
    at = end = 0
    for sign in aligned:
        end += len(sign.kana)
        mine = []
        while beats and at < end:
            mine.append(beats.pop(0))
            at += len(mine[-1].kana)
        if letters := joined(mine):
            found.append(Part(kanji=sign.written, romaji=(letters,)))
    return tuple(found)


def furigana(written: str, reading: str, kanji: KanjiReadings) -> str:
    """The word as Anki's `furigana` filter reads it: ` 学[がっ] 校[こう]`; the space says where the kanji begin."""
    return "".join(
        f" {sign.written}[{sign.kana}]" if _needs_kana(sign) else sign.written
        for sign in align(written, reading, kanji)
    )


def ruby(written: str, reading: str, kanji: KanjiReadings) -> tuple[tuple[str, str], ...]:
    """The word sign by sign, each with the kana to be set over it; none over what is written as it is read."""
    return tuple((sign.written, sign.kana if _needs_kana(sign) else "") for sign in align(written, reading, kanji))


def _needs_kana(sign: Aligned) -> bool:
    return sign.how != "kana" and bool(sign.kana) and sign.kana != sign.written
